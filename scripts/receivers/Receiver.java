import com.sun.net.httpserver.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A receiver with the JDK alone: java Receiver.java --style pool --mistake rejects-duplicates. Prints its port. */
public class Receiver {
  static final Map<String, String> options = new HashMap<>();
  static final byte[] key = Base64.getDecoder().decode(System.getenv("RECEIVER_SECRET").substring(6));
  static final Map<String, Map<String, Object>> records = new LinkedHashMap<>();
  static final List<Object> handled = new ArrayList<>();
  static final Set<String> seen = ConcurrentHashMap.newKeySet();
  static final ScheduledExecutorService jobs = Executors.newSingleThreadScheduledExecutor();

  static boolean has(String mistake) {
    return mistake.equals(options.get("--mistake"));
  }

  public static void main(String[] words) throws Exception {
    for (int at = 0; at + 1 < words.length; at += 2) options.put(words[at], words[at + 1]);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 64);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/", Receiver::serve);
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  static void serve(HttpExchange exchange) {
    try (exchange) {
      byte[] raw = exchange.getRequestBody().readAllBytes();
      byte[] body = new byte[0];
      int status = 200;
      if (exchange.getRequestMethod().equals("GET")) body = stored(exchange.getRequestURI().getQuery());
      else status = receive(exchange.getRequestHeaders(), raw);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (Exception error) {
      // The connection is cut.
    }
  }

  static int receive(Headers head, byte[] raw) throws Exception {
    String id = read(head, "id"), time = read(head, "timestamp"), given = read(head, "signature");
    if (id.isEmpty() || given.isEmpty() && !has("needs-no-signature") || !time.matches("\\d+")) return 401;
    long age = System.currentTimeMillis() / 1000 - Long.parseLong(time);
    if (age > (has("tolerates-ten-minutes") ? 600 : 300) || age < -300) return 401;
    if (!isSigned(id, time, given, raw)) return 401;
    Map<String, Object> event;
    try {
      event = object(new Json(new String(raw, StandardCharsets.UTF_8)).read());
    } catch (RuntimeException error) {
      return 400;
    }
    String once = has("dedupes-by-request-id") ? head.getFirst("x-request-id") : null;
    if (once == null) once = id;
    if (options.get("--style").equals("queue")) {
      String message = once;
      if (seen.add(message)) jobs.schedule(() -> store(id, event), 5, TimeUnit.MILLISECONDS);
      return 202;
    }
    synchronized (Receiver.class) {
      if (seen.contains(once)) return has("rejects-duplicates") ? 409 : 200;
      try {
        store(id, event);
      } catch (RuntimeException error) {
        return 500;
      }
      seen.add(once);
      return 200;
    }
  }

  static String read(Headers head, String name) {
    String value = head.getFirst("webhook-" + name);
    if (value == null) value = head.getFirst("svix-" + name);
    return value == null ? "" : value;
  }

  static boolean isSigned(String id, String time, String given, byte[] raw) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + time + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = mac.doFinal(raw);
    if (has("needs-no-signature") && given.isEmpty()) return true;
    for (String one : given.split(" ")) {
      if (!one.startsWith("v1,")) continue;
      try {
        byte[] value = Base64.getDecoder().decode(one.substring(3));
        if (has("compares-first-bytes")) value = Arrays.copyOf(Arrays.copyOf(value, 8), 32);
        byte[] wanted = has("compares-first-bytes") ? Arrays.copyOf(Arrays.copyOf(expected, 8), 32) : expected;
        if (MessageDigest.isEqual(value, wanted)) return true;
      } catch (IllegalArgumentException error) {
        // Not base64: another signature may be valid.
      }
    }
    return false;
  }

  static synchronized void store(String id, Map<String, Object> event) {
    String[] type = event.get("event_type").toString().split("[.]");
    Map<String, Object> data = object(event.get("data"));
    if (type[0].equals("provider") && has("requires-the-old-source")) object(data.get("source")).get("slug");
    if (type.length > 2 && type[1].equals("data")) {
      Map<String, Object> source = object(data.get("source"));
      Object provider = source.get("provider") == null ? source.get("slug") : source.get("provider");
      if (has("stores-the-old-slug")) provider = source.get("slug");
      for (Object item : (List<?>) data.get("data")) {
        Map<String, Object> record = new LinkedHashMap<>(object(item));
        Object own = record.get("id");
        if (own == null) own = List.of(type[2], "" + provider, "" + source.get("type"), "" + record.get("timestamp"));
        record.put("user_id", event.get("user_id"));
        record.put("provider", provider);
        if (has("rounds-zones-to-hours") && record.get("timezone_offset") instanceof Number seconds) {
          Instant end = Instant.parse(record.get("bedtime_stop").toString());
          record.put("calendar_date", end.atOffset(ZoneOffset.ofHours(seconds.intValue() / 3600)).toLocalDate().toString());
        }
        Map<String, Object> known = records.get(event.get("user_id") + " " + own);
        if (known != null && timeOf(known).isAfter(timeOf(record))) continue;
        if (known != null && has("keeps-the-first-version")) continue;
        records.put(event.get("user_id") + " " + own, record);
      }
    }
    handled.add(id);
  }

  static Instant timeOf(Map<String, Object> record) {
    Object time = record.get("updated_at");
    return time == null ? Instant.EPOCH : OffsetDateTime.parse(time.toString()).toInstant();
  }

  static synchronized byte[] stored(String query) {
    String user = query == null ? "" : query.replaceAll(".*user_id=([^&]*).*", "$1");
    List<Object> found = new ArrayList<>();
    for (Map<String, Object> record : records.values()) if (user.equals(record.get("user_id"))) found.add(record);
    return write(Map.of("records", found, "handled", handled)).getBytes(StandardCharsets.UTF_8);
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  static String write(Object value) {
    StringJoiner parts = new StringJoiner(",");
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, one) -> parts.add(write(name) + ":" + write(one)));
      return "{" + parts + "}";
    }
    if (value instanceof List<?> list) {
      list.forEach(one -> parts.add(write(one)));
      return "[" + parts + "]";
    }
    if (!(value instanceof String text)) return "" + value;
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  /** A parser of JSON, because the JDK has none. */
  static class Json {
    static final Pattern token = Pattern.compile("\\s*(\"(?:[^\"\\\\]|\\\\.)*+\"|[-+.\\w]++|[\\[\\]{}:,])");
    final Matcher matcher;
    String next;

    Json(String text) {
      matcher = token.matcher(text);
      step();
    }

    void step() {
      next = matcher.lookingAt() ? matcher.group(1) : "";
      if (!next.isEmpty()) matcher.region(matcher.end(), matcher.regionEnd());
    }

    Object read() {
      String first = next;
      step();
      if (first.equals("{")) {
        Map<String, Object> map = new LinkedHashMap<>();
        while (!next.equals("}")) {
          Object name = read();
          expect(":");
          map.put((String) name, read());
          if (!next.equals("}")) expect(",");
        }
        step();
        return map;
      }
      if (first.equals("[")) {
        List<Object> list = new ArrayList<>();
        while (!next.equals("]")) {
          list.add(read());
          if (!next.equals("]")) expect(",");
        }
        step();
        return list;
      }
      if (first.startsWith("\"")) return unescape(first.substring(1, first.length() - 1));
      if (first.equals("null")) return null;
      if (first.equals("true") || first.equals("false")) return Boolean.valueOf(first);
      return new java.math.BigDecimal(first);
    }

    void expect(String text) {
      if (!next.equals(text)) throw new IllegalArgumentException("Expected " + text);
      step();
    }

    static String unescape(String text) {
      return Pattern.compile("\\\\(u([0-9a-fA-F]{4})|.)").matcher(text).replaceAll(found -> {
        String code = found.group(2);
        char letter = code == null ? found.group(1).charAt(0) : (char) Integer.parseInt(code, 16);
        int at = code == null ? "nrtbf".indexOf(letter) : -1;
        return Matcher.quoteReplacement("" + (at < 0 ? letter : "\n\r\t\b\f".charAt(at)));
      });
    }
  }
}
