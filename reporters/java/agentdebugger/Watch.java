package agentdebugger;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.ExceptionRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs the tests in a process of its own, and reads the variables of each exception where it is thrown. The runner
 * there asks for those of the very error that it reports. Nothing of the program is called, and no debugger is needed.
 */
public final class Watch {
  private static final String HOOKS = "agentdebugger.Hooks";
  /** The exceptions of loading a class are the class loaders' own. */
  private static final String[] NOT_IN = {"jdk.internal.loader.*", "java.lang.ClassLoader", "java.net.URLClassLoader",
      "java.lang.invoke.*", "agentdebugger.*"};
  /** The options of {@link Start}'s own process. */
  private static final List<String> OWN = List.of("--add-modules=ALL-DEFAULT", "-XX:TieredStopAtLevel=1",
      "-XX:+UseSerialGC");
  /** A program that throws all the time would become slow. */
  private static final int MAX_EXCEPTIONS = 5000;
  private static final long MAX_NANOSECONDS = 1_500_000_000L;
  /** The number of exceptions that are read at one place, if the project catches them. */
  private static final int MAX_CAUGHT = 30;
  /** A call through MCP is ended then, whatever its own limit is. */
  private static final double MAX_SECONDS = 45;

  private final VirtualMachine machine;
  private final Stacks stacks;
  private ExceptionRequest exceptions;
  private ThreadReference thread;
  private final Map<List<Location>, Integer> caught = new HashMap<>();
  private boolean isNarrow;
  private int count;
  private long spent;

  private Watch(VirtualMachine machine) {
    this.machine = machine;
    stacks = new Stacks(machine);
  }

  /**
   * Returns the exit code of the process.
   *
   * @param args the arguments of the runner
   * @param options the options of Java, one per line
   */
  public static int run(String[] args, String seconds, String classPath, String options) throws Exception {
    Report.open(args[1], args[3]);
    List<String> command = commandOf(args, classPath, options);
    // The tests may have a debugger of their own.
    ListeningConnector connector = options.contains("jdwp") ? null : connector();
    Process process = connector == null ? started(command) : watched(command, connector, seconds);
    int code = process.waitFor();
    Path report = Paths.get(args[1]);
    String text = Files.exists(report) ? new String(Files.readAllBytes(report), StandardCharsets.UTF_8) : "";
    if (!text.contains("{\"ended\":true}")) Report.append("{\"exited\":" + code + "}");
    return code;
  }

  private static Process watched(List<String> command, ListeningConnector connector, String seconds) throws Exception {
    Map<String, Connector.Argument> options = connector.defaultArguments();
    options.get("localAddress").setValue("127.0.0.1");
    options.get("timeout").setValue("20000");
    String address = connector.startListening(options);
    List<String> watched = new ArrayList<>(command);
    watched.addAll(1, List.of("-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address,
        "-Dagentdebugger.watched=true"));
    Process process = started(watched);
    // A process that ends at once never connects.
    process.onExit().thenRun(() -> stop(connector, options));
    try {
      follow(connector.accept(options), seconds);
      return process;
    } catch (IOException error) {
      // It may not connect. The tests run all the same, without the values.
      process.destroyForcibly();
      return started(command);
    } finally {
      stop(connector, options);
    }
  }

  private static void stop(ListeningConnector connector, Map<String, Connector.Argument> options) {
    try {
      connector.stopListening(options);
    } catch (IOException | IllegalConnectorArgumentsException stopped) {
      // It does not listen any more.
    }
  }

  private static ListeningConnector connector() {
    for (ListeningConnector connector : Bootstrap.virtualMachineManager().listeningConnectors())
      if (connector.transport().name().equals("dt_socket")) return connector;
    return null;
  }

  /** Returns the command that starts Java as it was started for this process. */
  private static List<String> commandOf(String[] args, String classPath, String options) {
    List<String> command = new ArrayList<>();
    command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments())
      if (!OWN.contains(option)) command.add(option);
    String modules = System.getProperty("jdk.module.path", "");
    if (!modules.isEmpty()) command.addAll(List.of("--module-path", modules));
    if (!options.isEmpty()) command.addAll(Arrays.asList(options.split("\n")));
    command.addAll(List.of("-cp", classPath, "agentdebugger.Runner"));
    command.addAll(Arrays.asList(args));
    return command;
  }

  private static Process started(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  private static void follow(VirtualMachine machine, String seconds) {
    Watch watch = new Watch(machine);
    Thread limit = new Thread(() -> watch.reportHangs(Double.parseDouble(seconds)));
    limit.setDaemon(true);
    limit.start();
    try {
      watch.prepare();
      for (;;) watch.handle(machine.eventQueue().remove());
    } catch (VMDisconnectedException ended) {
      // The process has ended.
    } catch (InterruptedException | RuntimeException error) {
      Report.toolFailure("the values could not be read: " + error);
      machine.dispose();
    }
  }

  private void prepare() {
    ClassPrepareRequest hooks = machine.eventRequestManager().createClassPrepareRequest();
    hooks.addClassFilter(HOOKS);
    hooks.enable();
    exceptions = exceptionsOf(null);
  }

  private ExceptionRequest exceptionsOf(ReferenceType type) {
    ExceptionRequest request = machine.eventRequestManager().createExceptionRequest(type, true, true);
    for (String excluded : NOT_IN) request.addClassExclusionFilter(excluded);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    return request;
  }

  private void handle(EventSet events) {
    try {
      for (Event event : events)
        if (event instanceof ClassPrepareEvent) setHooks(((ClassPrepareEvent) event).referenceType());
        else if (event instanceof BreakpointEvent) meet((BreakpointEvent) event);
        else if (event instanceof ExceptionEvent) record((ExceptionEvent) event);
    } finally {
      events.resume();
    }
  }

  private void setHooks(ReferenceType hooks) {
    for (String name : new String[] {"started", "asked"}) {
      Location first = hooks.methodsByName(name).get(0).location();
      BreakpointRequest request = machine.eventRequestManager().createBreakpointRequest(first);
      request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      request.enable();
    }
  }

  private void meet(BreakpointEvent event) {
    ClassType hooks = (ClassType) event.location().declaringType();
    if (event.location().method().name().equals("started")) {
      thread = event.thread();
      exceptions.enable();
      return;
    }
    try {
      ObjectReference error = (ObjectReference) event.thread().frame(0).getArgumentValues().get(0);
      Stacks.Stack stack = stacks.of(error.uniqueID());
      if (stack == null) {
        answer(hooks, "reason", isNarrow ? "too many exceptions before it" : "not thrown in the project");
        return;
      }
      answer(hooks, "answer", stack.text);
      boolean isCounted = !isNarrow && caught.values().stream().allMatch(count -> count <= MAX_CAUGHT);
      if (isCounted) hooks.setValue(hooks.fieldByName("occurrence"), machine.mirrorOf(stack.occurrence));
    } catch (Exception failure) {
      if (failure instanceof VMDisconnectedException) throw (VMDisconnectedException) failure;
    }
  }

  private void answer(ClassType hooks, String field, String text) throws Exception {
    for (int attempt = 0; attempt < 3; attempt += 1)
      try {
        StringReference value = machine.mirrorOf(text);
        hooks.setValue(hooks.fieldByName(field), value);
        return;
      } catch (ObjectCollectedException again) {
        // The program's collector was faster.
      }
  }

  private void record(ExceptionEvent event) {
    long from = System.nanoTime();
    if (isWorthReading(event)) stacks.record(event.exception(), event.thread());
    spent += System.nanoTime() - from;
    count += 1;
    if (count < MAX_EXCEPTIONS && spent < MAX_NANOSECONDS) return;
    exceptions.disable();
    List<ReferenceType> assertions = machine.classesByName("java.lang.AssertionError");
    if (isNarrow || assertions.isEmpty()) return;
    isNarrow = true;
    count = 0;
    spent = 0;
    exceptions = exceptionsOf(assertions.get(0));
    exceptions.enable();
  }

  /** An exception that the project itself has caught often at the same place is hardly the failure. */
  private boolean isWorthReading(ExceptionEvent event) {
    Location handler = event.catchLocation();
    if (handler == null || !Stacks.isOwn(handler)) return true;
    return caught.merge(List.of(event.location(), handler), 1, Integer::sum) <= MAX_CAUGHT;
  }

  /** Reports where the test is shortly before its time is up. */
  private void reportHangs(double seconds) {
    try {
      double first = shortlyBefore(Math.min(seconds, MAX_SECONDS));
      TimeUnit.MILLISECONDS.sleep((long) (1000 * first));
      reportHang();
      double rest = shortlyBefore(seconds) - first;
      if (rest <= 0) return;
      TimeUnit.MILLISECONDS.sleep((long) (1000 * rest));
      reportHang();
    } catch (InterruptedException | RuntimeException ended) {
      // The process has ended.
    }
  }

  private static double shortlyBefore(double seconds) {
    return Math.max(seconds * 0.75, seconds - 5);
  }

  private void reportHang() {
    machine.suspend();
    try {
      String frames = thread == null ? "" : stacks.framesOf(thread);
      for (ThreadReference other : machine.allThreads()) if (frames.isEmpty()) frames = stacks.framesOf(other);
      Report.append("{\"hanging\":[" + frames + "]}");
    } finally {
      machine.resume();
    }
  }
}
