/** What the runners of JUnit share: they write one JSON object a line, with the files of the stack's classes. */
const COMMON = String.raw`
  static final StringBuilder LINES = new StringBuilder();
  static java.nio.file.Path report;
  static String[] roots;

  static String quoted(Object value) {
    String text = String.valueOf(value);
    if (text.length() > 20000) text = text.substring(0, 20000);
    StringBuilder built = new StringBuilder("\"");
    for (char each : text.toCharArray()) {
      if (each == '"' || each == '\\') built.append('\\').append(each);
      else if (each < ' ' || each > '~') built.append(String.format("\\u%04x", (int) each));
      else built.append(each);
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
    for (Throwable each = error.getCause(); each != null && causes.size() < 5; each = each.getCause())
      causes.add("{\"type\":" + quoted(typeOf(each)) + ",\"message\":" + quoted(messageOf(each)) + "}");
    return "[" + String.join(",", causes) + "]";
  }

  static Object got(Throwable error, String getter) throws ReflectiveOperationException {
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
          isDefined = (Boolean) got(error, "isExpectedDefined") && (Boolean) got(error, "isActualDefined");
      if (isDefined && error instanceof AssertionError) {
        expected = got(error, "getExpected");
        actual = got(error, "getActual");
        if (expected != null && expected.getClass().getName().startsWith("org.opentest4j.")) {
          expected = expected.getClass().getMethod("getStringRepresentation").invoke(expected);
          actual = actual.getClass().getMethod("getStringRepresentation").invoke(actual);
        }
      }
    } catch (ReflectiveOperationException | ClassCastException ignored) {
      expected = null;
    }
    if (expected == null && error instanceof AssertionError) {
      java.util.regex.Matcher said = java.util.regex.Pattern
          .compile("expected:<(.*)> but was:<(.*)>", java.util.regex.Pattern.DOTALL)
          .matcher(messageOf(error));
      if (said.find()) {
        expected = said.group(1);
        actual = said.group(2);
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
    for (String each : path) names.add(quoted(each));
    String line = "{\"path\":[" + String.join(",", names) + "],\"status\":\"" + status + "\"" + more + "}\n";
    try {
      java.nio.file.Files.write(report, line.getBytes(java.nio.charset.StandardCharsets.UTF_8),
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
    for (Class<?> each = type; each != null; each = each.getEnclosingClass()) names.addFirst(each.getSimpleName());
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
    try {
      run(Class.forName(args[2]), args[3]);
    } catch (Throwable error) {
      loadError(error);
    }
    // A test may leave threads behind.
    System.exit(0);
  }
`;

/** Runs one method through the engines of the JUnit Platform: its launcher is not in every class path. */
export const JUNIT5_RUNNER = String.raw`
import java.util.*;
import org.junit.platform.engine.*;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.*;

@SuppressWarnings("deprecation")
public class AgentDebuggerRunner {
${COMMON}
  static class Parameters implements ConfigurationParameters {
    final Properties properties = new Properties();

    Parameters() throws java.io.IOException {
      try (java.io.InputStream file = ClassLoader.getSystemResourceAsStream("junit-platform.properties")) {
        if (file != null) properties.load(file);
      }
      // A test that is stopped takes as long as it takes.
      properties.setProperty("junit.jupiter.execution.timeout.mode", "disabled_on_debug");
      properties.setProperty("junit.jupiter.execution.parallel.enabled", "false");
    }

    public Optional<String> get(String key) {
      return Optional.ofNullable(properties.getProperty(key, System.getProperty(key)));
    }

    public Optional<Boolean> getBoolean(String key) {
      return get(key).map(Boolean::parseBoolean);
    }

    public int size() {
      return properties.size();
    }

    public Set<String> keySet() {
      return properties.stringPropertyNames();
    }
  }

  static class Wanted implements EngineDiscoveryRequest {
    final List<DiscoverySelector> selectors = new ArrayList<>();
    final Parameters parameters;

    Wanted(Class<?> type, String method) throws java.io.IOException {
      parameters = new Parameters();
      for (Class<?> each = type; each != null; each = each.getSuperclass())
        for (java.lang.reflect.Method one : each.getDeclaredMethods())
          if (one.getName().equals(method) && !one.isSynthetic())
            selectors.add(DiscoverySelectors.selectMethod(type, one));
    }

    public <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type) {
      List<T> found = new ArrayList<>();
      for (DiscoverySelector each : selectors) if (type.isInstance(each)) found.add(type.cast(each));
      return found;
    }

    public <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type) {
      return List.of();
    }

    public ConfigurationParameters getConfigurationParameters() {
      return parameters;
    }
  }

  static class Listener implements EngineExecutionListener {
    public void dynamicTestRegistered(TestDescriptor test) {}

    public void reportingEntryPublished(TestDescriptor test, org.junit.platform.engine.reporting.ReportEntry entry) {}

    public void executionStarted(TestDescriptor test) {}

    public void executionSkipped(TestDescriptor test, String reason) {
      write(pathOf(test), "skipped", ",\"reason\":" + quoted(reason));
    }

    public void executionFinished(TestDescriptor test, TestExecutionResult result) {
      Throwable error = result.getThrowable().orElse(null);
      switch (result.getStatus()) {
        case ABORTED:
          write(pathOf(test), "skipped", ",\"reason\":" + quoted(error == null ? "" : messageOf(error)));
          break;
        case FAILED:
          failed(pathOf(test), test.isTest() ? "failed" : "errored", error);
          break;
        default:
          if (test.isTest()) write(pathOf(test), "passed", "");
      }
    }
  }

  static List<String> pathOf(TestDescriptor test) {
    TestSource source = test.getSource().orElse(null);
    if (source instanceof ClassSource) return namesOf(((ClassSource) source).getJavaClass());
    TestDescriptor parent = test.getParent().orElse(null);
    if (parent == null) return List.of();
    boolean isMethod = source instanceof MethodSource && !(parent.getSource().orElse(null) instanceof MethodSource);
    return with(pathOf(parent), isMethod ? ((MethodSource) source).getMethodName() : test.getDisplayName());
  }

  /** From version 1.13 on, engines need a store, which older ones do not have. */
  static ExecutionRequest requestOf(TestDescriptor root, Parameters parameters) throws ReflectiveOperationException {
    EngineExecutionListener listener = new Listener();
    for (java.lang.reflect.Method each : ExecutionRequest.class.getMethods()) {
      if (!each.getName().equals("create") || each.getParameterCount() < 5) continue;
      Object[] values = new Object[each.getParameterCount()];
      values[0] = root;
      values[1] = listener;
      values[2] = parameters;
      Class<?> store = each.getParameterTypes()[4];
      values[4] = store.getConstructors()[0].newInstance((Object) null);
      return (ExecutionRequest) each.invoke(null, values);
    }
    return new ExecutionRequest(root, listener, parameters);
  }

  static void run(Class<?> type, String method) throws Exception {
    Wanted wanted = new Wanted(type, method);
    for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
      TestDescriptor root = engine.discover(wanted, UniqueId.forEngine(engine.getId()));
      if (!root.getChildren().isEmpty()) engine.execute(requestOf(root, wanted.parameters));
    }
  }
}
`;

/** Runs one method with JUnit 4. */
export const JUNIT4_RUNNER = String.raw`
import java.util.List;
import org.junit.runner.*;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.*;

public class AgentDebuggerRunner {
${COMMON}
  static List<String> pathOf(Description test) {
    List<String> names = test.getTestClass() == null ? List.of() : namesOf(test.getTestClass());
    String method = test.getMethodName();
    if (method == null) return names;
    int row = method.indexOf('[');
    return row < 0 ? with(names, method) : with(with(names, method.substring(0, row)), method.substring(row));
  }

  static boolean isMeant(Description test, String method) {
    if (test.isTest()) return test.getMethodName() != null && test.getMethodName().split("\\[")[0].equals(method);
    return test.getChildren().stream().anyMatch(each -> isMeant(each, method));
  }

  static class Listener extends RunListener {
    private Description last;

    public void testFailure(Failure failure) {
      last = failure.getDescription();
      failed(pathOf(last), last.isTest() ? "failed" : "errored", failure.getException());
    }

    public void testAssumptionFailure(Failure failure) {
      last = failure.getDescription();
      write(pathOf(last), "skipped", ",\"reason\":" + quoted(messageOf(failure.getException())));
    }

    public void testIgnored(Description test) {
      org.junit.Ignore why = test.getAnnotation(org.junit.Ignore.class);
      write(pathOf(test), "skipped", ",\"reason\":" + quoted(why == null ? "" : why.value()));
    }

    public void testFinished(Description test) {
      if (!test.equals(last)) write(pathOf(test), "passed", "");
    }
  }

  static void run(Class<?> type, String method) {
    Request request = Request.aClass(type).filterWith(new Filter() {
      public boolean shouldRun(Description test) {
        return isMeant(test, method);
      }

      public String describe() {
        return method;
      }
    });
    // Without such a test, the runner is one that reports an error.
    if (!isMeant(request.getRunner().getDescription(), method)) return;
    JUnitCore core = new JUnitCore();
    core.addListener(new Listener());
    core.run(request);
  }
}
`;

/** The file of a runner in the scratch folder. */
export const JUNIT_RUNNER_FILE = 'AgentDebuggerRunner.java';
