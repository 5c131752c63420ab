package agentdebugger;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the report: one JSON object per line, with the source files of the classes on the stack. */
final class Report {
  private static final int MAX_FRAMES = 60;
  private static final int MAX_CAUSES = 5;
  private static final int MAX_FURTHER = 20;
  private static final Pattern VALUES = Pattern.compile("expected:\\s?<(.*)> but was:\\s?<(.*)>", Pattern.DOTALL);

  private static final Map<String, String> FILES = new HashMap<>();
  private static Path report;
  private static String[] roots = {};

  private Report() {}

  static void open(String file, String sourceRoots) {
    report = Paths.get(file);
    roots = sourceRoots.split(File.pathSeparator);
  }

  /** Writes a line. The folder of the run may be gone, which must not disturb the test. */
  static synchronized void append(String line) {
    try {
      Files.write(report, (line + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException | RuntimeException ignored) {
      // Nobody reads the report then.
    }
  }

  /** Writes what happened to a test, or to a group of tests whose own code failed. */
  static void result(Node node, String outcome, long nanoseconds, String more) {
    List<String> names = new ArrayList<>();
    for (String name : node.path()) names.add(quoted(name));
    String duration = nanoseconds < 0 ? "" : ",\"durationMs\":" + nanoseconds / 1_000_000;
    append("{\"path\":[" + String.join(",", names) + "],\"status\":\"" + outcome + "\",\"requested\":\""
        + (node.isTest ? "test" : "group") + "\"" + duration + more + "}");
  }

  static void failed(Node node, long nanoseconds, Throwable error) {
    boolean isFailure = node.isTest && !isOfFixture(node, error);
    result(node, isFailure ? "failed" : "errored", nanoseconds, ",\"error\":" + errorOf(error, true));
  }

  static void skipped(Node node, String reason) {
    result(node, "skipped", -1, ",\"reason\":" + quoted(reason == null ? "" : reason));
  }

  static void loadError(Throwable error) {
    append("{\"loadError\":" + errorOf(error, true) + "}");
  }

  static void toolFailure(String message) {
    append("{\"toolFailure\":" + quoted(message) + "}");
  }

  /** Whether an error comes from a method that sets a test up or cleans up after it, and not from the test. */
  private static boolean isOfFixture(Node node, Throwable error) {
    if (node.method == null) return false;
    if (node.method.equals("initializationError")) return true;
    boolean isOfFixture = false;
    for (StackTraceElement frame : error.getStackTrace()) {
      if (frame.getMethodName().equals(node.method)) return false;
      isOfFixture |= fileOf(frame) != null && isFixture(frame);
    }
    return isOfFixture;
  }

  private static boolean isFixture(StackTraceElement frame) {
    try {
      Class<?> type = Class.forName(frame.getClassName(), false, Thread.currentThread().getContextClassLoader());
      for (java.lang.reflect.Method method : type.getDeclaredMethods()) {
        if (!method.getName().equals(frame.getMethodName())) continue;
        for (java.lang.annotation.Annotation annotation : method.getAnnotations())
          if (annotation.annotationType().getSimpleName().matches("(Before|After)(Each|All|Class)?")) return true;
      }
    } catch (ReflectiveOperationException | LinkageError ignored) {
      // Not known.
    }
    return false;
  }

  static String errorOf(Throwable error, boolean isWhole) {
    StringBuilder built = new StringBuilder("{\"type\":" + quoted(typeOf(error)) + ",\"message\":"
        + quoted(messageOf(error)) + framesOf(error) + ",\"causes\":" + causesOf(error) + valuesOf(error));
    if (isWhole) {
      List<String> further = new ArrayList<>();
      for (Throwable other : furtherOf(error)) further.add(errorOf(other, false));
      if (!further.isEmpty()) built.append(",\"further\":[").append(String.join(",", further)).append(']');
    }
    return built.append('}').toString();
  }

  private static String typeOf(Throwable error) {
    String name = error.getClass().getName();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  static String messageOf(Throwable error) {
    try {
      return error.getMessage() == null ? "" : error.getMessage();
    } catch (RuntimeException failure) {
      return "";
    }
  }

  /** Returns the source file of a frame's class, or null if it is not in the project. */
  static String fileOf(StackTraceElement frame) {
    return frame.getFileName() == null ? null : fileOf(frame.getClassName(), frame.getFileName());
  }

  static synchronized String fileOf(String type, String name) {
    int end = type.lastIndexOf('.');
    String source = (end < 0 ? "" : type.substring(0, end).replace('.', '/') + "/") + name;
    return FILES.computeIfAbsent(source, Report::fileIn);
  }

  private static String fileIn(String source) {
    for (String root : roots) {
      Path file = Paths.get(root, source);
      if (Files.exists(file)) return file.toString();
    }
    return null;
  }

  static String frame(String file, int line, String type, String method, String more) {
    String name = type.substring(type.lastIndexOf('.') + 1) + "." + method;
    return "{\"path\":" + quoted(file) + ",\"line\":" + line + ",\"name\":" + quoted(name) + more + "}";
  }

  /** Returns the frames of an error. If it has none in the project, they are those of what caused it. */
  private static String framesOf(Throwable error) {
    Throwable at = error;
    List<String> frames = ownFrames(error, error.getStackTrace());
    String occurrence = Hooks.occurrence();
    for (int depth = 0; frames.isEmpty() && at.getCause() != null && depth < MAX_CAUSES; depth += 1) {
      at = at.getCause();
      frames = ownFrames(at, at.getStackTrace());
    }
    for (Throwable other : error.getSuppressed())
      if (frames.isEmpty()) frames = ownFrames(other, other.getStackTrace());
    String reason = frames.isEmpty() || frames.stream().anyMatch(frame -> frame.contains(",\"variables\":")) ? null
        : Hooks.withoutValues();
    return ",\"frames\":[" + String.join(",", frames) + "]"
        + (reason == null ? "" : ",\"withoutValues\":" + quoted(reason))
        + (at == error && !frames.isEmpty() ? occurrence : "");
  }

  private static List<String> ownFrames(Throwable error, StackTraceElement[] stack) {
    List<String> frames = new ArrayList<>();
    Deque<String[]> values = Hooks.valuesOf(error);
    for (StackTraceElement frame : stack) {
      String file = fileOf(frame);
      if (file == null || frame.getLineNumber() < 1) continue;
      if (frames.size() >= MAX_FRAMES) break;
      String more = Hooks.valuesAt(values, frame);
      frames.add(frame(file, frame.getLineNumber(), frame.getClassName(), frame.getMethodName(), more));
    }
    return frames;
  }

  private static String causesOf(Throwable error) {
    List<String> causes = new ArrayList<>();
    for (Throwable cause = error.getCause(); cause != null && causes.size() < MAX_CAUSES; cause = cause.getCause())
      causes.add("{\"type\":" + quoted(typeOf(cause)) + ",\"message\":" + quoted(messageOf(cause)) + "}");
    return "[" + String.join(",", causes) + "]";
  }

  /** Returns the failures that an error consists of (`assertAll`), and those after it, such as a clean-up's. */
  private static List<Throwable> furtherOf(Throwable error) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Throwable> all = new ArrayList<>(failuresOf(error));
    Collections.addAll(all, error.getSuppressed());
    List<Throwable> further = new ArrayList<>();
    seen.add(error);
    for (Throwable other : all)
      // JUnit interrupts a test whose time is up.
      if (seen.add(other) && further.size() < MAX_FURTHER && !(other instanceof InterruptedException))
        further.add(other);
    return further;
  }

  private static List<Throwable> failuresOf(Throwable error) {
    List<Throwable> failures = new ArrayList<>();
    try {
      for (Object failure : (List<?>) valueOf(error, "getFailures"))
        if (failure instanceof Throwable) failures.add((Throwable) failure);
    } catch (ReflectiveOperationException | ClassCastException ignored) {
      // It is one failure.
    }
    return failures;
  }

  private static Object valueOf(Object object, String getter) throws ReflectiveOperationException {
    return object.getClass().getMethod(getter).invoke(object);
  }

  /** The values of org.opentest4j.AssertionFailedError, of JUnit 4's ComparisonFailure, or in the message. */
  private static String valuesOf(Throwable error) {
    if (!(error instanceof AssertionError) || !failuresOf(error).isEmpty()) return "";
    Object[] values = null;
    try {
      values = keptValues(error);
    } catch (ReflectiveOperationException | ClassCastException ignored) {
      // It has no values.
    }
    if (values == null) {
      Matcher matcher = VALUES.matcher(messageOf(error));
      if (!matcher.find()) return "";
      values = new Object[] {matcher.group(1), matcher.group(2)};
    }
    return ",\"expected\":" + quoted(values[0]) + ",\"actual\":" + quoted(values[1]);
  }

  private static Object[] keptValues(Throwable error) throws ReflectiveOperationException {
    boolean isDefined = true;
    for (Class<?> type = error.getClass(); type != null; type = type.getSuperclass())
      if (type.getName().equals("org.opentest4j.AssertionFailedError"))
        isDefined = (Boolean) valueOf(error, "isExpectedDefined") && (Boolean) valueOf(error, "isActualDefined");
    if (!isDefined) return null;
    Object expected = valueOf(error, "getExpected");
    Object actual = valueOf(error, "getActual");
    if (expected != null && expected.getClass().getName().startsWith("org.opentest4j."))
      return new Object[] {valueOf(expected, "getStringRepresentation"), valueOf(actual, "getStringRepresentation")};
    return expected == null || actual == null ? null : new Object[] {expected, actual};
  }

  static String quoted(Object value) {
    String text = String.valueOf(value);
    if (text.length() > 20000) text = text.substring(0, 20000);
    StringBuilder built = new StringBuilder("\"");
    for (char character : text.toCharArray()) {
      if (character == '"' || character == '\\') built.append('\\').append(character);
      else if (character < ' ' || character > '~') built.append(String.format("\\u%04x", (int) character));
      else built.append(character);
    }
    return built.append('"').toString();
  }
}
