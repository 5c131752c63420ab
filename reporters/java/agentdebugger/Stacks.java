package agentdebugger;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InvalidStackFrameException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The stacks of the exceptions that were thrown, with the variables of the frames in the project. */
final class Stacks {
  private static final int MAX_STACKS = 500;
  private static final int MAX_FRAMES = 200;
  private static final int MAX_WITH_VARIABLES = 8;
  private static final int MAX_VARIABLES = 40;

  private final Values values;
  /** By the number that the virtual machine gives to an exception. It is never given twice. */
  private final Map<Long, Stack> stacks = new LinkedHashMap<>();
  /** The numbers of exceptions that were thrown, by their class and their place in the project. */
  private final Map<String, Integer> thrown = new HashMap<>();

  /** The stack of an exception. */
  static final class Stack {
    /** For each frame the place, a tab, and its variables. */
    final String text;
    /** The number of the exception among those of its class at the same place. */
    final int occurrence;

    private Stack(String text, int occurrence) {
      this.text = text;
      this.occurrence = occurrence;
    }
  }

  Stacks(VirtualMachine machine) {
    values = new Values(machine);
  }

  /** Returns the stack of an exception. Null if it was not seen. */
  synchronized Stack of(long exception) {
    return stacks.get(exception);
  }

  /** Reads the stack of an exception where it is thrown. If it is thrown again, only the first place counts. */
  synchronized void record(ObjectReference exception, ThreadReference thread) {
    List<StackFrame> frames = ownFrames(thread);
    if (frames.isEmpty()) return;
    String kind = exception.referenceType().name() + " " + placeOf(frames.get(0));
    int occurrence = thrown.merge(kind, 1, Integer::sum);
    if (stacks.containsKey(exception.uniqueID())) return;
    values.begin();
    StringBuilder text = new StringBuilder();
    for (StackFrame frame : frames.subList(0, Math.min(frames.size(), MAX_WITH_VARIABLES)))
      text.append(placeOf(frame)).append('\t').append(variablesOf(frame)).append('\n');
    if (stacks.size() >= MAX_STACKS) stacks.remove(stacks.keySet().iterator().next());
    stacks.put(exception.uniqueID(), new Stack(text.toString(), occurrence));
  }

  private static String placeOf(StackFrame frame) {
    Location at = frame.location();
    return at.declaringType().name() + "#" + at.method().name() + ":" + at.lineNumber();
  }

  /** Returns the frames of a suspended thread in the project, as JSON. */
  synchronized String framesOf(ThreadReference thread) {
    List<String> frames = new ArrayList<>();
    values.begin();
    for (StackFrame frame : ownFrames(thread)) {
      Location at = frame.location();
      String more = frames.size() < MAX_WITH_VARIABLES ? variablesOf(frame) : "";
      frames.add(Report.frame(fileOf(at), at.lineNumber(), at.declaringType().name(), at.method().name(), more));
    }
    return String.join(",", frames);
  }

  private static List<StackFrame> ownFrames(ThreadReference thread) {
    List<StackFrame> own = new ArrayList<>();
    try {
      for (StackFrame frame : thread.frames(0, Math.min(MAX_FRAMES, thread.frameCount())))
        if (isOwn(frame.location())) own.add(frame);
    } catch (IncompatibleThreadStateException | InvalidStackFrameException ignored) {
      // The thread has ended, or runs native code.
    }
    return own;
  }

  static boolean isOwn(Location at) {
    return fileOf(at) != null;
  }

  private static String fileOf(Location at) {
    try {
      return at.lineNumber() < 1 ? null : Report.fileOf(at.declaringType().name(), at.sourceName());
    } catch (AbsentInformationException none) {
      return null;
    }
  }

  /** Returns the part of a frame's JSON that holds its variables. */
  private String variablesOf(StackFrame frame) {
    List<String> texts = new ArrayList<>();
    int omitted = 0;
    try {
      List<LocalVariable> variables = frame.visibleVariables();
      Map<LocalVariable, Value> read = frame.getValues(variables);
      for (LocalVariable variable : variables)
        if (texts.size() < MAX_VARIABLES) texts.add(pair(variable.name(), read.get(variable)));
        else omitted += 1;
    } catch (AbsentInformationException | InvalidStackFrameException none) {
      // The class was compiled without the names of variables.
    }
    ObjectReference self = frame.thisObject();
    if (self != null && Values.hasFields(self)) texts.add(pair("this", self));
    return ",\"variables\":[" + String.join(",", texts) + "]" + (omitted > 0 ? ",\"omitted\":" + omitted : "");
  }

  private String pair(String name, Value value) {
    return "[" + Report.quoted(name) + "," + Report.quoted(values.shown(value)) + "]";
  }
}
