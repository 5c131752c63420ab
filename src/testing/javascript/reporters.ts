/** The file in a reporter's folder that the reporter writes to, with one JSON object per line. */
export const REPORT = 'report.jsonl';

/** The code that the reporters for JavaScript runners share. */
const COMMON = String.raw`
const inspectOptions = { depth: 8, maxArrayLength: 200, maxStringLength: 10000, breakLength: 80, getters: false };

function shown(value, other) {
  // The stack of an error contains places of this run.
  if (value instanceof Error) return plain(typeOf(value) + ': ' + value.message);
  if (typeof value !== 'string') return inspect(value, inspectOptions).slice(0, 20000);
  const isText = typeof other === 'string' && (value.includes('\n') || other.includes('\n'));
  return (isText ? value : JSON.stringify(value)).slice(0, 20000);
}

function plain(text) {
  return String(text).replace(/\u001b\[[0-9;]*m/g, '').slice(0, 20000);
}

function typeOf(error) {
  return plain(error?.name || error?.constructor?.name || typeof error).slice(0, 200);
}

function causesOf(error) {
  const causes = Array.isArray(error?.errors) ? error.errors.slice(0, 5).map(described) : [];
  for (let cause = error?.cause; cause != null && causes.length < 5; cause = cause.cause)
    causes.push(described(cause));
  return causes;
}

function described(error) {
  return { type: typeOf(error), message: plain(error?.message ?? error) };
}

// Assertion libraries also set these properties for assertions that do not compare two values.
function isCompared({ expected, actual }, message) {
  return expected !== actual && (expected !== undefined || message.includes('undefined'));
}

function errorOf(error) {
  const { failureType } = error ?? {};
  if (error?.code === 'ERR_TEST_FAILURE' && error.cause != null) error = error.cause;
  if (failureType === 'testTimeoutFailure') return { type: 'Error', message: plain(error?.message ?? error), causes: [] };
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: plain(error), causes: [] };
  const values = error.matcherResult ?? error;
  const hasValues = 'expected' in values || 'actual' in values;
  const message = plain(error.message ?? inspect(error));
  return {
    type: typeOf(error),
    message,
    stack: plain(error.stack ?? ''),
    ...(hasValues && isCompared(values, message)
      ? { expected: shown(values.expected, values.actual), actual: shown(values.actual, values.expected) }
      : {}),
    causes: causesOf(error),
  };
}

function write(entry) {
  appendFileSync(report, JSON.stringify(entry) + '\n');
}

// A test may end the process.
let isOver = false;
process.on('exit', (code) => {
  if (!isOver) write({ exited: code });
});
`;

const CJS = `const { appendFileSync } = require('node:fs');
const { inspect } = require('node:util');
const report = require('node:path').join(__dirname, '${REPORT}');
${COMMON}`;

const ESM = `import { appendFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { fileURLToPath } from 'node:url';
const report = fileURLToPath(new URL('${REPORT}', import.meta.url));
${COMMON}`;

/** A reporter for node:test. */
export const NODE_REPORTER = `${ESM}
const UNMATCHED = 'test name does not match pattern';
export default async function* (source) {
  const names = [];
  // Tests that were cancelled because a hook of their suite failed. The suite is reported after them.
  let cancelled = [];
  const flush = (suite, error) => {
    for (const entry of cancelled)
      write(suite !== undefined && suite.every((name, at) => entry.path[at] === name) ? { ...entry, status: 'errored', error } : entry);
    cancelled = [];
  };
  for await (const { type, data } of source) {
    if (type === 'test:start') names[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const details = data.details ?? {};
    if (details.type === 'suite' && details.error?.failureType === 'subtestsFailed') continue;
    if (details.type === 'suite' && type === 'test:pass') continue;
    if (data.skip === UNMATCHED) continue;
    const isSkipped = data.skip !== undefined && data.skip !== false;
    const isTodo = data.todo !== undefined && data.todo !== false;
    const kind = details.error?.failureType;
    const path = [...names.slice(0, data.nesting), data.name];
    if (kind === 'hookFailed') flush(path, errorOf(details.error));
    const entry = {
      path,
      file: data.file,
      line: data.line,
      status: isSkipped || isTodo ? 'skipped'
        : type === 'test:pass' ? 'passed'
        : kind === 'hookFailed' || details.type === 'suite' ? 'errored'
        : 'failed',
      hasSubtests: kind === 'subtestsFailed' ? true : undefined,
      reason: isSkipped ? (typeof data.skip === 'string' ? data.skip : undefined) : isTodo ? 'todo' : undefined,
      durationMs: details.duration_ms,
      error: details.error === undefined ? undefined : errorOf(details.error),
    };
    if (kind === 'cancelledByParent') cancelled.push(entry);
    else write(entry);
  }
  flush();
  isOver = true;
}
`;

/** A reporter for mocha. */
export const MOCHA_REPORTER = `${CJS}
module.exports = class {
  constructor(runner) {
    const writeTest = (test, status, error) => write({
      // A hook for each test belongs to one test.
      path: ((test.type === 'hook' ? test.ctx?.currentTest : undefined) ?? test).titlePath(),
      file: test.file,
      status,
      durationMs: test.duration,
      error: error === undefined ? undefined : errorOf(error),
    });
    runner.on('pass', (test) => writeTest(test, 'passed'));
    runner.on('pending', (test) => writeTest(test, 'skipped'));
    runner.on('fail', (test, error) => writeTest(test, test.type === 'hook' ? 'errored' : 'failed', error));
    runner.on('end', () => (isOver = true));
  }
};
`;

/** A reporter for jest. */
export const JEST_REPORTER = `${CJS}
const STATUS = { passed: 'passed', failed: 'failed' };

function lostType({ message }, text) {
  if (message.startsWith('expect')) return 'AssertionError';
  return /^((?:[A-Za-z]\\w*)?(?:Error|Exception)): /.exec(text)?.[1] ?? 'AssertionError';
}

// The failures of snapshots are kept and not thrown, so that the rest of the test runs.
function keptAt(testRunner) {
  try {
    const { createRequire } = require('node:module');
    const matchers = createRequire(testRunner).resolve('@jest/expect');
    const path = createRequire(matchers).resolve('expect');
    const lines = require('node:fs').readFileSync(path, 'utf8').split('\\n');
    const line = lines.findIndex((text) => text.includes('suppressedErrors.push(error)')) + 1;
    return line > 0 ? { path, line } : undefined;
  } catch {
    return undefined;
  }
}

module.exports = class {
  onTestResult(run, result) {
    const output = (result.console ?? []).map(({ message }) => plain(message));
    for (const test of result.testResults) {
      if (test.status === 'pending' && result.testResults.some(({ status }) => status === 'passed' || status === 'failed')) continue;
      const [detail, ...further] = test.failureDetails ?? [];
      const [message] = test.failureMessages ?? [];
      const error = detail === undefined ? undefined : errorOf(detail?.error ?? detail);
      // An error from a worker or a matcher has lost its class.
      if (error?.type === 'Object') error.type = lostType(error, plain(message ?? ''));
      write({
        path: [...test.ancestorTitles, test.title],
        file: result.testFilePath,
        line: test.location?.line,
        status: STATUS[test.status] ?? 'skipped',
        reason: test.status === 'todo' ? 'todo' : undefined,
        isUnmatched: test.status === 'pending' ? true : undefined,
        durationMs: test.duration ?? undefined,
        output,
        error: error === undefined ? undefined : {
          ...error,
          stack: error.stack || plain(message ?? ''),
          keptAt: keptAt(run.context.config.testRunner),
          further: further.slice(0, 20).map((other, index) => {
            const described = errorOf(other?.error ?? other);
            return { ...described, stack: described.stack || plain(test.failureMessages?.[index + 1] ?? '') };
          }),
        },
      });
    }
    if (result.testExecError != null)
      write({ loadError: { ...errorOf(result.testExecError), output } });
  }
  onRunComplete() {
    isOver = true;
  }
};
`;

/** A reporter for vitest 1 and later versions. */
export const VITEST_REPORTER = `${ESM}
const STATUS = { passed: 'passed', pass: 'passed', failed: 'failed', fail: 'failed', errored: 'errored' };
export default class {
  output = [];
  isReported = false;
  onUserConsoleLog({ content }) {
    this.output.push(...plain(content).replace(/\\n$/, '').split('\\n'));
  }
  entry(path, file, line, state, errors, durationMs, reason) {
    const [error, ...further] = errors ?? [];
    write({
      path,
      file,
      line,
      status: STATUS[state] ?? 'skipped',
      reason,
      durationMs,
      output: this.output,
      error: error === undefined ? undefined : { ...this.error(error), further: further.slice(0, 20).map((other) => this.error(other)) },
    });
  }
  error(error) {
    const { stack, ...described } = errorOf(error);
    const values = typeof error.expected === 'string' && typeof error.actual === 'string'
      ? { expected: plain(error.expected), actual: plain(error.actual) } : {};
    return {
      ...described,
      ...values,
      frames: (error.stacks ?? error.stackTrace ?? []).map(({ file, line, method }) => ({ path: file, line, name: method || '<anonymous>' })),
      stack,
    };
  }
  onTestRunEnd(modules, errors = []) {
    isOver = true;
    this.isReported = true;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors: own, note } = test.result();
        const path = [test.name];
        let suiteErrors = [];
        for (let at = test.parent; at !== undefined && at.type === 'suite'; at = at.parent) {
          path.unshift(at.name);
          suiteErrors = [...(at.errors?.() ?? []), ...suiteErrors];
        }
        // A hook of its suite has failed.
        if (state === 'skipped' && test.options?.mode === 'run' && suiteErrors.length > 0) {
          this.entry(path, module.moduleId, test.location?.line, 'errored', suiteErrors);
          continue;
        }
        const isUnmatched = test.options?.mode === 'run' && state === 'skipped' && note === undefined;
        if (isUnmatched) continue;
        this.entry(path, module.moduleId, test.location?.line, state, own, test.diagnostic()?.duration, note);
      }
      for (const error of module.errors?.() ?? []) write({ loadError: this.error(error) });
    }
    for (const error of errors) write({ loadError: this.error(error) });
  }
  onFinished(files = [], errors = []) {
    isOver = true;
    if (this.isReported) return;
    const visit = (task, path, suiteErrors = []) => {
      const errors = task.result?.errors ?? [];
      if (task.type === 'suite') for (const child of task.tasks) visit(child, task.filepath === undefined ? [...path, task.name] : path, [...suiteErrors, ...errors]);
      else if (task.mode === 'run' && task.result === undefined && suiteErrors.length > 0)
        this.entry([...path, task.name], task.file?.filepath, task.location?.line, 'errored', suiteErrors);
      else if (task.result !== undefined)
        this.entry([...path, task.name], task.file?.filepath, task.location?.line, task.result.state, task.result.errors, task.result.duration);
    };
    for (const file of files) {
      visit(file, []);
      if (file.tasks.length === 0) for (const error of file.result?.errors ?? []) write({ loadError: this.error(error) });
    }
    for (const error of errors) write({ loadError: this.error(error) });
  }
}
`;
