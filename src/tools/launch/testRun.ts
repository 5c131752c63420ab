import type { ExceptionChoice } from '../../debugger/breakpoints/exceptionBreakpoints';
import { filterType } from '../../debugger/breakpoints/exceptionFilters';
import { listOf, textOf, type Fields } from '../../debugger/protocol';
import type { Plan } from './launchPlan';
import type { ToolServices } from '../services';
import type { RunResult } from '../schemas';

/** What assertions of node:assert, chai and vitest are named, and what those of jest hold. */
export const ASSERTION_CONDITION =
  "error?.name === 'AssertionError' || error?.matcherResult !== undefined";

/** Names of test files, as node:test, mocha, jest and vitest look for them. */
const NODE_TEST =
  /(?:^|[\\/])(?:[^\\/]*[._-](?:test|spec)|test(?:-[^\\/]*)?)\.[cm]?[jt]sx?$|[\\/]__tests__[\\/][^\\/]*\.[cm]?[jt]sx?$/;

/** Scripts of test runners from npm. */
const NODE_RUNNER = /[\\/]node_modules[\\/](?:mocha|jest|jest-cli|vitest|ava|tap|jasmine|uvu)[\\/]/;

/** Names of test files, as pytest and unittest look for them. */
const PYTHON_TEST = /(?:^|[\\/])(?:test_[^\\/]*|[^\\/]*_test|tests?)\.py$/;
const PYTHON_RUNNER = /^(?:pytest|unittest|nose2)(?:\.|$)/;

/**
 * Where a test of such a run fails: runners catch exceptions, so that none of them is uncaught. Undefined where the
 * configuration runs no test that is known by its name.
 */
export function stopsOfTests(configuration: Fields): ExceptionChoice | undefined {
  const program = textOf(configuration['program']) ?? '';
  switch (filterType(textOf(configuration['type']) ?? '')) {
    case 'node': {
      const isRunner =
        NODE_RUNNER.test(program) || listOf(configuration['runtimeArgs']).includes('--test');
      return isRunner || NODE_TEST.test(program)
        ? { filters: ['all', 'uncaught'], conditions: { all: ASSERTION_CONDITION } }
        : undefined;
    }
    case 'debugpy':
      return PYTHON_RUNNER.test(textOf(configuration['module']) ?? '') || PYTHON_TEST.test(program)
        ? { filters: ['userUnhandled', 'uncaught'], conditions: {} }
        : undefined;
    default:
      return undefined;
  }
}

/**
 * The same configuration, in which such a stop can be: js-debug stops at no exception that is thrown in a file which it
 * skips, and node:assert is one of Node's internals. What lies below `internal` is skipped still.
 */
export function withAssertionsSeen<Made extends Fields>(configuration: Made): Made {
  const skipped = configuration['skipFiles'];
  if (skipped === undefined || stopsOfTests(configuration)?.conditions['all'] === undefined)
    return configuration;
  return {
    ...configuration,
    skipFiles: listOf(skipped).map((each) =>
      each === '<node_internals>/**' ? '<node_internals>/internal/**' : each,
    ),
  };
}

/**
 * Has the session that a call is about to start stop where a test fails, and says so: where the call made up its
 * configuration for a test, and no tool has chosen filters for its type.
 */
export function stopWhereTestsFail(
  { exceptions }: Pick<ToolServices, 'exceptions'>,
  { launches, isMadeUp }: Plan,
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
