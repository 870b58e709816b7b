package io.contextstore.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Walks over the frames of one segment file and says what it meets, without judging whether that is
 * a torn tail or corruption. For one thread.
 */
final class FrameWalk {
  /** What stands at the current offset. */
  sealed interface Step {
    /**
     * A whole frame with data; its body is verified if the walk verifies.
     *
     * @param payload where the body is, if not in the frame
     */
    record Data(FrameKind kind, FrameHeader head, long offset, Optional<StagedBody> payload)
        implements Step {}

    /** The footer, whole and in agreement with the frames before it. */
    record Seal(SegmentFooter footer) implements Step {}

    /** Nothing: the file ends here, at the end of a frame. */
    record End() implements Step {}

    /** Not a whole frame. */
    record Bad(String problem) implements Step {}

    /** A whole frame that contradicts those before it; no crash leaves that. */
    record Contradiction(String problem) implements Step {}

    /** A whole frame of a kind that this program does not know. */
    record Unknown(int kindCode) implements Step {}
  }

  private final FileWindow file;
  private final SegmentHeader header;
  private final boolean verifyBodies;
  private long offset = SegmentHeader.LENGTH;
  private long nextLsn;
  private long frames;
  private long tail = SegmentHeader.LENGTH;
  private long tailDurableLsn;
  private final List<Long> payloads = new ArrayList<>();
  private long payloadBytes;

  FrameWalk(FileWindow file, SegmentHeader header, boolean verifyBodies) {
    this.file = file;
    this.header = header;
    this.verifyBodies = verifyBodies;
    this.nextLsn = header.firstLsn();
    this.tailDurableLsn = header.firstLsn() - 1;
  }

  /** Where the next step looks: behind the last whole frame. */
  long offset() {
    return offset;
  }

  /** LSN that the next frame must have. */
  long nextLsn() {
    return nextLsn;
  }

  /** Data frames so far. */
  long frames() {
    return frames;
  }

  /** Offset from which on nothing read so far proves that the frames were ever synced. */
  long tail() {
    return tail;
  }

  /** Numbers of the payload files so far. */
  List<Long> payloads() {
    return List.copyOf(payloads);
  }

  /** Bytes of the bodies in those files. */
  long payloadBytes() {
    return payloadBytes;
  }

  /** Looks at the current offset and, if a data frame or footer is there, moves behind it. */
  Step next() throws IOException {
    if (offset == file.limit()) {
      return new Step.End();
    }
    Optional<FrameHeader> parsed = headAt(offset);
    if (parsed.isEmpty()) {
      return new Step.Bad("no frame head");
    }
    FrameHeader head = parsed.get();
    if (offset + head.frameLength() > file.limit()) {
      return new Step.Bad("the frame reaches past the end of the file");
    }
    boolean ours = head.kindCode() == FrameKind.SEAL.code() || isReference(head);
    if ((verifyBodies || ours) && !bodyIsWhole(head, offset)) {
      return new Step.Bad("the checksum of the frame's body is wrong");
    }
    if (head.lsn() != nextLsn) {
      return new Step.Contradiction("LSN %d where %d must be".formatted(head.lsn(), nextLsn));
    }
    if (head.durableLsn() >= head.lsn()) {
      return new Step.Contradiction(
          "durable LSN %d of LSN %d".formatted(head.durableLsn(), nextLsn));
    }
    if (head.kindCode() == FrameKind.SEAL.code()) {
      return seal(head);
    }
    Optional<FrameKind> kind = FrameKind.dataOf(head.kindCode());
    Optional<StagedBody> payload = Optional.empty();
    if (isReference(head)) {
      Optional<PayloadReference> reference = reference(head);
      kind = reference.map(PayloadReference::kind);
      payload = reference.map(PayloadReference::body);
    }
    if (kind.isEmpty()) {
      return new Step.Unknown(head.kindCode());
    }
    Step step = new Step.Data(kind.get(), head, offset, payload);
    advance(head, payload);
    return step;
  }

  private void advance(FrameHeader head, Optional<StagedBody> payload) {
    if (head.durableLsn() > tailDurableLsn) {
      tailDurableLsn = head.durableLsn();
      tail = offset;
    }
    payload.ifPresent(
        body -> {
          payloads.add(body.number());
          payloadBytes += body.length();
        });
    offset += head.frameLength();
    nextLsn++;
    frames++;
  }

  private static boolean isReference(FrameHeader head) {
    return head.kindCode() == FrameKind.PAYLOAD_REFERENCE.code();
  }

  private Optional<PayloadReference> reference(FrameHeader head) throws IOException {
    if (head.bodyLength() != PayloadReference.LENGTH) {
      return Optional.empty();
    }
    int index = file.seek(offset + FrameHeader.LENGTH, PayloadReference.LENGTH);
    return PayloadReference.parse(file.bytes().slice(index, PayloadReference.LENGTH));
  }

  private Step seal(FrameHeader head) throws IOException {
    Optional<SegmentFooter> footer = Optional.empty();
    if (head.bodyLength() == SegmentFooter.LENGTH) {
      int index = file.seek(offset + FrameHeader.LENGTH, SegmentFooter.LENGTH);
      footer = SegmentFooter.parse(file.bytes().slice(index, SegmentFooter.LENGTH));
    }
    if (footer.isEmpty()
        || footer.get().frames() != frames
        || footer.get().firstLsn() != header.firstLsn()
        || footer.get().lastLsn() != nextLsn - 1
        || footer.get().offset() != offset
        || footer.get().payloads() != payloads.size()
        || footer.get().payloadBytes() != payloadBytes) {
      return new Step.Contradiction("the footer does not agree with the frames before it");
    }
    offset += head.frameLength();
    nextLsn++;
    return new Step.Seal(footer.get());
  }

  /**
   * Looks behind a bad frame, at every multiple of 8 bytes, for a whole frame that knew the LSN of
   * the bad one to be synced.
   *
   * @return that frame's offset; empty if there is none, so that nothing that was ever acknowledged
   *     is known to be lost
   */
  Optional<Long> proofOfCorruption() throws IOException {
    long at = offset + FrameHeader.ALIGNMENT;
    while (at + FrameHeader.LENGTH <= file.limit()) {
      Optional<FrameHeader> head = headAt(at);
      if (head.isPresent()
          && at + head.get().frameLength() <= file.limit()
          && bodyIsWhole(head.get(), at)) {
        if (head.get().durableLsn() >= nextLsn) {
          return Optional.of(at);
        }
        at += head.get().frameLength();
      } else {
        at += FrameHeader.ALIGNMENT;
      }
    }
    return Optional.empty();
  }

  /** The footer of a segment whose file ends with one; found without reading the frames. */
  static Optional<SegmentFooter> footerAtEnd(FileWindow file, SegmentHeader header)
      throws IOException {
    long at = file.limit() - SegmentFooter.FRAME_LENGTH;
    if (at < SegmentHeader.LENGTH || at % FrameHeader.ALIGNMENT != 0) {
      return Optional.empty();
    }
    int index = file.seek(at, SegmentFooter.FRAME_LENGTH);
    Optional<FrameHeader> head = FrameHeader.parse(file.bytes(), index, header.salt());
    if (head.isEmpty()
        || head.get().kindCode() != FrameKind.SEAL.code()
        || head.get().bodyLength() != SegmentFooter.LENGTH
        || file.checksum(at + FrameHeader.LENGTH, SegmentFooter.LENGTH)
            != head.get().bodyChecksum()) {
      return Optional.empty();
    }
    int body = file.seek(at + FrameHeader.LENGTH, SegmentFooter.LENGTH);
    return SegmentFooter.parse(file.bytes().slice(body, SegmentFooter.LENGTH))
        .filter(
            footer ->
                footer.offset() == at
                    && footer.firstLsn() == header.firstLsn()
                    && footer.lastLsn() == head.get().lsn() - 1
                    && footer.frames() == footer.lastLsn() - footer.firstLsn() + 1);
  }

  private Optional<FrameHeader> headAt(long at) throws IOException {
    int index = file.seek(at, FrameHeader.LENGTH);
    return FrameHeader.parse(file.bytes(), index, header.salt());
  }

  private boolean bodyIsWhole(FrameHeader head, long at) throws IOException {
    return file.checksum(at + FrameHeader.LENGTH, head.bodyLength()) == head.bodyChecksum();
  }
}
