import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const {
  errorsOf,
  framesInStack,
  guarded,
  plain,
  placesOf,
  REPORT,
  saidBy,
  watchExit,
  write,
} = require('./failures.cjs');
const { FRAMES } = require('./vitestWorker.cjs');

const SETUP = fileURLToPath(new URL('./vitestSetup.mjs', import.meta.url));
const STATUS = {
  ...{ passed: 'passed', pass: 'passed', failed: 'failed', fail: 'failed', errored: 'errored' },
};

const ended = watchExit();

/** A reporter for vitest 1 and later versions. */
export default class {
  output = [];
  isReported = false;
  hasUnfinished = false;

  onInit(vitest) {
    guarded(() => {
      for (const project of vitest.projects ?? [vitest]) {
        const { config } = project;
        config.setupFiles.push(SETUP);
        config.includeTaskLocation = true;
        // For tests in a simulated browser, vite serves only the files of some folders.
        (project.vite ?? project.server)?.config.server.fs.allow.push(dirname(SETUP));
      }
      // The debugger attaches to the workers only.
      Object.assign(process.env, JSON.parse(process.env.AGENT_DEBUGGER_WORKERS ?? '{}'));
      process.env.AGENT_DEBUGGER_WORKER = require.resolve('./vitestWorker.cjs');
      process.env.AGENT_DEBUGGER_VITEST = vitest.version ?? '1';
      const seconds = Number(process.env.AGENT_DEBUGGER_SECONDS);
      // The workers count the time from their own start.
      if (seconds > 0) process.env.AGENT_DEBUGGER_SECONDS = String(seconds - process.uptime());
    });
  }

  onUserConsoleLog({ content }) {
    this.output.push(...plain(content).replace(/\n$/, '').split('\n'));
  }

  onTestRunEnd(modules, errors = []) {
    ended();
    this.isReported = true;
    guarded(() => {
      for (const module of modules) this.module(module, errors);
      this.loadErrors(errors);
    });
  }

  module(module, errors) {
    const { name } = module.project ?? {};
    const common = { file: module.moduleId, project: name === '' ? undefined : name };
    for (const test of module.children.allTests()) this.test(test, common, errors);
    // A hook that fails behind the tests fails none of them.
    for (const suite of module.children.allSuites())
      if (hasRun([...suite.children.allTests()].map((test) => test.result().state)))
        this.loadErrors(suite.errors?.() ?? []);
    this.loadErrors(module.errors?.() ?? []);
  }

  test(test, common, errorsOfRun) {
    const { state, errors, note } = test.result();
    const path = [test.name];
    let ofSuites = [];
    for (let at = test.parent; at !== undefined && at.type === 'suite'; at = at.parent) {
      path.unshift(at.name);
      ofSuites = [...(at.errors?.() ?? []), ...ofSuites];
    }
    const hasNotRun = state === 'skipped' && test.options?.mode === 'run';
    const entry = { ...common, path, line: test.location?.line };
    if (state === 'pending') this.unfinished(entry, errorsOfRun);
    // A hook of its suite has failed.
    else if (hasNotRun && ofSuites.length > 0) this.entry(entry, 'errored', ofSuites);
    else if (!hasNotRun || note !== undefined)
      this.entry(
        { ...entry, durationMs: test.diagnostic()?.duration, reason: note },
        state,
        errors,
        test.id,
      );
  }

  entry(entry, state, errors, id) {
    const described = (errors ?? []).map((error) => describedError(error, id));
    write({
      ...entry,
      ...{ status: STATUS[state] ?? 'skipped', output: this.output, error: errorsOf(described) },
    });
  }

  /** The run has ended, and the test has not. It may have ended its worker. The tests behind it have not begun. */
  unfinished(entry, errors) {
    if (this.hasUnfinished) return;
    this.hasUnfinished = true;
    const message = 'The process of the test ended before the test ended.';
    const [cause] = errors.map((error) => saidBy(error));
    const causes = cause === undefined ? [] : [cause, ...cause.causes];
    const frames =
      entry.line === undefined
        ? []
        : [{ name: entry.path.at(-1), path: entry.file, line: entry.line }];
    const error = { message, causes, frames, withoutValues: 'process_ended' };
    write({ ...entry, status: 'errored', output: this.output, error });
  }

  loadErrors(errors) {
    for (const error of errors)
      write({ loadError: { ...describedError(error), output: this.output } });
  }

  /** The end of a run in vitest 1 and 2. */
  onFinished(files = [], errors = []) {
    ended();
    if (this.isReported) return;
    guarded(() => {
      for (const file of files) this.file(file, errors);
      this.loadErrors(errors);
    });
  }

  file(file, errors) {
    const common = { file: file.filepath, project: file.projectName || undefined };
    this.task(file, [], [], common, errors);
    if (file.tasks.length === 0) this.loadErrors(file.result?.errors ?? []);
  }

  task(task, groups, ofSuites, common, errors) {
    const { result, mode, name } = task;
    if (task.type === 'suite') {
      const path = task.filepath === undefined ? [...groups, name] : groups;
      for (const child of task.tasks)
        this.task(child, path, [...ofSuites, ...(result?.errors ?? [])], common, errors);
      if (hasRun(statesIn(task))) this.loadErrors(result?.errors ?? []);
      return;
    }
    const entry = { ...common, path: [...groups, name], line: task.location?.line };
    const hasBegun = result !== undefined && result.state !== 'queued';
    if (mode === 'run' && ofSuites.length === 0 && (!hasBegun || result.state === 'run'))
      this.unfinished(entry, errors);
    else if (result !== undefined)
      this.entry({ ...entry, durationMs: result.duration }, result.state, result.errors, task.id);
    else if (mode === 'run' && ofSuites.length > 0) this.entry(entry, 'errored', ofSuites);
  }
}

/** Whether a test has run, of those with some states. */
function hasRun(states) {
  return states.some((state) => ['passed', 'pass', 'failed', 'fail'].includes(state));
}

function statesIn({ tasks = [], result, type }) {
  return type === 'suite' ? tasks.flatMap(statesIn) : [result?.state];
}

let told;

/**
 * Returns what a worker has told of a thrown value that is no error. Such a value has no identity here: it is the last
 * one of its test that looks like the copy.
 */
function thrownAs(copy, test) {
  if (typeof copy.stack === 'string' && copy.stack !== '') return undefined;
  told ??= readFileSync(REPORT, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"thrown":'));
  const found = told.findLast((line) => {
    const { thrown, test: owner = test } = JSON.parse(line);
    const isOfTest = test === undefined || owner === test;
    return isOfTest && Object.entries(thrown).every(([name, text]) => String(copy[name]) === text);
  });
  return found === undefined ? undefined : JSON.parse(found);
}

/** Describes a copy of an error. The worker has added the frames with their values. */
function describedError(error, test) {
  const carried = guarded(() =>
    error[FRAMES] === undefined ? thrownAs(error, test) : JSON.parse(error[FRAMES]),
  );
  const values =
    typeof error.expected === 'string' && typeof error.actual === 'string'
      ? { expected: plain(error.expected), actual: plain(error.actual) }
      : {};
  const { stacks, stackTrace, ...own } = error;
  const parsed = (stacks ?? stackTrace ?? []).map(({ file, line, column, method }) => ({
    ...{ path: file, line, column, name: method || '<anonymous>' },
  }));
  const stack = plain(error.stack ?? '');
  const raw = framesInStack(stack);
  const frames = parsed.length > 0 ? parsed : raw;
  const said = saidBy(error.message === undefined ? own : error);
  const type = carried?.type ?? said.type;
  return { ...said, ...values, type, stack, ...placesOf(carried ?? {}, frames, raw) };
}
