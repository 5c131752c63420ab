import { adapterOf } from '../../debugger/adapters/registry';
import type { ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import { textOf, type Fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import type { StartPlan } from './launchPlan';
import type { ToolServices } from '../services';
import type { RunResult } from '../schemas';

/**
 * Returns the exception filters that stop at the failure of a test. Runners catch exceptions, so `uncaught` alone does
 * not stop there. Returns undefined if the configuration runs no known test runner.
 */
export function stopsOfTests(configuration: Fields): ExceptionChoice | undefined {
  const { runsTests, testStops } = adapterOf(textOf(configuration['type']) ?? '');
  if (runsTests?.(configuration) !== true || testStops?.filters === undefined) return undefined;
  return { filters: [...testStops.filters, 'uncaught'], conditions: testStops.conditions ?? {} };
}

/** Returns the configuration with the properties that such a stop requires. */
export function withTestStops<Made extends Fields>(configuration: Made): Made {
  if (stopsOfTests(configuration) === undefined) return configuration;
  const { forTests } = adapterOf(textOf(configuration['type']) ?? '');
  return { ...configuration, ...forTests?.(configuration) };
}

/**
 * Makes the session that a call is about to start stop at the failure of a test, and returns the filters for the
 * result. This happens only if the call made up a configuration for a test, and no tool has chosen filters for its
 * debug type.
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
  const { filters, conditions } = choice;
  const hasConditions = Object.keys(conditions).length > 0;
  return {
    exception_filters: [defined({ filters, conditions: hasConditions ? conditions : undefined })],
  };
}
