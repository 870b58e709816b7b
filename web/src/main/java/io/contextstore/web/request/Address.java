package io.contextstore.web.request;

import io.contextstore.api.error.InvalidRequestException;
import io.contextstore.api.error.NotFoundException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The rules for a raw address: percent-encoded ASCII that decodes to UTF-8, no empty segment, no
 * {@code .} or {@code ..} segment, no {@code ;} parameter. Each of them is something that a client,
 * a proxy or the framework would otherwise drop or resolve silently, so that another row or store
 * would be meant than the one that was asked for.
 */
public final class Address {
  private Address() {}

  /** Throws when the address breaks a rule. Both parts are as they were sent. */
  public static void check(String path, @Nullable String query) {
    if (path.indexOf(';') >= 0) {
      throw new InvalidRequestException("a path must not hold a ';' that is not percent-encoded");
    }
    for (String segment : path.substring(1).split("/", -1)) {
      String decoded = decode(segment, "path");
      if (decoded.isEmpty()) {
        throw new NotFoundException("there is no such route: a part of the path is empty");
      }
      if (decoded.equals(".") || decoded.equals("..")) {
        throw new InvalidRequestException(
            "a part of the path must not be '.' or '..'; rows with such an id are found by"
                + " get-rows");
      }
    }
    if (query != null) {
      decode(query, "query");
    }
  }

  private static String decode(String raw, String where) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        throw new InvalidRequestException(
            "the " + where + " of the address holds a character that must be percent-encoded");
      }
      if (c == '%') {
        int value = i + 2 < raw.length() ? hex(raw.charAt(i + 1), raw.charAt(i + 2)) : -1;
        if (value < 0) {
          throw new InvalidRequestException(
              "the " + where + " of the address has a '%' without two hexadecimal digits");
        }
        bytes.write(value);
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new InvalidRequestException(
          "the " + where + " of the address is not UTF-8 when percent-decoded", e);
    }
  }

  private static int hex(char high, char low) {
    return HexFormat.isHexDigit(high) && HexFormat.isHexDigit(low)
        ? HexFormat.fromHexDigit(high) << 4 | HexFormat.fromHexDigit(low)
        : -1;
  }
}
