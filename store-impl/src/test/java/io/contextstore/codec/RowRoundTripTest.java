package io.contextstore.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.schema.StoreSchema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.compare.VectorEqualsVisitor;
import org.junit.jupiter.api.Test;

/** Random schemas and rows: what was written parses to the same, what was damaged is refused. */
class RowRoundTripTest {
  private static final int ROUNDS = 400;

  private final long seed = System.nanoTime();

  RowRoundTripTest() {
    System.out.println("RowRoundTripTest: seed " + seed);
  }

  @Test
  void parseOfWriteIsTheSame() {
    RandomRows random = new RandomRows(seed);
    for (int round = 0; round < ROUNDS; round++) {
      StoreSchema schema = random.anySchema();
      String json = random.body(schema, round % 20, false);
      try (CodecFixture codec = new CodecFixture();
          RowBatch batch = codec.parse(schema, json)) {
        String written = CodecFixture.write(schema, batch);
        assertThat(written).as("seed %d, round %d", seed, round).isEqualTo(json);
        try (RowBatch again = codec.parse(schema, written)) {
          assertSame(batch, again, round);
        }
      }
    }
  }

  @Test
  void orderOfMembersDoesNotMatter() {
    RandomRows random = new RandomRows(seed);
    for (int round = 0; round < ROUNDS; round++) {
      StoreSchema schema = random.anySchema();
      try (CodecFixture codec = new CodecFixture();
          RowBatch batch = codec.parse(schema, random.body(schema, 10, true));
          RowBatch again = codec.parse(schema, CodecFixture.write(schema, batch))) {
        assertSame(batch, again, round);
      }
    }
  }

  private void assertSame(RowBatch one, RowBatch two, int round) {
    assertThat(two.rowCount()).isEqualTo(one.rowCount());
    for (int i = 0; i < one.root().getFieldVectors().size(); i++) {
      ValueVector left = one.root().getVector(i);
      assertThat(VectorEqualsVisitor.vectorEquals(left, two.root().getVector(i)))
          .as("%s, seed %d, round %d", left.getField(), seed, round)
          .isTrue();
    }
  }

  /** A body cut anywhere is refused, and nothing else happens. */
  @Test
  void truncated() {
    RandomRows random = new RandomRows(seed);
    for (int round = 0; round < 30; round++) {
      StoreSchema schema = random.anySchema();
      byte[] json = random.body(schema, 3, true).getBytes(StandardCharsets.UTF_8);
      try (CodecFixture codec = new CodecFixture()) {
        for (int length = 0; length < json.length; length++) {
          assertThat(parses(codec, schema, Arrays.copyOf(json, length)))
              .as("seed %d, round %d, length %d", seed, round, length)
              .isFalse();
        }
      }
    }
  }

  /** A body with some bytes changed is parsed or refused, and nothing else happens. */
  @Test
  void mutated() {
    RandomRows random = new RandomRows(seed);
    Random bytes = new Random(seed);
    String likely = "\"\\{}[],:0123456789eE.+-truefalsn \u0000\n";
    int parsed = 0;
    int refused = 0;
    for (int round = 0; round < 100; round++) {
      StoreSchema schema = random.anySchema();
      byte[] json = random.body(schema, 3, true).getBytes(StandardCharsets.UTF_8);
      try (CodecFixture codec = new CodecFixture()) {
        for (int i = 0; i < 200; i++) {
          byte[] changed = json.clone();
          for (int many = bytes.nextInt(3); many >= 0; many--) {
            changed[bytes.nextInt(changed.length)] =
                bytes.nextBoolean()
                    ? (byte) likely.charAt(bytes.nextInt(likely.length()))
                    : (byte) bytes.nextInt();
          }
          if (parses(codec, schema, changed)) {
            parsed++;
          } else {
            refused++;
          }
        }
      }
    }
    assertThat(parsed).isPositive();
    assertThat(refused).isPositive();
  }

  private static boolean parses(CodecFixture codec, StoreSchema schema, byte[] json) {
    try (RowBatch batch = codec.parse(schema, json)) {
      // What was taken can be written.
      CodecFixture.write(schema, batch);
      return true;
    } catch (InvalidRequestException e) {
      assertThat(codec.allocator.getAllocatedMemory()).isZero();
      return false;
    }
  }
}
