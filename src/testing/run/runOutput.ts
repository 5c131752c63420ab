import { adapterOf } from '../../debugger/adapters/registry';
import type { SessionState } from '../../debugger/state/state';
import type { ToolServices } from '../../tools/services';
import type { TestPlan } from '../planTest';
import type { RunReport } from '../runReport';

/** The output categories of the program itself. */
const PRINTED: ReadonlySet<string> = new Set(['stdout', 'stderr']);

/** Returns what the program of a run has printed, in its order, without the lines of the debugger's runtime. */
export function printedBy(
  { model }: Pick<ToolServices, 'model'>,
  sessions: readonly SessionState[],
): readonly string[] {
  return sessions
    .flatMap((session) => {
      const { runtimeOutput } = adapterOf(session.type);
      return model
        .output(session)
        .read({ since: 0 })
        .filter(
          ({ category, text }) => PRINTED.has(category) && runtimeOutput?.test(text) !== true,
        );
    })
    .sort((left, right) => left.order - right.order)
    .map(({ text }) => text);
}

/** Reads the report of the runner as far as it is written. */
export async function reportOfRun(
  { scratch }: Pick<ToolServices, 'scratch'>,
  plan: TestPlan,
  output: readonly string[],
): Promise<RunReport> {
  const { name, report: file } = plan.scratch;
  const report = await scratch.read(name, file);
  const recorded =
    plan.recorder === undefined ? undefined : await scratch.read(name, plan.recorder.report);
  return plan.framework.readOutcome(report, output, plan.test, plan.folder, recorded);
}
