import { strict as assert } from 'node:assert';
import path from 'node:path';
import { AddressBreakpoints } from '../../../src/debugger/breakpoints/addressBreakpoints';
import { BreakpointBook } from '../../../src/debugger/breakpoints/breakpointBook';
import { BreakpointViews } from '../../../src/results/views/breakpointView';
import { DebugModel } from '../../../src/debugger/state/debugModel';
import { asFailure } from '../../../src/results/debuggerFailures';
import { Failure } from '../../../src/results/failure';
import { HandleTable } from '../../../src/debugger/inspection/handles';
import { ExceptionBreakpoints } from '../../../src/debugger/breakpoints/exceptionBreakpoints';
import { NamedSources } from '../../../src/debugger/inspection/namedSources';
import { Inspector } from '../../../src/debugger/inspection/inspector';
import { StopPrefetch } from '../../../src/debugger/inspection/prefetch';
import { AdapterRequests } from '../../../src/debugger/requests';
import type { SessionState } from '../../../src/debugger/state/state';
import { AgentAccess } from '../../../src/tools/access';
import { Redactor } from '../../../src/results/redact';
import { StopReporter } from '../../../src/results/views/stopReport';
import { LaunchMemory } from '../../../src/tools/launch/launchMemory';
import { ComingStarts } from '../../../src/tools/launch/comingStarts';
import { ProgramInputs } from '../../../src/tools/launch/programInputs';
import { FakeInputFiles } from './inputFiles';
import type { LaunchSource } from '../../../src/tools/launch/launchFile';
import { InjectedBreakpoints } from '../../../src/control/injectedBreakpoints';
import { Listeners } from '../../../src/util/listeners';
import { TemporaryRecordingFolders } from '../../../src/editor/recordingFolders';
import { Recordings } from '../../../src/recording/recordings';
import { PythonTracer } from '../../../src/trace/tracers/python/pythonTracer';
import { RECORDERS } from './recorderRuns';
import { Leases } from '../../../src/control/leases';
import { RunControl } from '../../../src/control/runControl';
import { TemporaryBreakpoints } from '../../../src/control/temporaryBreakpoints';
import { Triggers } from '../../../src/control/triggers/triggers';
import { Waits } from '../../../src/control/waits';
import {
  GuardedWorkspace,
  mayQuote,
  type BareWorkspace,
  type Disk,
  type FileContent,
} from '../../../src/tools/files/fileAccess';
import type {
  Call,
  InstalledDebugger,
  Scratch,
  TaskCommand,
  ToolServices,
} from '../../../src/tools/services';
import { Heaps } from '../../../src/tools/live/heap/heapSummary';
import { WriterAnswers } from '../../../src/tools/live/writer/writerAnswers';
import { Collections } from '../../../src/tools/trace/collect/collections';
import { created, launched, sessionOf, stopped } from './events';
import { FakeHost } from './fakeHost';
import { FakeProcesses } from './processes';
import { fakeInvestigation, type FakeInvestigation } from './investigation';

export const FILE = '/home/ada/app/main.js';
export const LINES = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
];

/** A workspace and its disk, which the tools access through the real guard. */
export class FakeWorkspace implements BareWorkspace, Disk {
  trusted = true;
  folders: readonly { readonly name: string; readonly path: string }[] = [
    { name: 'app', path: '/home/ada/app' },
  ];
  readonly files = new Map<string, string>([[FILE, LINES.join('\n')]]);
  /** The time of the last change of each file. */
  readonly changedAt = new Map<string, number>();

  /** The targets of links. */
  readonly links = new Map<string, string>();
  /** The paths that were read from the disk. */
  readonly looked: string[] = [];

  realPath(file: string): Promise<string> {
    const link = [...this.links].find(([from]) => file === from || file.startsWith(`${from}/`));
    return Promise.resolve(link === undefined ? file : link[1] + file.slice(link[0].length));
  }

  async read(real: string): Promise<FileContent> {
    this.looked.push(real);
    try {
      return { kind: 'text', text: await this.readText(real), changedAt: this.changedAt.get(real) };
    } catch (error) {
      if (error instanceof Failure) return { kind: 'absent' };
      throw error;
    }
  }

  kindOf(real: string): Promise<'file' | 'folder' | undefined> {
    this.looked.push(real);
    return Promise.resolve(
      this.files.has(real)
        ? 'file'
        : [...this.files.keys()].some((file) => file.startsWith(`${real}/`))
          ? 'folder'
          : undefined,
    );
  }

  /** The languages of files that are not JavaScript. */
  readonly languages = new Map<string, string>();
  installed: readonly Pick<InstalledDebugger, 'type' | 'languages'>[] = [
    { type: 'test', languages: ['javascript'] },
  ];

  languageByName(file: string): string | undefined {
    return this.languages.get(file) ?? 'javascript';
  }

  sources: readonly LaunchSource[] = [];
  /** The values that VS Code would insert for `${config:…}`, `${env:…}` and `${selectedText}`. */
  readonly values = new Map<string, string>();
  readonly settings = new Map<string, unknown>();
  /** The inputs that VS Code itself defines. */
  inputs: readonly unknown[] = [];
  /** The commands behind `${command:…}` in the debugger's manifest. */
  commands: Readonly<Record<string, string>> = {};
  readonly platform = 'linux';
  fits = true;

  variable(name: string, argument: string | undefined): string | undefined {
    return this.values.get(argument === undefined ? name : `${name}:${argument}`);
  }

  setting(name: string): unknown {
    return this.settings.get(name);
  }

  launchInputs(): readonly unknown[] {
    return this.inputs;
  }

  isForLanguage(): Promise<boolean> {
    return Promise.resolve(this.fits);
  }

  launchSources(): Promise<readonly LaunchSource[]> {
    return Promise.resolve(this.sources);
  }

  debuggers(): readonly InstalledDebugger[] {
    return this.installed.map((each) => ({ ...each, label: 'Test', commands: this.commands }));
  }

  languageOf(file: string): Promise<string | undefined> {
    return Promise.resolve(this.languageByName(file));
  }

  readText(file: string): Promise<string> {
    const text = this.files.get(file);
    return text === undefined
      ? Promise.reject(new Failure('file_not_found', `no file ${file}`, ''))
      : Promise.resolve(text);
  }

  filesNamed(name: string): Promise<readonly string[]> {
    return Promise.resolve([...this.files.keys()].filter((file) => file.endsWith(`/${name}`)));
  }

  filesWith(extensions: readonly string[]): Promise<readonly string[]> {
    return Promise.resolve(
      [...this.files.keys()].filter((file) => extensions.some((each) => file.endsWith(`.${each}`))),
    );
  }

  /** What tasks run, by their labels. */
  readonly tasks = new Map<unknown, readonly TaskCommand[]>();

  taskCommands(task: unknown): Promise<readonly TaskCommand[] | undefined> {
    return Promise.resolve(this.tasks.get(task));
  }

  runTask(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/** Temporary folders in memory. */
export class FakeScratch implements Scratch {
  readonly folders = new Map<string, Map<string, string>>();

  pathOf(name: string): string {
    return `/home/ada/.scratch/${name}`;
  }

  async make(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    this.folders.set(name, new Map(Object.entries(files)));
  }

  async read(name: string, file: string): Promise<string | undefined> {
    return this.folders.get(name)?.get(file);
  }

  async names(name: string, folder: string): Promise<readonly string[]> {
    const files = [...(this.folders.get(name)?.keys() ?? [])];
    return files.filter((file) => path.dirname(file) === folder).map((file) => path.basename(file));
  }

  async *parts(name: string, file: string, from: number): AsyncIterable<Uint8Array> {
    const text = await this.read(name, file);
    if (text !== undefined) yield Buffer.from(text).subarray(from);
  }

  async remove(name: string): Promise<void> {
    this.folders.delete(name);
  }
}

export interface Bench {
  readonly model: DebugModel;
  readonly host: FakeHost;
  readonly workspace: FakeWorkspace;
  readonly investigation: FakeInvestigation;
  readonly processes: FakeProcesses;
  readonly inputFiles: FakeInputFiles;
  readonly services: ToolServices;
  readonly requests: AdapterRequests;
  readonly prefetch: StopPrefetch;
  readonly call: Call;
  /** Cancels the call. */
  readonly cancel: () => void;
  session(key?: string): SessionState;
}

/** All services for tools, on a scripted host: an adapter with one frame at `FILE`:3 and one local variable. */
export function bench(requestLimitMs = 2000): Bench {
  const model = new DebugModel();
  const host = new FakeHost(model);
  const workspace = new FakeWorkspace();
  const requests = new AdapterRequests(host, model, requestLimitMs);
  const named = new NamedSources(model, (file) => workspace.realPath(file));
  model.observe((event) => named.observe(event), named.observes);
  const guarded = new GuardedWorkspace(workspace, workspace, (real) => named.has(real));
  const inspector = new Inspector(model, requests, new HandleTable(model));
  const breakpoints = new BreakpointBook(host, model);
  const addressBreakpoints = new AddressBreakpoints(host, model, breakpoints);
  model.observe((event) => addressBreakpoints.observe(event), addressBreakpoints.observes);
  const stops = new StopReporter(
    model,
    inspector,
    breakpoints,
    (file) => guarded.readSource(file),
    (file) => workspace.files.has(file),
  );
  const prefetch = new StopPrefetch(model, requests);
  model.observe((event) => prefetch.observe(event), prefetch.observes);
  model.observe((event) => breakpoints.observe(event), breakpoints.observes);
  const processes = new FakeProcesses();
  const inputFiles = new FakeInputFiles();
  const leases = new Leases(model);
  model.observe((event) => leases.observe(event), leases.observes);
  const temporary = new TemporaryBreakpoints(host, breakpoints);
  const control = new RunControl(
    model,
    host,
    new Waits(model, prefetch),
    leases,
    temporary,
    processes,
  );
  const injected = new InjectedBreakpoints(host, model);
  model.observe((event) => injected.observe(event), injected.observes);
  const files = new TemporaryRecordingFolders();
  const recordings = new Recordings(
    model,
    injected,
    files,
    requests,
    addressBreakpoints,
    RECORDERS,
  );
  const python = new PythonTracer({ model, requests, injected, files }, RECORDERS);
  const controller = new AbortController();
  const redactor = new Redactor(() => ({ enabled: true, patterns: [] }));
  const investigation = fakeInvestigation(redactor);
  host
    .on('threads', () => ({ threads: [{ id: 1, name: 'main' }] }))
    .on('stackTrace', () => ({
      stackFrames: [
        { id: 10, name: 'main', line: 3, column: 5, source: { name: 'main.js', path: FILE } },
      ],
      totalFrames: 1,
    }))
    .on('scopes', () => ({
      scopes: [
        { name: 'Local', presentationHint: 'locals', variablesReference: 7, expensive: false },
      ],
    }))
    .on('variables', () => ({
      variables: [{ name: 'count', value: '3', type: 'number', variablesReference: 0 }],
    }));
  return {
    model,
    host,
    workspace,
    investigation,
    processes,
    inputFiles,
    requests,
    prefetch,
    services: {
      model,
      host,
      workspace: guarded,
      inspector,
      named,
      breakpoints,
      addressBreakpoints,
      exceptions: new ExceptionBreakpoints(host, model),
      stops,
      control,
      triggers: new Triggers(model, () => ({})),
      injected,
      recordings,
      tracers: { python },
      collections: new Collections(),
      recorded: new Listeners(),
      heaps: new Heaps(),
      writers: new WriterAnswers(),
      launches: new LaunchMemory(),
      starts: new ComingStarts(),
      inputs: new ProgramInputs(model, inputFiles),
      access: new AgentAccess(),
      redactor,
      investigation,
      scratch: new FakeScratch(),
      reporters: '/home/ada/.reporters',
      recorders: RECORDERS,
      cargo: { run: () => Promise.resolve(undefined) },
      go: { run: () => Promise.resolve(undefined) },
      testPrograms: { run: () => Promise.resolve(undefined) },
      processes,
      threadDumps: { ofJava: () => Promise.resolve(undefined) },
      breakpointViews: new BreakpointViews(
        breakpoints,
        model,
        requests,
        () => workspace.isForLanguage(),
        (file) => mayQuote(guarded, file),
      ),
    },
    call: { signal: controller.signal, maxWaitSeconds: 300, maxChars: 7500, personPresent: false },
    cancel: () => controller.abort(),
    session: (key = 'a') => sessionOf(model.state, key),
  };
}

/** Starts the session `a` (or another), running. */
export function running(on: Bench, key = 'a', parentKey?: string): Bench {
  for (const event of launched(key, { parentKey })) on.model.dispatch(event);
  return on;
}

/** Starts the session `a` (or another), stopped in thread 1 (or another) at its first stop. */
export function paused(on: Bench, key = 'a', threadId = 1, more: object = {}): Bench {
  running(on, key);
  on.model.dispatch(stopped(threadId, { reason: 'breakpoint', ...more }, key));
  return on;
}

/** Starts a session without threads, like a parent session of js-debug, and its child. */
export function family(on: Bench): Bench {
  on.model.dispatch(created('parent'));
  for (const event of launched('child', { parentKey: 'parent' })) on.model.dispatch(event);
  return on;
}

/** Asserts that a tool failure with this code is thrown. */
export function failsWith(code: string): (error: unknown) => true {
  return (error) => {
    const failure = asFailure(error);
    assert.ok(failure, String(error));
    assert.equal(failure.code, code);
    return true;
  };
}
