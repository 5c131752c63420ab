package agentdebugger;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The places at which {@link Watch} meets the test's process. It stops at the methods' beginnings, reads the argument,
 * and writes the answer into the field. Without it, they do nothing.
 */
final class Hooks {
  /** Whether the process is watched. */
  static boolean isWatched;
  /** {@link Watch} asks for the class of this error, which has to be initialized for that. */
  static final Error UNUSED = new AssertionError();
  /** The frames where an error was thrown: for each the place, a tab, and its variables as JSON. */
  private static volatile String answer;
  /** The number of the error among those of its class that were thrown at the same place of the project. */
  private static volatile int occurrence;
  /** Why there are no values. */
  private static volatile String reason;

  private Hooks() {}

  /** From here on, exceptions are those of tests. */
  static void started() {}

  static void asked(Throwable error) {}

  static Deque<String[]> valuesOf(Throwable error) {
    Deque<String[]> values = new ArrayDeque<>();
    if (!isWatched) return values;
    answer = null;
    reason = null;
    occurrence = 0;
    asked(error);
    if (answer == null) return values;
    for (String line : answer.split("\n")) values.add(line.split("\t", 2));
    return values;
  }

  /** Returns the variables of a frame, and removes all frames up to it. */
  static String valuesAt(Deque<String[]> values, StackTraceElement frame) {
    String place = frame.getClassName() + "#" + frame.getMethodName() + ":" + frame.getLineNumber();
    if (values.stream().noneMatch(value -> value[0].equals(place))) return "";
    while (!values.isEmpty()) {
      String[] value = values.poll();
      if (value[0].equals(place)) return value[1];
    }
    return "";
  }

  static String occurrence() {
    return occurrence == 0 ? "" : ",\"occurrence\":" + occurrence;
  }

  static String withoutValues() {
    return isWatched ? reason : null;
  }
}
