package agentdebugger;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Ignore;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs tests with JUnit 4. */
final class JUnit4 extends Runner {
  private static final String INVALID = "initializationError";

  private final Map<Description, Node> nodes = new LinkedHashMap<>();
  private final Set<Node> chosen = new LinkedHashSet<>();

  @Override
  protected void run(List<Class<?>> types) {
    Set<String> inside = new LinkedHashSet<>();
    List<Class<?>> roots = new ArrayList<>();
    for (Class<?> type : types) {
      if (inside.contains(type.getName()) || Modifier.isAbstract(type.getModifiers())) continue;
      Description root = Request.aClass(type).getRunner().getDescription();
      add(root, null);
      roots.add(type);
      for (Node node : nodes.values()) if (node.type != null) inside.add(node.type);
    }
    choose();
    if (chosen.isEmpty()) return;
    Hooks.started();
    for (Class<?> type : roots) {
      Request request = Request.aClass(type);
      if (!isRequested(request.getRunner().getDescription())) continue;
      JUnitCore core = new JUnitCore();
      core.addListener(new Listener());
      core.run(request.filterWith(new Chosen()));
    }
  }

  private void add(Description test, Node parent) {
    Node node = nodeOf(test, parent);
    nodes.putIfAbsent(test, node);
    for (Description child : test.getChildren()) add(child, node);
  }

  private static Node nodeOf(Description test, Node parent) {
    String name = test.getDisplayName();
    String method = test.getMethodName();
    if (test.isSuite()) {
      Class<?> type = test.getTestClass();
      boolean isRow = type == null || (parent != null && type.getName().equals(parent.type));
      return isRow ? Node.ofRow(name, parent, false, name) : Node.ofClass(name, parent, type, name);
    }
    if (method == null) return Node.ofRow(name, parent, true, name);
    // A row is written behind the name of its method. JUnit itself has the methods inside the rows.
    int row = method.indexOf('[');
    if (row < 0) return Node.ofMethod(name, parent, true, method, name);
    Node type = parent != null && parent.type == null ? parent.parent : parent;
    Node group = Node.ofMethod(name, type, false, method.substring(0, row));
    return Node.ofRow(name, group, true, method.substring(row), method);
  }

  private void choose() {
    List<Node> named = new ArrayList<>();
    for (Node node : nodes.values()) {
      boolean isRow = node.parent != null && node.parent.method != null;
      if (node.isNamed(requested) || (isRow && node.parent.isNamed(requested))) named.add(node);
    }
    boolean hasMethods = named.stream().anyMatch(node -> node.method != null);
    for (Node node : named) if (!hasMethods || node.method != null) chosen.add(node);
    // JUnit's own entry for a class that it can't run.
    if (nodes.values().stream().noneMatch(node -> node.isTest && !INVALID.equals(node.method)))
      for (Node node : nodes.values()) if (INVALID.equals(node.method)) chosen.add(node);
  }

  private boolean isRequested(Description test) {
    Node node = nodes.get(test);
    if (test.isTest()) return node != null && node.isIn(chosen);
    return test.getChildren().stream().anyMatch(this::isRequested);
  }

  private final class Chosen extends Filter {
    @Override
    public boolean shouldRun(Description test) {
      return isRequested(test);
    }

    @Override
    public String describe() {
      return requested;
    }
  }

  private final class Listener extends RunListener {
    private final Map<Description, Long> started = new HashMap<>();
    private final Set<Description> bad = new LinkedHashSet<>();

    private Node node(Description test) {
      return nodes.computeIfAbsent(test, each -> nodeOf(each, null));
    }

    @Override
    public void testStarted(Description test) {
      started.put(test, System.nanoTime());
    }

    @Override
    public void testFailure(Failure failure) {
      Description test = failure.getDescription();
      bad.add(test);
      Report.failed(node(test), timeOf(test), failure.getException());
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
      bad.add(failure.getDescription());
      Report.skipped(node(failure.getDescription()), Report.messageOf(failure.getException()));
    }

    @Override
    public void testIgnored(Description test) {
      Ignore annotation = test.getAnnotation(Ignore.class);
      Report.skipped(node(test), annotation == null ? "" : annotation.value());
    }

    @Override
    public void testFinished(Description test) {
      if (!bad.contains(test)) Report.result(node(test), "passed", timeOf(test), "");
    }

    private long timeOf(Description test) {
      Long from = started.get(test);
      return from == null ? -1 : System.nanoTime() - from;
    }
  }
}
