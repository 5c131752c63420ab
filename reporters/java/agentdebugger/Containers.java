package agentdebugger;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/** The items of a collection or a map of Java's library, read from its fields. */
final class Containers {
  private static final String[] WRAPPED = {"c", "list", "m", "map", "s", "ss", "sm", "al", "q"};

  /** The items, or the keys of a map. */
  final List<Value> items = new ArrayList<>();
  /** The values of a map. Null for collections. */
  List<Value> values;
  int size;
  private final int most;

  private Containers(int most) {
    this.most = most;
  }

  static boolean isThrowable(ObjectReference object) {
    return extendsClass(object, "java.lang.Throwable");
  }

  private static boolean extendsClass(ObjectReference object, String name) {
    if (!(object.referenceType() instanceof ClassType)) return false;
    for (ClassType type = (ClassType) object.referenceType(); type != null; type = type.superclass())
      if (type.name().equals(name)) return true;
    return false;
  }

  private static Value get(ObjectReference object, String name) {
    Field field = object.referenceType().fieldByName(name);
    return field == null ? null : object.getValue(field);
  }

  private static int whole(ObjectReference object, String name) {
    return ((PrimitiveValue) get(object, name)).intValue();
  }

  /** Returns the first items of a container. Null if the class is not known. */
  static Containers of(ObjectReference object, int most) {
    Containers found = new Containers(most);
    return found.read(object) ? found : null;
  }

  /** Returns the name of an object's class, or of the class of Java's library that it extends. */
  private static String nameOf(ObjectReference object) {
    if (object.referenceType() instanceof ClassType)
      for (ClassType type = (ClassType) object.referenceType(); type != null; type = type.superclass())
        if (type.name().startsWith("java.util.")) return type.name();
    return object.referenceType().name();
  }

  private boolean read(ObjectReference object) {
    String name = nameOf(object);
    switch (name) {
      case "java.util.ArrayList": case "java.util.Vector": case "java.util.Stack":
        String length = name.endsWith("ArrayList") ? "size" : "elementCount";
        return array((ArrayReference) get(object, "elementData"), whole(object, length));
      case "java.util.Arrays$ArrayList":
        return array((ArrayReference) get(object, "a"), -1);
      case "java.util.ImmutableCollections$ListN":
        return array((ArrayReference) get(object, "elements"), -1);
      case "java.util.concurrent.CopyOnWriteArrayList":
        return array((ArrayReference) get(object, "array"), -1);
      case "java.util.ImmutableCollections$List12": case "java.util.ImmutableCollections$Set12":
        return pair(get(object, "e0"), get(object, "e1"));
      case "java.util.ImmutableCollections$SetN":
        return sparse((ArrayReference) get(object, "elements"), whole(object, "size"));
      case "java.util.ImmutableCollections$Map1": case "java.util.Collections$SingletonMap":
        return entry(get(object, name.endsWith("1") ? "k0" : "k"), get(object, name.endsWith("1") ? "v0" : "v"));
      case "java.util.ImmutableCollections$MapN":
        return flatMap((ArrayReference) get(object, "table"), whole(object, "size"));
      case "java.util.Collections$EmptyList": case "java.util.Collections$EmptySet":
        return true;
      case "java.util.Collections$EmptyMap":
        values = new ArrayList<>();
        return true;
      case "java.util.Collections$SingletonList": case "java.util.Collections$SingletonSet":
        add(get(object, "element"));
        return true;
      case "java.util.LinkedList":
        return linked((ObjectReference) get(object, "first"), "item", "next", whole(object, "size"));
      case "java.util.ArrayDeque":
        return deque(object);
      case "java.util.HashMap":
        return hashMap(object);
      case "java.util.LinkedHashMap":
        return linkedMap((ObjectReference) get(object, "head"), whole(object, "size"));
      case "java.util.TreeMap":
        values = new ArrayList<>();
        size = whole(object, "size");
        tree((ObjectReference) get(object, "root"));
        return true;
      case "java.util.concurrent.ConcurrentHashMap":
        return concurrentMap(object);
      case "java.util.HashSet": case "java.util.LinkedHashSet":
        return keysOf((ObjectReference) get(object, "map"));
      case "java.util.TreeSet":
        return keysOf((ObjectReference) get(object, "m"));
      default:
        return name.startsWith("java.util.Collections$") && wrapped(object);
    }
  }

  private boolean keysOf(ObjectReference map) {
    boolean isKnown = map != null && read(map);
    values = null;
    return isKnown;
  }

  /** Reads the container inside a view, such as an unmodifiable one. */
  private boolean wrapped(ObjectReference object) {
    for (String name : WRAPPED)
      if (get(object, name) instanceof ObjectReference) return read((ObjectReference) get(object, name));
    return false;
  }

  private void add(Value item) {
    size += 1;
    if (items.size() < most) items.add(item);
  }

  private boolean array(ArrayReference array, int length) {
    size = length < 0 ? array.length() : length;
    int shown = Math.min(size, most);
    if (shown > 0) items.addAll(array.getValues(0, shown));
    return true;
  }

  private boolean pair(Value first, Value second) {
    add(first);
    // An object of the library's own stands for a second item that is missing.
    boolean isMissing = second == null || second instanceof ObjectReference
        && ((ObjectReference) second).referenceType().name().equals("java.lang.Object");
    if (!isMissing) add(second);
    return true;
  }

  private boolean sparse(ArrayReference array, int length) {
    for (Value item : array.getValues()) if (item != null && items.size() < most) items.add(item);
    size = length;
    return true;
  }

  private boolean entry(Value key, Value value) {
    values = new ArrayList<>();
    items.add(key);
    values.add(value);
    size = 1;
    return true;
  }

  private boolean flatMap(ArrayReference table, int length) {
    values = new ArrayList<>();
    size = length;
    List<Value> all = table.getValues();
    for (int at = 0; at + 1 < all.size() && items.size() < most; at += 2)
      if (all.get(at) != null) {
        items.add(all.get(at));
        values.add(all.get(at + 1));
      }
    return true;
  }

  private boolean linked(ObjectReference first, String item, String next, int length) {
    for (ObjectReference at = first; at != null && items.size() < most; at = (ObjectReference) get(at, next))
      items.add(get(at, item));
    size = length;
    return true;
  }

  private boolean deque(ObjectReference object) {
    ArrayReference elements = (ArrayReference) get(object, "elements");
    int head = whole(object, "head");
    size = Math.floorMod(whole(object, "tail") - head, elements.length());
    for (int at = 0; at < Math.min(size, most); at += 1)
      items.add(elements.getValue((head + at) % elements.length()));
    return true;
  }

  private boolean hashMap(ObjectReference object) {
    values = new ArrayList<>();
    size = whole(object, "size");
    return bins((ArrayReference) get(object, "table"), "value");
  }

  private boolean concurrentMap(ObjectReference object) {
    values = new ArrayList<>();
    boolean isKnown = bins((ArrayReference) get(object, "table"), "val");
    size = (int) ((PrimitiveValue) get(object, "baseCount")).longValue();
    return isKnown;
  }

  private boolean bins(ArrayReference table, String value) {
    if (table == null) return true;
    for (Value bin : table.getValues())
      for (ObjectReference node = (ObjectReference) bin; node != null && items.size() < most;
          node = (ObjectReference) get(node, "next")) {
        items.add(get(node, "key"));
        values.add(get(node, value));
      }
    return true;
  }

  private boolean linkedMap(ObjectReference head, int length) {
    values = new ArrayList<>();
    size = length;
    ObjectReference node = head;
    for (; node != null && items.size() < most; node = (ObjectReference) get(node, "after")) {
      items.add(get(node, "key"));
      values.add(get(node, "value"));
    }
    return true;
  }

  private void tree(ObjectReference node) {
    if (node == null || items.size() >= most) return;
    tree((ObjectReference) get(node, "left"));
    if (items.size() >= most) return;
    items.add(get(node, "key"));
    values.add(get(node, "value"));
    tree((ObjectReference) get(node, "right"));
  }
}
