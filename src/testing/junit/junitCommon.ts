/** The file name of a runner in the scratch folder. */
export const JUNIT_RUNNER_FILE = 'AgentDebuggerRunner.java';

/**
 * The code that the JUnit runners share. They write one JSON object per line, with the source files of the classes on
 * the stack.
 */
export const JUNIT_COMMON = String.raw`
  static final StringBuilder LINES = new StringBuilder();
  static java.nio.file.Path report;
  static String[] roots;

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

  static String typeOf(Throwable error) {
    String name = error.getClass().getName();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  static String messageOf(Throwable error) {
    return error.getMessage() == null ? "" : error.getMessage();
  }

  static String fileOf(StackTraceElement frame) {
    if (frame.getFileName() == null) return null;
    int end = frame.getClassName().lastIndexOf('.');
    String folder = end < 0 ? "" : frame.getClassName().substring(0, end).replace('.', '/') + "/";
    for (String root : roots) {
      java.nio.file.Path file = java.nio.file.Paths.get(root, folder + frame.getFileName());
      if (java.nio.file.Files.exists(file)) return file.toString();
    }
    return null;
  }

  static String framesOf(Throwable error) {
    java.util.List<String> frames = new java.util.ArrayList<>();
    for (StackTraceElement frame : error.getStackTrace()) {
      String file = fileOf(frame);
      if (file == null || frame.getLineNumber() < 1 || frames.size() >= 60) continue;
      String type = frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
      frames.add("{\"path\":" + quoted(file) + ",\"line\":" + frame.getLineNumber()
          + ",\"name\":" + quoted(type + "." + frame.getMethodName()) + "}");
    }
    return "[" + String.join(",", frames) + "]";
  }

  static String causesOf(Throwable error) {
    java.util.List<String> causes = new java.util.ArrayList<>();
    for (Throwable cause = error.getCause(); cause != null && causes.size() < 5; cause = cause.getCause())
      causes.add("{\"type\":" + quoted(typeOf(cause)) + ",\"message\":" + quoted(messageOf(cause)) + "}");
    return "[" + String.join(",", causes) + "]";
  }

  static Object valueOf(Throwable error, String getter) throws ReflectiveOperationException {
    return error.getClass().getMethod(getter).invoke(error);
  }

  /** The values of org.opentest4j.AssertionFailedError, of JUnit 4's ComparisonFailure, or in the message. */
  static String valuesOf(Throwable error) {
    Object expected = null;
    Object actual = null;
    try {
      boolean isDefined = true;
      for (Class<?> type = error.getClass(); type != null; type = type.getSuperclass())
        if (type.getName().equals("org.opentest4j.AssertionFailedError"))
          isDefined = (Boolean) valueOf(error, "isExpectedDefined") && (Boolean) valueOf(error, "isActualDefined");
      if (isDefined && error instanceof AssertionError) {
        expected = valueOf(error, "getExpected");
        actual = valueOf(error, "getActual");
        if (expected != null && expected.getClass().getName().startsWith("org.opentest4j.")) {
          expected = expected.getClass().getMethod("getStringRepresentation").invoke(expected);
          actual = actual.getClass().getMethod("getStringRepresentation").invoke(actual);
        }
      }
    } catch (ReflectiveOperationException | ClassCastException ignored) {
      expected = null;
    }
    if (expected == null && error instanceof AssertionError) {
      java.util.regex.Matcher matcher = java.util.regex.Pattern
          .compile("expected:<(.*)> but was:<(.*)>", java.util.regex.Pattern.DOTALL)
          .matcher(messageOf(error));
      if (matcher.find()) {
        expected = matcher.group(1);
        actual = matcher.group(2);
      }
    }
    if (expected == null || actual == null) return "";
    return ",\"expected\":" + quoted(expected) + ",\"actual\":" + quoted(actual);
  }

  static String errorOf(Throwable error) {
    return "{\"type\":" + quoted(typeOf(error)) + ",\"message\":" + quoted(messageOf(error))
        + ",\"frames\":" + framesOf(error) + ",\"causes\":" + causesOf(error) + valuesOf(error) + "}";
  }

  static void write(java.util.List<String> path, String status, String more) {
    java.util.List<String> names = new java.util.ArrayList<>();
    for (String name : path) names.add(quoted(name));
    append("{\"path\":[" + String.join(",", names) + "],\"status\":\"" + status + "\"" + more + "}");
  }

  static void append(String line) {
    try {
      java.nio.file.Files.write(report, (line + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8),
          java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
    } catch (java.io.IOException error) {
      throw new java.io.UncheckedIOException(error);
    }
  }

  static void failed(java.util.List<String> path, String status, Throwable error) {
    write(path, status, ",\"error\":" + errorOf(error));
  }

  static void loadError(Throwable error) {
    write(java.util.List.of(), "errored", ",\"loadError\":" + errorOf(error));
  }

  static java.util.List<String> namesOf(Class<?> type) {
    java.util.LinkedList<String> names = new java.util.LinkedList<>();
    for (Class<?> outer = type; outer != null; outer = outer.getEnclosingClass()) names.addFirst(outer.getSimpleName());
    return names;
  }

  static java.util.List<String> with(java.util.List<String> path, String name) {
    java.util.List<String> longer = new java.util.ArrayList<>(path);
    longer.add(name);
    return longer;
  }

  /** @param args the report, the folders of sources, a class and a method */
  public static void main(String[] args) {
    report = java.nio.file.Paths.get(args[0]);
    roots = args[1].split(java.io.File.pathSeparator);
    Thread early = new Thread(() -> append("{\"exited\":null}"));
    // A test may end the process.
    Runtime.getRuntime().addShutdownHook(early);
    try {
      run(Class.forName(args[2]), args[3]);
    } catch (Throwable error) {
      loadError(error);
    }
    Runtime.getRuntime().removeShutdownHook(early);
    // A test may leave threads behind.
    System.exit(0);
  }
`;
