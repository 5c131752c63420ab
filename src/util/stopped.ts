import vm from 'node:vm';

const SCRIPT = new vm.Script('run()');
let context: { run?: () => void } | undefined;

/**
 * Runs a function that has no limit of its own, such as the parser of another package, and stops it after a time.
 * Nothing that it has begun may be used afterwards.
 * @throws Error if the time was over; otherwise what the function throws
 */
export function stoppedAfter<T>(milliseconds: number, run: () => T): T {
  context ??= vm.createContext({});
  const result: { value?: T } = {};
  const { stackTraceLimit } = Error;
  context.run = () => {
    // A parser makes an error for each mistake. Their stacks would take most of the time, and nobody reads them.
    Error.stackTraceLimit = 0;
    result.value = run();
  };
  try {
    SCRIPT.runInContext(context, { timeout: milliseconds });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    delete context.run;
  }
  return result.value as T;
}
