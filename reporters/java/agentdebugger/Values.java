package agentdebugger;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.CharValue;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.FloatValue;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;

/** Shows values of another virtual machine by their fields. It calls nothing there. */
final class Values {
  private static final int MAX_OF_A_VALUE = 400;
  private static final int MAX_ITEMS = 10;
  private static final int MAX_FIELDS = 12;
  private static final int MAX_DEPTH = 3;
  private static final long MAX_NANOSECONDS = 400_000_000L;

  private final VirtualMachine machine;
  private long deadline;

  Values(VirtualMachine machine) {
    this.machine = machine;
  }

  /** Begins a stack, whose values may take only some time. */
  void begin() {
    deadline = System.nanoTime() + MAX_NANOSECONDS;
  }

  String shown(Value value) {
    String text;
    try {
      text = shown(value, MAX_DEPTH);
    } catch (com.sun.jdi.VMDisconnectedException ended) {
      throw ended;
    } catch (RuntimeException failure) {
      text = "not read: " + failure;
    }
    return text.length() > MAX_OF_A_VALUE ? text.substring(0, MAX_OF_A_VALUE - 1) + "…" : text;
  }

  static boolean hasFields(ObjectReference object) {
    for (Field field : object.referenceType().allFields()) if (!field.isStatic()) return true;
    return false;
  }

  private String shown(Value value, int depth) {
    if (value == null) return "null";
    if (value instanceof StringReference) return text(((StringReference) value).value());
    if (value instanceof CharValue) return "'" + ((CharValue) value).value() + "'";
    if (value instanceof LongValue) return value + "L";
    if (value instanceof FloatValue) return value + "f";
    if (value instanceof PrimitiveValue) return value.toString();
    if (value instanceof ClassObjectReference) return ((ClassObjectReference) value).reflectedType().name() + ".class";
    ObjectReference object = (ObjectReference) value;
    if (System.nanoTime() > deadline) return nameOf(object) + " {…}";
    if (object instanceof ArrayReference) return array((ArrayReference) object, depth);
    if (isEnum(object)) return enumName(object);
    if (!object.referenceType().name().matches("(java|javax|jdk|sun)\\..*")) {
      String items = container(object, depth);
      return items == null ? fields(object, depth) : nameOf(object) + " " + items;
    }
    String library = null;
    try {
      library = library(object, depth);
    } catch (ClassCastException | NullPointerException other) {
      // This version of Java has other fields.
    }
    // The inside of an object of the library is of little use.
    return library != null ? library : fields(object, Math.min(depth, 1));
  }

  private static String nameOf(ObjectReference object) {
    String name = object.referenceType().name();
    if (name.contains("$$Lambda")) return "lambda";
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static String text(String text) {
    StringBuilder built = new StringBuilder("\"");
    for (char character : text.substring(0, Math.min(text.length(), MAX_OF_A_VALUE)).toCharArray())
      if (character == '"' || character == '\\') built.append('\\').append(character);
      else if (character == '\n') built.append("\\n");
      else if (character == '\t') built.append("\\t");
      else if (character == '\r') built.append("\\r");
      else if (character < ' ') built.append(String.format("\\u%04x", (int) character));
      else built.append(character);
    return built.append('"').toString();
  }

  private static boolean isEnum(ObjectReference object) {
    if (!(object.referenceType() instanceof ClassType)) return false;
    ClassType type = (ClassType) object.referenceType();
    // A constant with members of its own has a class of its own.
    return type.isEnum() || (type.superclass() != null && type.superclass().isEnum());
  }

  private static String enumName(ObjectReference object) {
    return ((StringReference) get(object, "name")).value();
  }

  private String array(ArrayReference array, int depth) {
    if (depth == 0) return nameOf(array).replace("[]", "[" + array.length() + "]");
    int shown = Math.min(array.length(), MAX_ITEMS);
    return "[" + joined(shown == 0 ? List.of() : array.getValues(0, shown), array.length(), depth) + "]";
  }

  private String joined(List<? extends Value> items, int size, int depth) {
    List<String> texts = new ArrayList<>();
    for (Value item : items) texts.add(shown(item, depth - 1));
    if (size > items.size()) texts.add("… " + (size - items.size()) + " more");
    return String.join(", ", texts);
  }

  private String fields(ObjectReference object, int depth) {
    List<Field> own = new ArrayList<>();
    for (Field field : object.referenceType().allFields()) if (!field.isStatic()) own.add(field);
    if (own.isEmpty() || depth == 0) return nameOf(object) + (own.isEmpty() ? " {}" : " {…}");
    List<String> texts = new ArrayList<>();
    for (Field field : own.subList(0, Math.min(own.size(), MAX_FIELDS)))
      texts.add(field.name() + ": " + shown(object.getValue(field), depth - 1));
    if (own.size() > MAX_FIELDS) texts.add("… " + (own.size() - MAX_FIELDS) + " more");
    return nameOf(object) + " {" + String.join(", ", texts) + "}";
  }

  private static Value get(ObjectReference object, String name) {
    Field field = object.referenceType().fieldByName(name);
    return field == null ? null : object.getValue(field);
  }

  private static int whole(ObjectReference object, String name) {
    return ((PrimitiveValue) get(object, name)).intValue();
  }

  /** Shows an object of a class of Java itself as its `toString` would. Null for classes that are not known. */
  private String library(ObjectReference object, int depth) {
    String name = object.referenceType().name();
    switch (name) {
      case "java.lang.Integer": case "java.lang.Long": case "java.lang.Short": case "java.lang.Byte":
      case "java.lang.Double": case "java.lang.Float": case "java.lang.Boolean": case "java.lang.Character":
      case "java.util.concurrent.atomic.AtomicInteger": case "java.util.concurrent.atomic.AtomicLong":
      case "java.util.concurrent.atomic.AtomicReference":
        return shown(get(object, "value"), depth);
      case "java.util.concurrent.atomic.AtomicBoolean":
        return String.valueOf(whole(object, "value") != 0);
      case "java.lang.StringBuilder": case "java.lang.StringBuffer":
        return builder(object);
      case "java.math.BigInteger":
        return bigInteger(object).toString();
      case "java.math.BigDecimal":
        return bigDecimal(object);
      case "java.util.Optional":
        return get(object, "value") == null ? "Optional.empty" : "Optional[" + shown(get(object, "value"), depth) + "]";
      case "java.time.LocalDate":
        return date(object);
      case "java.time.LocalTime":
        return time(object);
      case "java.time.LocalDateTime":
        return date((ObjectReference) get(object, "date")) + "T" + time((ObjectReference) get(object, "time"));
      case "java.util.regex.Pattern":
        return "/" + ((StringReference) get(object, "pattern")).value() + "/";
      case "java.io.File":
        return shown(get(object, "path"), depth);
      case "java.util.UUID":
        return new java.util.UUID(longOf(object, "mostSigBits"), longOf(object, "leastSigBits")).toString();
      default:
        if (Containers.isThrowable(object)) return throwable(object);
        String items = container(object, depth);
        return items != null && depth == 0 ? nameOf(object) + " " + items : items;
    }
  }

  private static long longOf(ObjectReference object, String name) {
    return ((PrimitiveValue) get(object, name)).longValue();
  }

  private static String date(ObjectReference date) {
    return String.format("%04d-%02d-%02d", whole(date, "year"), whole(date, "month"), whole(date, "day"));
  }

  private static String time(ObjectReference time) {
    int hour = whole(time, "hour");
    return LocalTime.of(hour, whole(time, "minute"), whole(time, "second"), whole(time, "nano")).toString();
  }

  private String throwable(ObjectReference object) {
    Value message = get(object, "detailMessage");
    return nameOf(object) + (message == null ? "" : ": " + ((StringReference) message).value());
  }

  private static byte[] bytes(ArrayReference array, int most) {
    int length = Math.min(array.length(), most);
    byte[] bytes = new byte[length];
    if (length > 0)
      for (int at = 0; at < length; at += 1) bytes[at] = ((PrimitiveValue) array.getValue(at)).byteValue();
    return bytes;
  }

  private static String builder(ObjectReference object) {
    boolean isWide = whole(object, "coder") != 0;
    int length = Math.min(whole(object, "count"), 100) * (isWide ? 2 : 1);
    byte[] bytes = bytes((ArrayReference) get(object, "value"), length);
    if (!isWide) return text(new String(bytes, StandardCharsets.ISO_8859_1));
    boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return text(new String(bytes, isLittle ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE));
  }

  private static BigInteger bigInteger(ObjectReference object) {
    BigInteger magnitude = BigInteger.ZERO;
    for (Value part : ((ArrayReference) get(object, "mag")).getValues())
      magnitude = magnitude.shiftLeft(32).or(BigInteger.valueOf(((PrimitiveValue) part).intValue() & 0xffff_ffffL));
    return whole(object, "signum") < 0 ? magnitude.negate() : magnitude;
  }

  private static String bigDecimal(ObjectReference object) {
    Value big = get(object, "intVal");
    BigInteger unscaled = big == null ? BigInteger.valueOf(longOf(object, "intCompact"))
        : bigInteger((ObjectReference) big);
    return new BigDecimal(unscaled, whole(object, "scale")).toString();
  }

  private String container(ObjectReference object, int depth) {
    Containers found = Containers.of(object, MAX_ITEMS);
    if (found == null) return null;
    if (depth == 0) return "(" + found.size + ")";
    if (found.values == null) return "[" + joined(found.items, found.size, depth) + "]";
    List<String> texts = new ArrayList<>();
    for (int at = 0; at < found.items.size(); at += 1)
      texts.add(shown(found.items.get(at), depth - 1) + "=" + shown(found.values.get(at), depth - 1));
    if (found.size > texts.size()) texts.add("… " + (found.size - texts.size()) + " more");
    return "{" + String.join(", ", texts) + "}";
  }
}
