package io.contextstore.codec;

import static io.contextstore.codec.CodecFixture.schema;

import io.contextstore.api.schema.Column;
import io.contextstore.api.schema.ColumnType;
import io.contextstore.api.schema.ColumnType.Metric;
import io.contextstore.api.schema.StoreSchema;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random schemas, and random bodies that are right for them. */
final class RandomRows {
  private final Random random;

  RandomRows(long seed) {
    random = new Random(seed);
  }

  StoreSchema anySchema() {
    Column[] columns = new Column[random.nextInt(12)];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new Column("c" + i + text(3, false), type(), random.nextInt(4) > 0);
    }
    return schema(columns);
  }

  private ColumnType type() {
    return switch (random.nextInt(6)) {
      case 0 -> new ColumnType.Vector(random.nextInt(1, 9), Metric.DOT);
      case 1 -> {
        ColumnType.Scalar item = scalar();
        yield switch (item) {
          case ColumnType.Text _large -> new ColumnType.ListOf(new ColumnType.Text(false));
          case ColumnType.Binary _blob -> new ColumnType.ListOf(new ColumnType.Binary(false));
          default -> new ColumnType.ListOf(item);
        };
      }
      default -> scalar();
    };
  }

  private ColumnType.Scalar scalar() {
    return switch (random.nextInt(8)) {
      case 0 -> new ColumnType.Text(random.nextBoolean());
      case 1 -> new ColumnType.Int32();
      case 2 -> new ColumnType.Int64();
      case 3 -> new ColumnType.Float32();
      case 4 -> new ColumnType.Float64();
      case 5 -> new ColumnType.Bool();
      case 6 -> new ColumnType.Timestamp();
      default -> new ColumnType.Binary(random.nextBoolean());
    };
  }

  /** A body whose rows have their columns in the store's order, so that it is written the same. */
  String body(StoreSchema schema, int rows, boolean shuffled) {
    StringBuilder out = new StringBuilder("{\"rows\":[");
    for (int i = 0; i < rows; i++) {
      List<String> members = new ArrayList<>();
      for (Column column : schema.columns()) {
        if (!column.nullable() || random.nextInt(3) > 0) {
          members.add("\"" + column.name() + "\":" + value(column));
        }
      }
      if (shuffled) {
        Collections.shuffle(members, random);
      }
      out.append(i == 0 ? "" : ",").append('{').append(String.join(",", members)).append('}');
    }
    return out.append("]}").toString();
  }

  private String value(Column column) {
    return column.name().equals(StoreSchema.ID)
        ? "\"" + random.nextInt(1000) + text(20, true).replace("\\u0000", "") + "\""
        : value(column.type());
  }

  private String value(ColumnType type) {
    return switch (type) {
      case ColumnType.Text _text -> "\"" + text(40, true) + "\"";
      case ColumnType.Int32 _int -> Integer.toString(random.nextInt() >> random.nextInt(32));
      case ColumnType.Int64 _int -> Long.toString(random.nextLong() >> random.nextInt(64));
      case ColumnType.Float32 _float -> Float.toString(single());
      case ColumnType.Float64 _float -> Double.toString(wide());
      case ColumnType.Bool _bool -> Boolean.toString(random.nextBoolean());
      case ColumnType.Timestamp _time -> Long.toString(random.nextLong());
      case ColumnType.Binary _bytes -> "\"" + base64() + "\"";
      case ColumnType.Vector vector -> array(vector.dim(), new ColumnType.Float32(), false);
      case ColumnType.ListOf list -> array(random.nextInt(6), list.item(), true);
    };
  }

  private String array(int count, ColumnType item, boolean nulls) {
    List<String> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(nulls && random.nextInt(4) == 0 ? "null" : value(item));
    }
    return "[" + String.join(",", items) + "]";
  }

  private float single() {
    float value = Float.intBitsToFloat(random.nextInt());
    return Float.isFinite(value) ? value : Float.MIN_VALUE;
  }

  private double wide() {
    double value = Double.longBitsToDouble(random.nextLong());
    return Double.isFinite(value) ? value : Double.MIN_VALUE;
  }

  private String base64() {
    byte[] bytes = new byte[random.nextInt(50)];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Text as JSON writes it, without the quotes. */
  private String text(int most, boolean anything) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most); i > 0; i--) {
      switch (random.nextInt(anything ? 6 : 3)) {
        case 0 -> text.appendCodePoint(random.nextInt(0x80, 0xD800));
        case 3 -> text.append("\\u0000");
        case 4 -> text.append("\\\"\\\\\\n");
        case 5 -> text.appendCodePoint(random.nextInt(0x10000, 0x110000));
        default -> text.append((char) random.nextInt('a', 'z' + 1));
      }
    }
    return text.toString();
  }
}
