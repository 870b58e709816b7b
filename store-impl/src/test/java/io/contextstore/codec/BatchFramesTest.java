package io.contextstore.codec;

import static io.contextstore.codec.CodecFixture.EVERY_TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.contextstore.api.error.TooLargeException;
import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.StoreSchema;
import io.contextstore.schema.ArrowSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchFramesTest {
  private static final Schema EVERY_ARROW = ArrowSchemas.rows(EVERY_TYPE);

  private static final String ROWS =
      """
      {"rows":[
        {"id":"a","text":"é","large":"😀","int32":1,"int64":2,"float32":0.5,"float64":0.25,
         "bool":true,"timestamp":-1,"binary":"AAEC","blob":"","vector":[1,2,3],"texts":["x",null],
         "int32s":[1,null],"int64s":[],"float32s":[1],"float64s":[null],"bools":[true,null,false],
         "timestamps":[5],"binaries":["AA==",null,""]},
        {"id":"b"},
        {"id":"c","text":"","vector":[4,5,6],"texts":[],"bools":[false]}]}
      """;

  private final CodecFixture codec = new CodecFixture();

  @AfterEach
  void nothingLeaks() {
    codec.close();
  }

  static byte[] bytes(List<ByteBuffer> frame) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ByteBuffer part : frame) {
      byte[] copy = new byte[part.remaining()];
      part.duplicate().get(copy);
      bytes.writeBytes(copy);
    }
    return bytes.toByteArray();
  }

  private static byte[] asArrowWritesIt(VectorSchemaRoot root) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArrowRecordBatch batch = new VectorUnloader(root).getRecordBatch()) {
      MessageSerializer.serialize(new WriteChannel(Channels.newChannel(bytes)), batch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Encodes, decodes, and compares as JSON. */
  private void roundTrip(StoreSchema schema, VectorSchemaRoot root) throws Exception {
    byte[] frame = bytes(BatchFrames.encode(root));
    assertThat(frame.length % 8).isZero();
    try (RowBatch again =
        BatchFrames.decode(ByteBuffer.wrap(frame), ArrowSchemas.rows(schema), codec.allocator)) {
      assertThat(CodecFixture.write(schema, again))
          .isEqualTo(CodecFixture.write(schema, new RowBatch(root, 0)));
      assertThat(bytes(BatchFrames.encode(again.root()))).isEqualTo(frame);
    }
  }

  @Test
  void isTheMessageThatArrowWrites() throws Exception {
    try (RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      List<ByteBuffer> frame = BatchFrames.encode(batch.root());
      assertThat(bytes(frame)).isEqualTo(asArrowWritesIt(batch.root()));
      // Metadata, the body as one stretch, and at most its padding.
      assertThat(frame.size()).isLessThanOrEqualTo(3);
      roundTrip(EVERY_TYPE, batch.root());
    }
  }

  @Test
  void emptyAndAllNull() throws Exception {
    for (String json :
        new String[] {
          "{\"rows\":[]}",
          "{\"rows\":[{\"id\":\"a\"}]}",
          "{\"rows\":[" + "{\"id\":\"a\"},".repeat(99) + "{\"id\":\"a\"}]}"
        }) {
      try (RowBatch batch = codec.parse(EVERY_TYPE, json)) {
        assertThat(bytes(BatchFrames.encode(batch.root())))
            .isEqualTo(asArrowWritesIt(batch.root()));
        roundTrip(EVERY_TYPE, batch.root());
      }
    }
  }

  /** What Arrow itself makes for no rows has no offsets at all. */
  @Test
  void emptyBatchesThatWereNotMadeHere() throws Exception {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(EVERY_ARROW, codec.allocator)) {
      assertThat(bytes(BatchFrames.encode(root))).isEqualTo(asArrowWritesIt(root));
      roundTrip(EVERY_TYPE, root);
      root.allocateNew();
      root.setRowCount(0);
      roundTrip(EVERY_TYPE, root);
    }
  }

  @Test
  void slices() throws Exception {
    String json =
        "{\"rows\":[" + "{\"id\":\"y\"},".repeat(7) + rowsOnly(ROWS).repeat(7) + "{\"id\":\"z\"}]}";
    try (RowBatch batch = codec.parse(EVERY_TYPE, json)) {
      for (int start = 0; start <= batch.rowCount(); start++) {
        for (int length : new int[] {0, 1, 2, batch.rowCount() - start}) {
          if (start + length <= batch.rowCount()) {
            try (VectorSchemaRoot slice = batch.root().slice(start, length)) {
              roundTrip(EVERY_TYPE, slice);
            }
          }
        }
      }
    }
  }

  private static String rowsOnly(String body) {
    return body.substring(body.indexOf('[') + 1, body.lastIndexOf(']')) + ",";
  }

  @Test
  void tombstones() throws Exception {
    StoreSchema onlyId = CodecFixture.schema();
    try (VectorSchemaRoot root =
        VectorSchemaRoot.create(ArrowSchemas.tombstones(), codec.allocator)) {
      VarCharVector id = (VarCharVector) root.getVector("id");
      for (int i = 0; i < 100; i++) {
        id.setSafe(i, ("key " + i).getBytes(StandardCharsets.UTF_8));
      }
      root.setRowCount(100);
      assertThat(bytes(BatchFrames.encode(root))).isEqualTo(asArrowWritesIt(root));
      roundTrip(onlyId, root);
    }
  }

  @Test
  void randomBatches() throws Exception {
    long seed = System.nanoTime();
    System.out.println("BatchFramesTest: seed " + seed);
    RandomRows random = new RandomRows(seed);
    for (int round = 0; round < 200; round++) {
      StoreSchema schema = random.anySchema();
      try (RowBatch batch = codec.parse(schema, random.body(schema, round % 70, false))) {
        assertThat(bytes(BatchFrames.encode(batch.root())))
            .as("seed %d, round %d", seed, round)
            .isEqualTo(asArrowWritesIt(batch.root()));
        roundTrip(schema, batch.root());
      }
    }
  }

  @Test
  void theViewsAreTheVectorsOwnMemory() {
    try (RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      byte[] before = bytes(BatchFrames.encode(batch.root()));
      List<ByteBuffer> frame = BatchFrames.encode(batch.root());
      ArrowBuf text = batch.root().getVector("id").getDataBuffer();
      text.setByte(0, 'X');
      assertThat(bytes(frame)).isNotEqualTo(before);
      text.setByte(0, 'a');
      assertThat(bytes(frame)).isEqualTo(before);
    }
  }

  @Test
  void anywhereInABuffer() throws Exception {
    try (RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      byte[] frame = bytes(BatchFrames.encode(batch.root()));
      for (boolean direct : new boolean[] {false, true}) {
        int size = frame.length + 20;
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        buffer.put(13, frame).position(13).limit(13 + frame.length);
        try (RowBatch again =
            BatchFrames.decode(buffer.asReadOnlyBuffer(), EVERY_ARROW, codec.allocator)) {
          assertThat(CodecFixture.write(EVERY_TYPE, again))
              .isEqualTo(CodecFixture.write(EVERY_TYPE, batch));
        }
        assertThat(buffer.position()).isEqualTo(13);
      }
    }
  }

  @Test
  void memoryIsExact() throws Exception {
    byte[] frame;
    try (RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      frame = bytes(BatchFrames.encode(batch.root()));
    }
    try (RowBatch again =
        BatchFrames.decode(ByteBuffer.wrap(frame), EVERY_ARROW, codec.allocator)) {
      assertThat(again.bytes()).isEqualTo(codec.allocator.getAllocatedMemory());
    }
  }

  @Test
  void nullsWhereTheSchemaHasNone() throws Exception {
    StoreSchema loose = CodecFixture.schema(CodecFixture.column("n", new ColumnType.Int32()));
    StoreSchema strict = CodecFixture.schema(new Column("n", new ColumnType.Int32(), false));
    try (RowBatch batch = codec.parse(loose, "{\"rows\":[{\"id\":\"a\"}]}")) {
      byte[] frame = bytes(BatchFrames.encode(batch.root()));
      assertThatThrownBy(
              () ->
                  BatchFrames.decode(
                      ByteBuffer.wrap(frame), ArrowSchemas.rows(strict), codec.allocator))
          .isInstanceOf(MalformedBatchException.class)
          .hasMessage("column 'n' of the batch does not fit its buffers");
    }
  }

  @Test
  void anotherSchema() throws Exception {
    try (RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      byte[] frame = bytes(BatchFrames.encode(batch.root()));
      assertThatThrownBy(
              () ->
                  BatchFrames.decode(
                      ByteBuffer.wrap(frame), ArrowSchemas.tombstones(), codec.allocator))
          .isInstanceOf(MalformedBatchException.class)
          .hasMessage("the batch has more vectors than the schema");
    }
  }

  @Test
  void truncatedAndExtended() {
    try (RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      byte[] frame = bytes(BatchFrames.encode(batch.root()));
      for (int length = 0; length < frame.length + 9; length++) {
        if (length != frame.length) {
          ByteBuffer wrong = ByteBuffer.wrap(Arrays.copyOf(frame, length));
          assertThatThrownBy(() -> BatchFrames.decode(wrong, EVERY_ARROW, codec.allocator))
              .as("length %d", length)
              .isInstanceOf(MalformedBatchException.class);
        }
      }
      assertThat(codec.allocator.getAllocatedMemory()).isEqualTo(batch.bytes());
    }
  }

  /**
   * Damage in any place gives a batch of which every value can be read, or a refusal; the process
   * lives and nothing leaks.
   */
  @Test
  void hostileBytes() {
    long seed = System.nanoTime();
    System.out.println("BatchFramesTest: seed " + seed);
    Random random = new Random(seed);
    int read = 0;
    int refused = 0;
    try (RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      byte[] frame = bytes(BatchFrames.encode(batch.root()));
      for (int i = 0; i < 40_000; i++) {
        byte[] damaged = frame.clone();
        for (int many = random.nextInt(4); many >= 0; many--) {
          damage(damaged, random);
        }
        try (RowBatch again =
            BatchFrames.decode(ByteBuffer.wrap(damaged), EVERY_ARROW, codec.allocator)) {
          CodecFixture.write(EVERY_TYPE, again);
          read++;
        } catch (MalformedBatchException e) {
          refused++;
        }
        assertThat(codec.allocator.getAllocatedMemory())
            .as("seed %d, round %d", seed, i)
            .isEqualTo(batch.bytes());
      }
    }
    assertThat(read).isPositive();
    assertThat(refused).isPositive();
  }

  private static void damage(byte[] frame, Random random) {
    int at = random.nextInt(frame.length - 8);
    switch (random.nextInt(4)) {
      case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> frame[at] = (byte) random.nextInt();
      case 2 -> ByteBuffer.wrap(frame).putInt(at & -4, random.nextInt() >> random.nextInt(32));
      default -> ByteBuffer.wrap(frame).putLong(at & -8, random.nextLong() >> random.nextInt(64));
    }
  }

  @Test
  void theAllocatorsLimit() {
    byte[] frame;
    try (RowBatch batch = codec.parse(EVERY_TYPE, ROWS)) {
      frame = bytes(BatchFrames.encode(batch.root()));
    }
    try (CodecFixture small = new CodecFixture(100)) {
      assertThatThrownBy(
              () -> BatchFrames.decode(ByteBuffer.wrap(frame), EVERY_ARROW, small.allocator))
          .isInstanceOf(OutOfMemoryException.class);
    }
  }

  /** Many vectors over the same megabytes, so that the batch is huge and the memory is not. */
  @Test
  void twoGibibytesAreRefused() {
    int size = 1 << 20;
    try (RowBatch batch =
        codec.parse(CodecFixture.schema(), "{\"rows\":[{\"id\":\"" + "k".repeat(1024) + "\"}]}")) {
      assertThat(BatchFrames.encode(batch.root())).isNotEmpty();
    }
    try (VarCharVector text = new VarCharVector("text", codec.allocator)) {
      text.setSafe(0, new byte[size]);
      text.setValueCount(1);
      List<org.apache.arrow.vector.FieldVector> many = new ArrayList<>();
      for (int i = 0; i < 2048; i++) {
        many.add(text);
      }
      VectorSchemaRoot root = new VectorSchemaRoot(many);
      root.setRowCount(1);
      assertThatThrownBy(() -> BatchFrames.encode(root)).isInstanceOf(TooLargeException.class);
    }
  }
}
