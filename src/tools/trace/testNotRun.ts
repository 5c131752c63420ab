import type { BoundedRun } from '../../control/boundedRun';
import { whyNotRun } from '../../testing/run/whyNotRun';
import { defined } from '../../util/defined';
import type { ToolServices } from '../services';
import type { Reach } from './reach';

/**
 * What a result without a hit says about a test that did not run: the code was not reached because of that.
 * @param isUnseen whether the result is one without a hit
 */
export async function testNotRun(
  services: ToolServices,
  reach: Reach,
  run: BoundedRun,
  isUnseen: boolean,
): Promise<{ readonly test_not_run?: string }> {
  if (!isUnseen || reach.kind !== 'launch' || reach.test === undefined || run.state() !== 'ended')
    return {};
  return defined({ test_not_run: await whyNotRun(services, reach.test, run.sessions) });
}
