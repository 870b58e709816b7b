package io.contextstore.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.schema.ColumnType.Metric;
import jakarta.json.Json;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaJsonTest {
  private static JsonValue json(String text) {
    try (JsonReader reader = Json.createReader(new StringReader(text.replace('\'', '"')))) {
      return reader.readValue();
    }
  }

  private static final String ID = "['id',{'type':'string','nullable':false}]";

  @Test
  void everyTypeAndBack() {
    StoreSchema schema =
        new StoreSchema(
            List.of(
                new Column("id", new ColumnType.Text(false), false),
                new Column("s", new ColumnType.Text(true), true),
                new Column("i", new ColumnType.Int32(), false),
                new Column("l", new ColumnType.Int64(), true),
                new Column("f", new ColumnType.Float32(), true),
                new Column("d", new ColumnType.Float64(), true),
                new Column("b", new ColumnType.Bool(), true),
                new Column("t", new ColumnType.Timestamp(), true),
                new Column("x", new ColumnType.Binary(true), true),
                new Column("y", new ColumnType.Binary(false), true),
                new Column("v", new ColumnType.Vector(7, Metric.DOT), true),
                new Column("a", new ColumnType.ListOf(new ColumnType.Timestamp()), true)));
    assertThat(SchemaJson.parse(SchemaJson.render(schema))).isEqualTo(schema);
    assertThat(SchemaJson.parse(json(SchemaJson.render(schema).toString()))).isEqualTo(schema);
  }

  @Test
  void defaultsAndRendering() {
    StoreSchema schema =
        SchemaJson.parse(
            json(
                "{'columns':[['s',{'type':'string'}],['v',{'type':'vector','dim':3}],"
                    + "['l',{'type':'list','item':'int64','nullable':false}],"
                    + ID
                    + "]}"));
    assertThat(SchemaJson.render(schema))
        .hasToString(
            ("{'columns':["
                    + ID
                    + ",['s',{'type':'string','nullable':true}],"
                    + "['v',{'type':'vector','nullable':true,'dim':3,'metric':'l2'}],"
                    + "['l',{'type':'list','nullable':false,'item':'int64'}]]}")
                .replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource({
    "l2, L2",
    "euclidean, L2",
    "L2, L2",
    "cosine, COSINE",
    "Cosine, COSINE",
    "dot, DOT",
    "dot_product, DOT"
  })
  void metrics(String name, Metric metric) {
    String schema =
        "{'columns':[%s,['v',{'type':'vector','dim':2,'metric':'%s'}]]}".formatted(ID, name);
    assertThat(SchemaJson.parse(json(schema)).columns().get(1).type())
        .isEqualTo(new ColumnType.Vector(2, metric));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[]                       | a schema is a JSON object",
        "{}                       | a schema needs \"columns\", an array of [name, {\"type\": …}] pairs",
        "{'columns':{}}           | a schema needs \"columns\", an array of [name, {\"type\": …}] pairs",
        "{'columns':[],'x':1}     | a schema: unknown member 'x'",
        "{'columns':[]}           | a schema has 1 to 1024 columns, this one has 0",
        "{'columns':['id']}       | column 0 of the schema is not a [name, {\"type\": …}] pair",
        "{'columns':[['id']]}     | column 0 of the schema is not a [name, {\"type\": …}] pair",
        "{'columns':[[1,{}]]}     | column 0 of the schema is not a [name, {\"type\": …}] pair",
        "{'columns':[['id','string']]} | column 0 of the schema is not a [name, {\"type\": …}] pair",
        "{'columns':[['id',{}]]}  | column 'id' needs a \"type\"",
      })
  void notSchemas(String schema, String message) {
    refused(schema, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'type':'text'}                              | : unknown type 'text'; known are string, int32, int64, float32, float64, bool, timestamp, binary, vector and list",
        "{'type':'int32','large':true}                | : unknown member 'large'",
        "{'type':'string','blob':true}                | : unknown member 'blob'",
        "{'type':'string','nulable':true}             | : unknown member 'nulable'",
        "{'type':'string','nullable':null}            | : \"nullable\" is true or false",
        "{'type':'string','large':'yes'}              | : \"large\" is true or false",
        "{'type':'vector'}                            | : a vector needs \"dim\", a whole number",
        "{'type':'vector','dim':'3'}                  | : a vector needs \"dim\", a whole number",
        "{'type':'vector','dim':3.5}                  | : a vector needs \"dim\", a whole number",
        "{'type':'vector','dim':9999999999}           | : \"dim\" is too large",
        "{'type':'vector','dim':1e999999999}          | : a vector needs \"dim\", a whole number",
        "{'type':'vector','dim':3,'metric':'hamming'} | : \"metric\" is l2, cosine or dot",
        "{'type':'vector','dim':3,'metric':null}      | : \"metric\" is l2, cosine or dot",
        "{'type':'list'}                              | : a list needs \"item\", a scalar type",
        "{'type':'list','item':7}                     | : a list needs \"item\", a scalar type",
        "{'type':'list','item':'list'}                | , its items: unknown type 'list'; known are string, int32, int64, float32, float64, bool, timestamp, binary, vector and list",
      })
  void notColumns(String options, String problem) {
    refused("{'columns':[%s,['c',%s]]}".formatted(ID, options), "column 'c'" + problem);
  }

  @Test
  void dimensions() {
    refused(
        "{'columns':[%s,['c',{'type':'vector','dim':0}]]}".formatted(ID),
        "a vector needs a 'dim' from 1 to 1048576, got 0");
  }

  @Test
  void namesInMessagesAreCut() {
    refused(
        "{'columns':[['%s',{}]]}".formatted("n".repeat(100_000)),
        "column '" + "n".repeat(40) + "…' needs a \"type\"");
  }

  private static void refused(String schema, String message) {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> SchemaJson.parse(json(schema)))
        .withMessage(message);
  }
}
