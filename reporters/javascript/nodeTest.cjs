'use strict';
const { begin, errorOf, guarded, plain, watchExit, write } = require('./failures.cjs');

/** What Node 20 reports about tests that the pattern leaves out. */
const UNMATCHED = 'test name does not match pattern';

const ended = watchExit();
begin();

/** Returns the error of the test itself. node:test puts it into one of its own, and that of a hook into two. */
function innermost(error) {
  let inner = error;
  while (inner?.code === 'ERR_TEST_FAILURE' && 'cause' in inner) inner = inner.cause;
  return inner;
}

function describedError(error) {
  if (error?.failureType !== 'testTimeoutFailure') return errorOf(innermost(error));
  return { type: 'Error', message: plain(error.cause ?? error.message), causes: [] };
}

function statusOf(type, kind, { skip, todo, details = {} }) {
  const isOff = [skip, todo].some((reason) => reason !== undefined && reason !== false);
  if (isOff) return 'skipped';
  if (type === 'test:pass') return 'passed';
  return kind === 'hookFailed' || details.type === 'suite' ? 'errored' : 'failed';
}

function reasonOf({ skip, todo }) {
  if (skip !== undefined && skip !== false) return typeof skip === 'string' ? skip : undefined;
  return todo === undefined || todo === false ? undefined : 'todo';
}

class Results {
  constructor() {
    this.names = [];
    /** Tests that were cancelled because a hook of their suite failed. The suite is reported after them. */
    this.cancelled = [];
  }

  event({ type, data }) {
    if (type === 'test:start') this.names[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') return;
    const { details = {} } = data;
    const kind = details.error?.failureType;
    if (data.skip === UNMATCHED) return;
    if (details.type === 'suite' && (type === 'test:pass' || kind === 'subtestsFailed')) return;
    const path = [...this.names.slice(0, data.nesting), data.name];
    const error = details.error === undefined ? undefined : describedError(details.error);
    if (kind === 'hookFailed') this.flush(path, error);
    const entry = {
      ...{ path, file: data.file, line: data.line, status: statusOf(type, kind, data) },
      ...{ reason: reasonOf(data), durationMs: details.duration_ms, error },
      hasSubtests: kind === 'subtestsFailed' ? true : undefined,
    };
    if (kind === 'cancelledByParent') this.cancelled.push(entry);
    else write(entry);
  }

  flush(suite, error) {
    for (const entry of this.cancelled) {
      const isOfSuite = suite !== undefined && suite.every((name, at) => entry.path[at] === name);
      write(isOfSuite ? { ...entry, status: 'errored', error } : entry);
    }
    this.cancelled = [];
  }
}

module.exports = async function* (source) {
  const results = new Results();
  for await (const event of source) guarded(() => results.event(event));
  guarded(() => results.flush());
  ended();
};
