package agentdebugger;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.reporting.ReportEntry;

/**
 * Runs tests by the engines of the JUnit Platform, where its launcher is neither in the class path nor beside the
 * engine. What newer versions ask for is found by reflection.
 */
final class JUnit5Engines extends Platform {
  private final Parameters parameters = new Parameters();

  @Override
  void discover(List<DiscoverySelector> selectors) throws Exception {
    find(selectors, false);
  }

  @Override
  void execute(List<DiscoverySelector> selectors) throws Exception {
    find(selectors, true);
  }

  private void find(List<DiscoverySelector> selectors, boolean isRun) throws Exception {
    if (isDebugged) parameters.properties.setProperty("junit.jupiter.execution.timeout.mode", "disabled");
    for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
      UniqueId id = UniqueId.forEngine(engine.getId());
      TestDescriptor root = engine.discover(requestFor(selectors), id);
      if (!root.getDescendants().stream().anyMatch(TestDescriptor::mayRegisterTests)
          && !root.getDescendants().stream().anyMatch(TestDescriptor::isTest)) continue;
      if (isRun) engine.execute(executionOf(root));
      else add(root);
    }
  }

  private void add(TestDescriptor test) {
    nodeOf(test);
    for (TestDescriptor child : test.getChildren()) add(child);
  }

  private Node nodeOf(TestDescriptor test) {
    String parent = test.getParent().map(each -> each.getUniqueId().toString()).orElse(null);
    return planned(test.getUniqueId().toString(), parent, test.getDisplayName(), test.getLegacyReportingName(),
        test.getSource().orElse(null), test.isTest());
  }

  private EngineDiscoveryRequest requestFor(List<DiscoverySelector> selectors) {
    return proxy(EngineDiscoveryRequest.class, (self, method, args) -> {
      switch (method.getName()) {
        case "getSelectorsByType":
          List<Object> found = new ArrayList<>();
          Class<?> type = (Class<?>) args[0];
          for (DiscoverySelector selector : selectors) if (type.isInstance(selector)) found.add(selector);
          return found;
        case "getFiltersByType":
          return List.of();
        case "getConfigurationParameters":
          return parameters;
        default:
          return neutral(method.getReturnType());
      }
    });
  }

  /** Returns an object of a type of the platform that does nothing, for what this version asks. */
  private static Object neutral(Class<?> type) throws ReflectiveOperationException {
    if (type.getSimpleName().startsWith("OutputDirectory"))
      return proxy(type, (self, method, args) -> Files.createTempDirectory("junit"));
    if (type.getSimpleName().equals("NamespacedHierarchicalStore")) {
      // The store of a request is inside that of its session.
      java.lang.reflect.Constructor<?> constructor = type.getConstructor(type);
      return constructor.newInstance(constructor.newInstance((Object) null));
    }
    for (String name : new String[] {"NOOP", "DEFAULT"})
      try {
        return type.getField(name).get(null);
      } catch (NoSuchFieldException next) {
        // Another one may be there.
      }
    for (String name : new String[] {"disabled", "create"})
      try {
        return type.getMethod(name).invoke(null);
      } catch (NoSuchMethodException next) {
        // Another one may be there.
      }
    throw new NoSuchMethodException("this version of JUnit asks for " + type.getName());
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    InvocationHandler all = (self, method, args) -> {
      if (method.getDeclaringClass() != Object.class) return handler.invoke(self, method, args);
      if (method.getName().equals("equals")) return self == args[0];
      return method.getName().equals("hashCode") ? (Object) System.identityHashCode(self) : type.getSimpleName();
    };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, all));
  }

  private ExecutionRequest executionOf(TestDescriptor root) throws ReflectiveOperationException {
    Method factory = null;
    for (Method method : ExecutionRequest.class.getMethods())
      if (method.getName().equals("create")
          && (factory == null || method.getParameterCount() > factory.getParameterCount())) factory = method;
    if (factory == null) return new ExecutionRequest(root, new Listener(), parameters);
    Object[] values = new Object[factory.getParameterCount()];
    for (int at = 0; at < values.length; at += 1) {
      Class<?> type = factory.getParameterTypes()[at];
      if (type == TestDescriptor.class) values[at] = root;
      else if (type == EngineExecutionListener.class) values[at] = new Listener();
      else if (type == ConfigurationParameters.class) values[at] = parameters;
      else values[at] = neutral(type);
    }
    try {
      return (ExecutionRequest) factory.invoke(null, values);
    } catch (InvocationTargetException error) {
      throw new IllegalStateException(error.getCause());
    }
  }

  private final class Listener implements EngineExecutionListener {
    @Override
    public void dynamicTestRegistered(TestDescriptor test) {
      nodeOf(test);
    }

    @Override
    public void reportingEntryPublished(TestDescriptor test, ReportEntry entry) {}

    @Override
    public void executionStarted(TestDescriptor test) {
      begin(nodeOf(test));
    }

    @Override
    public void executionSkipped(TestDescriptor test, String reason) {
      skip(nodeOf(test), reason);
    }

    @Override
    public void executionFinished(TestDescriptor test, TestExecutionResult result) {
      finish(nodeOf(test), result);
    }
  }

  private static final class Parameters implements ConfigurationParameters {
    final Properties properties = new Properties();

    Parameters() {
      try (InputStream file = ClassLoader.getSystemResourceAsStream("junit-platform.properties")) {
        if (file != null) properties.load(file);
      } catch (IOException ignored) {
        // The defaults apply.
      }
      properties.setProperty("junit.jupiter.execution.parallel.enabled", "false");
    }

    @Override
    public Optional<String> get(String key) {
      return Optional.ofNullable(properties.getProperty(key, System.getProperty(key)));
    }

    @Override
    public Optional<Boolean> getBoolean(String key) {
      return get(key).map(Boolean::parseBoolean);
    }

    public int size() {
      return properties.size();
    }

    @Override
    public Set<String> keySet() {
      return properties.stringPropertyNames();
    }
  }
}
