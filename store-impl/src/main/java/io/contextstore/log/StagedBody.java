package io.contextstore.log;

/**
 * A large body that {@link WriteAheadLog#stage} has made durable beside the segments. It is of no
 * effect until a frame with it is appended to the same log.
 *
 * @param number chosen by the log
 * @param length bytes of the body
 * @param checksum CRC-32C of the body
 * @param salt chosen by the log
 */
public record StagedBody(long number, int length, int checksum, long salt)
    implements FrameContent {}
