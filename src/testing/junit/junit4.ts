import { JUNIT_COMMON } from './junitCommon';

/** Runs one method with JUnit 4. */
export const JUNIT4_RUNNER = String.raw`
import java.util.List;
import org.junit.runner.*;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.*;

public class AgentDebuggerRunner {
${JUNIT_COMMON}
  static List<String> pathOf(Description test) {
    List<String> names = test.getTestClass() == null ? List.of() : namesOf(test.getTestClass());
    String method = test.getMethodName();
    if (method == null) return names;
    int row = method.indexOf('[');
    return row < 0 ? with(names, method) : with(with(names, method.substring(0, row)), method.substring(row));
  }

  static boolean isRequested(Description test, String method) {
    if (test.isTest()) return test.getMethodName() != null && test.getMethodName().split("\\[")[0].equals(method);
    return test.getChildren().stream().anyMatch(child -> isRequested(child, method));
  }

  static class Listener extends RunListener {
    private Description last;

    public void testFailure(Failure failure) {
      last = failure.getDescription();
      failed(pathOf(last), last.isTest() ? "failed" : "errored", failure.getException());
    }

    public void testAssumptionFailure(Failure failure) {
      last = failure.getDescription();
      write(pathOf(last), "skipped", ",\"reason\":" + quoted(messageOf(failure.getException())));
    }

    public void testIgnored(Description test) {
      org.junit.Ignore annotation = test.getAnnotation(org.junit.Ignore.class);
      write(pathOf(test), "skipped", ",\"reason\":" + quoted(annotation == null ? "" : annotation.value()));
    }

    public void testFinished(Description test) {
      if (!test.equals(last)) write(pathOf(test), "passed", "");
    }
  }

  static void run(Class<?> type, String method) {
    Request request = Request.aClass(type).filterWith(new Filter() {
      public boolean shouldRun(Description test) {
        return isRequested(test, method);
      }

      public String describe() {
        return method;
      }
    });
    // If there is no such test, JUnit's runner would report an error.
    if (!isRequested(request.getRunner().getDescription(), method)) return;
    JUnitCore core = new JUnitCore();
    core.addListener(new Listener());
    core.run(request);
  }
}
`;
