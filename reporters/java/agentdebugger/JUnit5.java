package agentdebugger;

import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests by the launcher of the JUnit Platform, as build tools do. */
final class JUnit5 extends Platform {
  private final Launcher launcher = LauncherFactory.create();

  private LauncherDiscoveryRequest requestFor(List<DiscoverySelector> selectors) {
    LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request().selectors(selectors)
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
    // A test that is stopped in the debugger must not time out.
    if (isDebugged) builder.configurationParameter("junit.jupiter.execution.timeout.mode", "disabled");
    return builder.build();
  }

  @Override
  void discover(List<DiscoverySelector> selectors) {
    TestPlan plan = launcher.discover(requestFor(selectors));
    for (TestIdentifier root : plan.getRoots()) {
      nodeOf(root);
      for (TestIdentifier test : plan.getDescendants(root)) nodeOf(test);
    }
  }

  @Override
  void execute(List<DiscoverySelector> selectors) {
    launcher.execute(requestFor(selectors), new Listener());
  }

  private Node nodeOf(TestIdentifier test) {
    return planned(test.getUniqueId(), test.getParentId().orElse(null), test.getDisplayName(),
        test.getLegacyReportingName(), test.getSource().orElse(null), test.isTest());
  }

  private final class Listener implements TestExecutionListener {
    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
      nodeOf(test);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      begin(nodeOf(test));
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      skip(nodeOf(test), reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      finish(nodeOf(test), result);
    }
  }
}
