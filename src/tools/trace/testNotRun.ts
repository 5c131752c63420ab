import type { BoundedRun } from '../../control/boundedRun';
import { whyNotRun } from '../../testing/run/whyNotRun';
import { defined } from '../../util/defined';
import type { ToolServices } from '../services';
import type { Reach } from './reach';

/** What a result without a hit says about a test that did not run: the code was not reached because of that. */
export async function testNotRun(
  services: ToolServices,
  reach: Reach,
  run: BoundedRun,
): Promise<{ readonly test_not_run?: string }> {
  if (reach.kind !== 'launch' || reach.test === undefined || run.state() !== 'ended') return {};
  return defined({ test_not_run: await whyNotRun(services, reach.test, run.sessions) });
}
