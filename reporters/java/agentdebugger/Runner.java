package agentdebugger;

import java.util.ArrayList;
import java.util.List;

/** Runs the requested test, and reports it. It has a subclass for each way to run tests. */
public abstract class Runner {
  /** The names that {@link Node#isNamed} compares. */
  protected String requested;
  /** Whether a debugger may stop the test, so that it must not time out. */
  protected boolean isDebugged;

  /**
   * Arguments: the subclass, the file of the report, {@code here} or {@code apart}, the folders of sources, the names
   * of classes, and the name of the test.
   */
  public static void run(String[] args) {
    boolean isApart = args[2].equals("apart");
    Report.open(args[1], args[3]);
    Hooks.isWatched = isApart && System.getProperty("agentdebugger.watched") != null;
    // A test may end the process.
    Thread early = new Thread(() -> Report.append("{\"exited\":null}"));
    if (!isApart) Runtime.getRuntime().addShutdownHook(early);
    try {
      List<Class<?>> types = loaded(args[4].split(","));
      if (types != null) {
        Runner runner = (Runner) Class.forName("agentdebugger." + args[0]).getDeclaredConstructor().newInstance();
        runner.requested = Node.normal(args[5]);
        runner.isDebugged = !isApart;
        runner.run(types);
      }
    } catch (Throwable error) {
      StackTraceElement[] stack = error.getStackTrace();
      Report.toolFailure(error + (stack.length == 0 ? "" : " at " + stack[0]));
    }
    Report.append("{\"ended\":true}");
    if (!isApart) Runtime.getRuntime().removeShutdownHook(early);
  }

  public static void main(String[] args) {
    // The process is useless after the one that watches it.
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    run(args);
    // A test may leave threads behind.
    System.exit(0);
  }

  /** Returns the classes of the file, or null if none can be loaded, which it reports. */
  private static List<Class<?>> loaded(String[] names) {
    List<Class<?>> types = new ArrayList<>();
    Throwable first = null;
    for (String name : names)
      try {
        types.add(Class.forName(name, false, Thread.currentThread().getContextClassLoader()));
      } catch (ClassNotFoundException | LinkageError error) {
        if (first == null) first = error;
      }
    if (types.isEmpty()) Report.loadError(first);
    return types.isEmpty() ? null : types;
  }

  protected abstract void run(List<Class<?>> types) throws Exception;
}
