import { adapterOf } from '../../debugger/adapters/registry';
import type { ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import { textOf, type Fields } from '../../debugger/protocol';
import type { StartPlan } from './launchPlan';
import type { ToolServices } from '../services';
import type { RunResult } from '../schemas';

/**
 * Where a test of such a run fails: runners catch exceptions, so that none of them is uncaught. Undefined where the
 * configuration runs no test that is known by its name.
 */
export function stopsOfTests(configuration: Fields): ExceptionChoice | undefined {
  const { runsTests, testStops } = adapterOf(textOf(configuration['type']) ?? '');
  if (runsTests?.(configuration) !== true || testStops?.filters === undefined) return undefined;
  return { filters: [...testStops.filters, 'uncaught'], conditions: testStops.conditions ?? {} };
}

/** The same configuration, in which such a stop can be. */
export function withAssertionsSeen<Made extends Fields>(configuration: Made): Made {
  if (stopsOfTests(configuration) === undefined) return configuration;
  const { forTests } = adapterOf(textOf(configuration['type']) ?? '');
  return { ...configuration, ...forTests?.(configuration) };
}

/**
 * Has the session that a call is about to start stop where a test fails, and says so: where the call made up its
 * configuration for a test, and no tool has chosen filters for its type.
 */
export function stopWhereTestsFail(
  { exceptions }: Pick<ToolServices, 'exceptions'>,
  { launches, isMadeUp }: StartPlan,
  mark: string,
): Pick<RunResult, 'exception_filters'> {
  const [launch] = launches;
  const choice = !isMadeUp || launch === undefined ? undefined : stopsOfTests(launch.configuration);
  if (choice === undefined || launch === undefined || exceptions.hasChosen(launch.type)) return {};
  exceptions.chooseForLaunch(mark, choice);
  return {
    exception_filters: [
      {
        filters: choice.filters,
        ...(Object.keys(choice.conditions).length > 0 ? { conditions: choice.conditions } : {}),
      },
    ],
  };
}
