package io.contextstore.log;

import java.util.List;

/**
 * A segment of a local log, as its files are.
 *
 * @param info what others see; its bytes include the payloads
 * @param fileBytes durable length of the segment file
 * @param payloads numbers of the payload files that its frames refer to
 */
record LocalSegment(SegmentInfo info, long fileBytes, List<Long> payloads) {}
