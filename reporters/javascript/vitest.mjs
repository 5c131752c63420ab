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
      for (const module of modules) this.module(module);
      this.loadErrors(errors);
    });
  }

  module(module) {
    const { name } = module.project ?? {};
    const common = { file: module.moduleId, project: name === '' ? undefined : name };
    for (const test of module.children.allTests()) this.test(test, common);
    this.loadErrors(module.errors?.() ?? []);
  }

  test(test, common) {
    const { state, errors, note } = test.result();
    const path = [test.name];
    let ofSuites = [];
    for (let at = test.parent; at !== undefined && at.type === 'suite'; at = at.parent) {
      path.unshift(at.name);
      ofSuites = [...(at.errors?.() ?? []), ...ofSuites];
    }
    const hasNotRun = state === 'skipped' && test.options?.mode === 'run';
    const entry = { ...common, path, line: test.location?.line };
    // A hook of its suite has failed.
    if (hasNotRun && ofSuites.length > 0) this.entry(entry, 'errored', ofSuites);
    else if (!hasNotRun || note !== undefined)
      this.entry(
        { ...entry, durationMs: test.diagnostic()?.duration, reason: note },
        state,
        errors,
      );
  }

  entry(entry, state, errors) {
    const described = (errors ?? []).map(describedError);
    write({
      ...entry,
      ...{ status: STATUS[state] ?? 'skipped', output: this.output, error: errorsOf(described) },
    });
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
      for (const file of files) this.file(file);
      this.loadErrors(errors);
    });
  }

  file(file) {
    const common = { file: file.filepath, project: file.projectName || undefined };
    this.task(file, [], [], common);
    if (file.tasks.length === 0) this.loadErrors(file.result?.errors ?? []);
  }

  task(task, groups, ofSuites, common) {
    const { result, mode, name } = task;
    if (task.type === 'suite') {
      const path = task.filepath === undefined ? [...groups, name] : groups;
      for (const child of task.tasks)
        this.task(child, path, [...ofSuites, ...(result?.errors ?? [])], common);
      return;
    }
    const entry = { ...common, path: [...groups, name], line: task.location?.line };
    if (result !== undefined)
      this.entry({ ...entry, durationMs: result.duration }, result.state, result.errors);
    else if (mode === 'run' && ofSuites.length > 0) this.entry(entry, 'errored', ofSuites);
  }
}

/** Describes a copy of an error. The worker has added the frames with their values. */
function describedError(error) {
  const carried = guarded(() => JSON.parse(error[FRAMES] ?? '{}'));
  const values =
    typeof error.expected === 'string' && typeof error.actual === 'string'
      ? { expected: plain(error.expected), actual: plain(error.actual) }
      : {};
  const parsed = (error.stacks ?? error.stackTrace ?? []).map(({ file, line, column, method }) => ({
    ...{ path: file, line, column, name: method || '<anonymous>' },
  }));
  const stack = plain(error.stack ?? '');
  const raw = framesInStack(stack);
  const frames = parsed.length > 0 ? parsed : raw;
  return { ...saidBy(error), ...values, stack, ...placesOf(carried ?? {}, frames, raw) };
}
