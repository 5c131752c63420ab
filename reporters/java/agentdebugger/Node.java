package agentdebugger;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A test or a group of tests in the plan of JUnit, with all names that runners print for it. */
final class Node {
  private static final String[] SEPARATORS = {" > ", " \u203a ", "::", "#", "$", "/"};

  final String id;
  final Node parent;
  /** The name in reports. Empty for the engine. */
  final String name;
  final Set<String> labels = new LinkedHashSet<>();
  final boolean isTest;
  /** The method of the test. Null for classes. */
  final String method;
  /** Its fully qualified class, if it is a class. */
  final String type;
  final List<Node> children = new ArrayList<>();

  private Node(String id, Node parent, String name, boolean isTest, String method, String type) {
    this.id = id;
    this.parent = parent;
    this.name = name;
    this.isTest = isTest;
    this.method = method;
    this.type = type;
    if (parent != null) parent.children.add(this);
  }

  static Node engine(String id) {
    return new Node(id, null, "", false, null, null);
  }

  static Node ofClass(String id, Node parent, Class<?> type, String... more) {
    Node node = new Node(id, parent, type.getSimpleName(), false, null, type.getName());
    node.add(type.getSimpleName(), type.getName(), type.getName().substring(type.getName().lastIndexOf('.') + 1));
    node.add(more);
    return node;
  }

  static Node ofMethod(String id, Node parent, boolean isTest, String method, String... more) {
    Node node = new Node(id, parent, method, isTest, method, null);
    node.add(method, method + "()");
    node.add(more);
    return node;
  }

  /** A row of a table, a dynamic test, or a group of another engine. */
  static Node ofRow(String id, Node parent, boolean isTest, String name, String... more) {
    Node node = new Node(id, parent, name, isTest, parent == null ? null : parent.method, null);
    node.add(name);
    node.add(more);
    return node;
  }

  private void add(String... names) {
    for (String label : names) if (label != null && !label.isEmpty()) labels.add(normal(label));
  }

  /** Returns a name with a dot for each separator of runners, and parentheses as Maven's reports write them. */
  static String normal(String name) {
    String text = name.trim().replace('{', '(').replace('}', ')').replace(", ", ",");
    for (String separator : SEPARATORS) text = text.replace(separator, ".");
    return text;
  }

  List<String> path() {
    List<String> names = parent == null ? new ArrayList<>() : parent.path();
    // A class inside another class may be selected alone.
    if (type != null && names.isEmpty()) {
      String inner = type.substring(type.lastIndexOf('.') + 1);
      for (String outer : inner.split("\\$")) if (!outer.isEmpty()) names.add(outer);
    } else if (!name.isEmpty()) names.add(name);
    return names;
  }

  /** Whether a name, as `normal` returns it, is the name of this node: its own, with any number of groups before it. */
  boolean isNamed(String text) {
    for (String label : labels) {
      if (text.equals(label)) return true;
      if (parent == null || !text.endsWith(label)) continue;
      String before = text.substring(0, text.length() - label.length());
      // Runners write the number of a row directly behind its method.
      if (before.endsWith(".")) before = before.substring(0, before.length() - 1);
      else if (!label.startsWith("[")) continue;
      if (!before.isEmpty() && parent.isNamed(before)) return true;
    }
    return false;
  }

  /** Whether it is one of these nodes, or is inside one of them. */
  boolean isIn(Set<Node> nodes) {
    for (Node node = this; node != null; node = node.parent) if (nodes.contains(node)) return true;
    return false;
  }

  boolean isAround(Set<Node> nodes) {
    for (Node node : nodes)
      for (Node outer = node.parent; outer != null; outer = outer.parent) if (outer == this) return true;
    return false;
  }

  /** Returns the nodes below this one, and itself. */
  List<Node> all() {
    List<Node> nodes = new ArrayList<>(List.of(this));
    for (Node child : children) nodes.addAll(child.all());
    return nodes;
  }
}
