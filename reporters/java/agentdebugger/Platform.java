package agentdebugger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** Runs tests on the JUnit Platform: finds the requested ones in its plan, and reports only them. */
abstract class Platform extends Runner {
  /** The last part of a name that counts rows: what is before the number, the number, and the text after it. */
  private static final Pattern ROW = Pattern.compile("^(.*?)\\.?\\[(\\d+)](?=[^\\[]*$)(.*)$", Pattern.DOTALL);
  /** The groups whose tests are known only when they run, and the kind of these tests. */
  private static final Map<String, String> ROWS = Map.of("test-template", "test-template-invocation", "test-factory",
      "dynamic-test", "class-template", "class-template-invocation");
  private static final Pattern OF_ROW = Pattern.compile("/\\[[a-z-]+-invocation:#\\d+]");

  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, Long> started = new HashMap<>();
  private final Set<Node> chosen = new LinkedHashSet<>();
  /** The groups one of whose tests is requested, whose name is known only when it runs. */
  private final Set<Node> tables = new LinkedHashSet<>();
  private String row;

  /** Finds the tests, and calls {@link #planned} for each and for each group, the outer ones first. */
  abstract void discover(List<DiscoverySelector> selectors) throws Exception;

  abstract void execute(List<DiscoverySelector> selectors) throws Exception;

  @Override
  protected void run(List<Class<?>> types) throws Exception {
    List<DiscoverySelector> classes = new ArrayList<>();
    for (Class<?> type : types) classes.add(DiscoverySelectors.selectClass(type));
    discover(classes);
    List<DiscoverySelector> selectors = select();
    if (selectors.isEmpty()) return;
    Hooks.started();
    execute(selectors);
  }

  private List<DiscoverySelector> select() {
    List<Node> named = new ArrayList<>();
    for (Node node : nodes.values()) if (node.isNamed(requested)) named.add(node);
    boolean hasMethods = named.stream().anyMatch(node -> node.method != null);
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (Node node : named) {
      if (hasMethods && node.method == null) continue;
      chosen.add(node);
      selectors.add(DiscoverySelectors.selectUniqueId(node.id));
    }
    return selectors.isEmpty() ? selectRows() : selectors;
  }

  private List<DiscoverySelector> selectRows() {
    List<DiscoverySelector> selectors = new ArrayList<>();
    Matcher matcher = ROW.matcher(requested);
    if (matcher.matches())
      for (Node node : nodes.values()) {
        String kind = ROWS.get(kindOf(node.id));
        if (kind == null || !isWithin(node, matcher.group(1))) continue;
        tables.add(node);
        selectors.add(DiscoverySelectors.selectUniqueId(node.id + "/[" + kind + ":#" + matcher.group(2) + "]"));
      }
    if (!selectors.isEmpty()) {
      row = matcher.group(3).isEmpty() ? "#" + matcher.group(2) : null;
      return selectors;
    }
    for (Node node : nodes.values())
      if (ROWS.containsKey(kindOf(node.id))) {
        tables.add(node);
        selectors.add(DiscoverySelectors.selectUniqueId(node.id));
      }
    return selectors;
  }

  /** Whether a name is that of a group, or of a group around it. */
  private static boolean isWithin(Node node, String name) {
    if (name.isEmpty()) return true;
    for (Node outer = node; outer != null; outer = outer.parent) if (outer.isNamed(name)) return true;
    return false;
  }

  /** Returns the kind of the last segment of an id such as {@code [engine:junit-jupiter]/[class:p.T]/[method:a()]}. */
  private static String kindOf(String id) {
    int from = id.lastIndexOf("/[") + 2;
    int to = id.indexOf(':', from);
    return from < 2 || to < 0 ? "" : id.substring(from, to);
  }

  private static String numberOf(String id) {
    int from = id.lastIndexOf(":#");
    return from < 0 || id.indexOf("/[", from) >= 0 ? null : id.substring(from + 1, id.length() - 1);
  }

  Node planned(String id, String parentId, String display, String legacy, TestSource source, boolean isTest) {
    Node known = nodes.get(id);
    if (known != null) return known;
    Node node = nodeOf(id, parentId == null ? null : nodes.get(parentId), display, legacy, source, isTest);
    nodes.put(id, node);
    // The plan has a test once, but it runs in each row of its class.
    Node model = nodes.get(OF_ROW.matcher(id).replaceAll(""));
    if (model != null && model.isIn(chosen)) chosen.add(node);
    String number = numberOf(id);
    boolean isOfTable = node.parent != null && node.parent.isIn(tables);
    if (isOfTable && (node.isNamed(requested) || (number != null && number.equals(row)))) chosen.add(node);
    return node;
  }

  private static Node nodeOf(String id, Node parent, String display, String legacy, TestSource source,
      boolean isTest) {
    if (parent == null && source == null) return Node.engine(id);
    String number = numberOf(id);
    if (number != null) return Node.ofRow(id, parent, isTest, display, legacy, "[" + number.substring(1) + "]");
    if (source instanceof ClassSource)
      return Node.ofClass(id, parent, ((ClassSource) source).getJavaClass(), display, legacy);
    if (source instanceof MethodSource && (parent == null || parent.method == null))
      return Node.ofMethod(id, parent, isTest, ((MethodSource) source).getMethodName(), display, legacy);
    return Node.ofRow(id, parent, isTest, display, legacy);
  }

  void begin(Node node) {
    started.put(node.id, System.nanoTime());
  }

  void skip(Node node, String reason) {
    if (isReported(node, true)) Report.skipped(node, reason);
  }

  void finish(Node node, TestExecutionResult result) {
    Throwable error = result.getThrowable().orElse(null);
    boolean isBad = result.getStatus() != TestExecutionResult.Status.SUCCESSFUL;
    if (!isReported(node, isBad)) return;
    Long from = started.remove(node.id);
    long time = from == null ? -1 : System.nanoTime() - from;
    if (result.getStatus() == TestExecutionResult.Status.ABORTED)
      Report.skipped(node, error == null ? "" : Report.messageOf(error));
    else if (isBad) Report.failed(node, time, error == null ? new AssertionError("failed") : error);
    else Report.result(node, "passed", time, "");
  }

  /** The requested tests are reported, and the groups around them whose own code failed or that are skipped. */
  private boolean isReported(Node node, boolean isBad) {
    if (node.isTest) return node.isIn(chosen);
    return isBad && (node.isIn(chosen) || tables.contains(node) || node.isAround(chosen) || node.isAround(tables));
  }
}
