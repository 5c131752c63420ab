'use strict';
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const {
  begin,
  errorOf,
  errorsOf,
  guarded,
  plain,
  recorder,
  watchExit,
  write,
} = require('./failures.cjs');

const ended = watchExit();

const STATUS = { passed: 'passed', failed: 'failed' };

/** A reporter for jest. */
module.exports = class {
  constructor() {
    /** The errors of the tests of a file, described, by the names of their tests. */
    this.errors = [];
  }

  onTestStart(test) {
    guarded(() => {
      this.errors = [];
      begin({ waits: true });
      watchFailures(test.context.config.testRunner, test.path, (failure) =>
        this.errors.push(failure),
      );
    });
  }

  onTestResult(test, result) {
    guarded(() => this.report(test, result));
  }

  report(test, result) {
    const { displayName } = test.context.config;
    const common = {
      file: result.testFilePath,
      project: displayName?.name ?? displayName,
      output: (result.console ?? []).map(({ message }) => plain(message)),
    };
    const hasRun = result.testResults.some(({ status }) => STATUS[status] !== undefined);
    for (const each of result.testResults) {
      if (each.status === 'pending' && hasRun) continue;
      write({ ...common, ...this.entryOf(each) });
    }
    if (result.testExecError != null)
      write({ loadError: { ...loadErrorOf(result.testExecError), output: common.output } });
  }

  entryOf(test) {
    const { failureDetails = [], failureMessages = [] } = test;
    const path = [...test.ancestorTitles, test.title];
    const texts = failureMessages.map((message) => plain(message));
    // A test that runs again keeps only the errors of its last time.
    const own = this.errors.filter(({ of }) => of.every((name, at) => path[at] === name));
    const known = own.length < texts.length ? [] : sorted(own).slice(-texts.length);
    const errors = texts.map((text, at) =>
      known[at] === undefined
        ? describedCopy(failureDetails[at], text)
        : describedError(known[at].error, text),
    );
    return {
      path,
      line: test.location?.line,
      status: STATUS[test.status] ?? 'skipped',
      reason: test.status === 'todo' ? 'todo' : undefined,
      isUnmatched: test.status === 'pending' ? true : undefined,
      durationMs: test.duration ?? undefined,
      error: errorsOf(errors),
    };
  }

  onRunComplete() {
    ended();
  }
};

/** jest puts the errors that it has kept behind the others. */
function sorted(errors) {
  return [...errors.filter(({ isKept }) => !isKept), ...errors.filter(({ isKept }) => isKept)];
}

/** The error of a hook that fails behind the tests has its text only in its stack. */
function loadErrorOf(error) {
  if (error.message !== '') return errorOf(error);
  const [text] = plain(error.stack).split(/\n[^\S\n]+at /);
  const [, name = 'Error', message = text] =
    /^([A-Za-z]\w*(?:Error|Exception)|Error): ([^]*)/.exec(text) ?? [];
  return errorOf({ name, message, stack: error.stack });
}

/** Describes what jest reports about an error. */
function describedCopy(detail, text) {
  const error = detail?.error ?? detail ?? { message: text.split(/\n[^\S\n]+at /)[0] };
  return describedError(error, text);
}

/** @param text the message and the stack, as jest prints them */
function describedError(error, text) {
  const hasStack = typeof error?.stack === 'string' && error.stack !== '';
  // For what is no error, jest prints the stack of the test's declaration.
  const isPlaced = !hasStack && recorder.recordsOf(error).some(({ frames }) => frames.length > 0);
  const described = errorOf(error, isPlaced ? '' : hasStack ? undefined : text);
  if (isPlaced || typeof error !== 'object' || error === null) return described;
  // An error from a matcher, or a copy, has lost its class.
  const isLost = error.matcherResult !== undefined || described.type === 'Object';
  return isLost ? { ...described, type: lostType(described, text) } : described;
}

function lostType({ message }, text) {
  if (message.startsWith('expect')) return 'AssertionError';
  return /^((?:[A-Za-z]\w*)?(?:Error|Exception)): /.exec(text)?.[1] ?? 'AssertionError';
}

/** The event of jest-circus before a test runs. The test may end the process. */
const START = 'test_fn_start';
/** The events of jest-circus that have the error of a test. */
const FAILURES = ['test_fn_failure', 'hook_failure', 'error'];

const RUNNING = `Object.getOwnPropertySymbols(globalThis)
  .filter(({ description }) => description === 'JEST_STATE_SYMBOL')
  .map((symbol) => globalThis[symbol]?.currentlyRunningTest)[0]`;

const FAILURE = `(({ error, test, describeBlock, name }) => {
  const running = ${RUNNING};
  return { name, error, of: test ?? describeBlock ?? (name === 'error' ? running : undefined) };
})(event)`;

/**
 * Reads the errors of tests where jest handles them. What it reports later are copies. Failures of snapshots are kept
 * and not thrown, so that the rest of the test runs.
 */
function watchFailures(testRunner, file, found) {
  const fromRunner = createRequire(testRunner);
  const handler = lineIn(circusFiles(fromRunner), 'const eventHandler = ', 'switch (event.name)');
  if (handler !== undefined)
    recorder.atLine(
      handler,
      `${JSON.stringify([START, ...FAILURES])}.includes(event.name)`,
      (valueOf) => {
        const { name, error, of } = valueOf(FAILURE) ?? {};
        if (of === undefined) return;
        if (name === START) write({ running: true, file, path: namesOf(of) });
        else found({ error, of: namesOf(of) });
      },
    );
  const kept = lineIn(matcherFiles(fromRunner), '', 'suppressedErrors.push(error)');
  if (kept !== undefined)
    recorder.atLine(kept, undefined, (valueOf, frames) => {
      const { error, of } = valueOf(`({ error, of: ${RUNNING} })`) ?? {};
      recorder.keep(error, frames());
      if (of !== undefined) found({ error, of: namesOf(of), isKept: true });
    });
}

function circusFiles(fromRunner) {
  const [folder] = resolved(fromRunner, 'jest-circus/package.json').map((file) => dirname(file));
  if (folder === undefined) return [];
  return ['eventHandler.js', 'jestAdapterInit.js'].map((file) => join(folder, 'build', file));
}

function matcherFiles(fromRunner) {
  const matchers = resolved(fromRunner, '@jest/expect').map((file) => createRequire(file));
  return [...matchers, fromRunner].flatMap((from) => resolved(from, 'expect'));
}

function resolved(from, name) {
  try {
    return [from.resolve(name)];
  } catch {
    return [];
  }
}

/** Returns the line of the first text behind another one, in the first file that has it. */
function lineIn(files, after, text) {
  for (const path of files) {
    const source = read(path);
    const at = source.indexOf(text, Math.max(0, source.indexOf(after)));
    if (at >= 0 && source.includes(after))
      return { path, line: source.slice(0, at).split('\n').length };
  }
  return undefined;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The names of a test and its groups, without jest's own outermost group. */
function namesOf(test) {
  const names = [];
  for (let at = test; at?.parent !== undefined; at = at.parent) names.unshift(at.name);
  return names;
}
