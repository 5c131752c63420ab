import { JUNIT_COMMON } from './junitCommon';

/**
 * Runs one method by means of the engines of the JUnit Platform, because the launcher of the platform is not in every
 * class path.
 */
export const JUNIT5_RUNNER = String.raw`
import java.util.*;
import org.junit.platform.engine.*;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.*;

@SuppressWarnings("deprecation")
public class AgentDebuggerRunner {
${JUNIT_COMMON}
  static class Parameters implements ConfigurationParameters {
    final Properties properties = new Properties();

    Parameters() throws java.io.IOException {
      try (java.io.InputStream file = ClassLoader.getSystemResourceAsStream("junit-platform.properties")) {
        if (file != null) properties.load(file);
      }
      // A test that is stopped in the debugger must not time out.
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

  static class MethodRequest implements EngineDiscoveryRequest {
    final List<DiscoverySelector> selectors = new ArrayList<>();
    final Parameters parameters;

    MethodRequest(Class<?> type, String method) throws java.io.IOException {
      parameters = new Parameters();
      for (Class<?> owner = type; owner != null; owner = owner.getSuperclass())
        for (java.lang.reflect.Method candidate : owner.getDeclaredMethods())
          if (candidate.getName().equals(method) && !candidate.isSynthetic())
            selectors.add(DiscoverySelectors.selectMethod(type, candidate));
    }

    public <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type) {
      List<T> found = new ArrayList<>();
      for (DiscoverySelector selector : selectors) if (type.isInstance(selector)) found.add(type.cast(selector));
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

  /** From version 1.13 on, engines need a store; older versions have none. */
  static ExecutionRequest requestOf(TestDescriptor root, Parameters parameters) throws ReflectiveOperationException {
    EngineExecutionListener listener = new Listener();
    for (java.lang.reflect.Method factory : ExecutionRequest.class.getMethods()) {
      if (!factory.getName().equals("create") || factory.getParameterCount() < 5) continue;
      Object[] values = new Object[factory.getParameterCount()];
      values[0] = root;
      values[1] = listener;
      values[2] = parameters;
      Class<?> store = factory.getParameterTypes()[4];
      values[4] = store.getConstructors()[0].newInstance((Object) null);
      return (ExecutionRequest) factory.invoke(null, values);
    }
    return new ExecutionRequest(root, listener, parameters);
  }

  static void run(Class<?> type, String method) throws Exception {
    MethodRequest request = new MethodRequest(type, method);
    for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
      TestDescriptor root = engine.discover(request, UniqueId.forEngine(engine.getId()));
      if (!root.getChildren().isEmpty()) engine.execute(requestOf(root, request.parameters));
    }
  }
}
`;
