import { fields, listOf } from '../../../src/debugger/protocol';
import { answered, asked, created } from './events';
import { FILE, type Bench } from './services';

export const POINT = { path: FILE, line: 3, condition: 'record()' };

/** Starts a session whose adapter accepts breakpoints. */
export function starting(on: Bench, sessionType = 'debugpy'): Bench {
  on.host.on('setBreakpoints', ({ breakpoints }) => ({
    breakpoints: listOf(breakpoints).map((each, index) => ({
      id: index + 1,
      verified: true,
      line: fields(each)['line'],
    })),
  }));
  on.model.dispatch(created('a', { sessionType }));
  on.model.dispatch(asked(1, 'initialize'));
  on.model.dispatch(answered(1, 'initialize'));
  on.model.dispatch(asked(2, 'launch'));
  return on;
}

/** VS Code sends its list for `FILE`, which the adapter binds. */
export function vsCodeSends(on: Bench, seq: number, breakpoints: object[]): void {
  on.model.dispatch(asked(seq, 'setBreakpoints', { source: { path: FILE }, breakpoints }));
  on.model.dispatch(
    answered(seq, 'setBreakpoints', {
      breakpoints: breakpoints.map((each, index) => ({ id: 50 + index, verified: true, ...each })),
    }),
  );
}

/** The line and condition of each breakpoint, in each list that we sent. */
export function sent(on: Bench): (readonly (readonly [unknown, unknown])[])[] {
  return on.host
    .sent('setBreakpoints')
    .map(({ breakpoints }) =>
      listOf(breakpoints).map((each) => [fields(each)['line'], fields(each)['condition']] as const),
    );
}

/** Resolves when the sent requests have been answered. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
