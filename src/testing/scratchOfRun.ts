import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';
import type { SessionState } from '../debugger/state/state';
import type { ToolServices } from '../tools/services';
import { nameOf } from './chooseTest';
import type { TestPlan } from './planTest';

type Services = Pick<ToolServices, 'scratch' | 'model'>;
type Plan = Pick<TestPlan, 'scratch' | 'test'>;

/** The scratch folders that calls are using. */
const running = new Set<string>();

/** What removes the folders of runs that outlived their calls. */
const waiting = new Map<string, { dispose(): void }>();

/**
 * Creates the files of a plan, calls `run`, and removes the files afterwards. If sessions of the run still exist, such as
 * one that stays stopped, the files are removed when they have ended: the reporter in the program needs them. All code
 * that starts a plan uses this function.
 * @throws Failure `session_busy` if another call is running the same test
 */
export async function withTestFiles<T>(
  services: Services,
  plan: Plan,
  run: () => Promise<T>,
): Promise<T> {
  const { name, files } = plan.scratch;
  if (running.has(name))
    throw new Failure(
      'session_busy',
      l10n.t('Another call is running the test {0}.', nameOf(plan.test)),
      'Wait for that call, then try again.',
    );
  running.add(name);
  // A new run takes the folder over from an earlier run that stays stopped.
  waiting.get(name)?.dispose();
  waiting.delete(name);
  try {
    await services.scratch.make(name, files);
    return await run();
  } finally {
    running.delete(name);
    await removeAfter(services, plan);
  }
}

async function removeAfter({ scratch, model }: Services, { scratch: own }: Plan): Promise<void> {
  const { name } = own;
  const folder = scratch.pathOf(name);
  const isUsing = (session: SessionState): boolean =>
    session.lifecycle !== 'terminated' && JSON.stringify(session.configuration).includes(folder);
  const isUsed = (): boolean => [...model.state.sessions.values()].some(isUsing);
  if (!isUsed()) {
    await scratch.remove(name);
    return;
  }
  const subscription = model.onDidSettle(() => {
    if (isUsed()) return;
    subscription.dispose();
    waiting.delete(name);
    void scratch.remove(name).catch(() => undefined);
  });
  waiting.set(name, subscription);
}
