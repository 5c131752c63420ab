import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { fields, textOf, type Fields } from '../../debugger/protocol';
import type { AdapterRequests } from '../../debugger/requests';
import { threadOfStop, type SessionState } from '../../debugger/state/state';
import { Listeners, type Subscription } from '../../util/listeners';
import type { CallLimits, CallRecorder, RecordedCallees } from '../callRecorder';
import type { RecordedData } from '../recordedData';
import type { RecordedCall, RecordedHit } from '../recordedRows';
import type { RecordingFolder } from '../recordingFiles';
import type { RecordingPoint } from '../recordingPlan';
import { RecordingReader } from '../recordingReader';
import {
  lldbAnswer,
  lldbCall,
  lldbCallFile,
  lldbEarlyCallFile,
  lldbEarlyImport,
  lldbEarlyProbeFile,
  lldbImport,
  lldbProbeFile,
  ROWS,
  type LldbCallSettings,
  type LldbEntry,
  type LldbFunction,
  type LldbProbeSettings,
  type LldbSettings,
} from './recorder';

/** The time that the debugger may take to remove the recorder, in milliseconds. */
const REMOVAL_LIMIT_MS = 2000;
/** The same for a stopped program, whose debugger may still be reading a deep stack. */
const STOPPED_LIMIT_MS = 10_000;

export interface StartedScript {
  /** The session whose debugger runs the script. Undefined as long as it does not exist. */
  readonly session: () => SessionState | undefined;
  /** The folder that contains the recorder and to which it writes. It is removed together with the recording. */
  readonly folder: RecordingFolder;
  /** The name of the recorder in the debugger. */
  readonly name: string;
  /** The folder of the extension's recorders. */
  readonly recorders: string;
}

/** The place at which the recorder of a call stops the program. It removes its breakpoints then. */
export interface ScriptStop {
  /**
   * The return instruction of the call, the place behind the call, the function of the runtime that handles an exception
   * that has left the call, or the line at the limit of lines. Undefined if the recorder has not stopped the program.
   */
  readonly place: (typeof PLACES)[number] | undefined;
  /** The thread of the call. */
  readonly threadId: number | undefined;
}

const PLACES = ['return', 'caller', 'handler', 'limit'] as const;

/** The limits of the recording of a call and of what it calls. */
export interface ScriptCallLimits extends CallLimits {
  /** The person's folders. Only functions in their files are reported as callees. */
  readonly folders: readonly string[];
}

/** The limits of the recording at probes. */
export interface ProbeLimits extends CallLimits {
  readonly points: readonly RecordingPoint[];
  /** Whether the program stops at the limit of hits, and where a claim is refuted for the first time. */
  readonly stopAtLimit: boolean;
  readonly stopAtRefuted: boolean;
}

/** Records with a script in the debugger itself, without stopping the program. */
export class ScriptRecording implements CallRecorder {
  private readonly reader: RecordingReader;
  private readonly disposeListeners = new Listeners();
  private ended: Promise<void> | undefined;
  private hasRows = false;

  private constructor(
    private readonly requests: AdapterRequests,
    private readonly started: StartedScript,
    maxHits: number,
  ) {
    this.reader = new RecordingReader(started.folder, maxHits);
  }

  /**
   * Loads the call recorder into the debugger, and records the line at which a thread is stopped.
   * @returns undefined if the debugger cannot run scripts, or does not know the function that the thread is in
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  static async ofCall(
    requests: AdapterRequests,
    started: StartedScript,
    threadId: number,
    limits: ScriptCallLimits,
    signal: AbortSignal,
  ): Promise<ScriptRecording | undefined> {
    const text = lldbCallFile(started.recorders, callSettings(started, limits));
    const recording = await ScriptRecording.load(requests, started, text, limits, signal);
    const { lines } = (await recording?.begin('begin', threadId, signal)) ?? {};
    return typeof lines === 'number' ? recording : undefined;
  }

  /**
   * Loads the probe recorder into the debugger, and records the hit at which a thread is stopped.
   * @returns the recording, and whether the program has to stop at that hit; undefined if the debugger cannot run
   * scripts
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  static async ofProbes(
    requests: AdapterRequests,
    started: StartedScript,
    threadId: number,
    limits: ProbeLimits,
    signal: AbortSignal,
  ): Promise<ScriptRecording | undefined> {
    const text = lldbProbeFile(started.recorders, probeSettings(started, limits));
    const recording = await ScriptRecording.load(requests, started, text, limits, signal);
    const { hits } = (await recording?.begin('begin_probes', threadId, signal)) ?? {};
    return typeof hits === 'number' ? recording : undefined;
  }

  /** Prepares a recorder that waits for hits of probes. It records nothing before `hasBegun`. */
  static async ofLaterProbes(
    requests: AdapterRequests,
    started: StartedScript,
    limits: ProbeLimits,
  ): Promise<ScriptRecording> {
    const text = lldbEarlyProbeFile(started.recorders, probeSettings(started, limits));
    return await ScriptRecording.later(requests, started, text, limits);
  }

  /** Prepares a recorder that waits for a call. It records nothing before `hasBegun`. */
  static async ofLaterCall(
    requests: AdapterRequests,
    started: StartedScript,
    entry: LldbEntry,
    limits: ScriptCallLimits,
  ): Promise<ScriptRecording> {
    const text = lldbEarlyCallFile(started.recorders, callSettings(started, limits), entry);
    return await ScriptRecording.later(requests, started, text, limits);
  }

  private static async later(
    requests: AdapterRequests,
    started: StartedScript,
    text: string,
    { maxHits }: CallLimits,
  ): Promise<ScriptRecording> {
    await writeRecorder(started, text);
    return new ScriptRecording(requests, started, maxHits);
  }

  private static async load(
    requests: AdapterRequests,
    started: StartedScript,
    text: string,
    { maxHits }: CallLimits,
    signal: AbortSignal,
  ): Promise<ScriptRecording | undefined> {
    if (commandOf(started.session()) === undefined) return undefined;
    await writeRecorder(started, text);
    const recording = new ScriptRecording(requests, started, maxHits);
    await recording.loadNow(signal);
    return recording;
  }

  readonly beginsEmpty = true;

  /** Whether the debugger has loaded the recorder. */
  get hasBegun(): boolean {
    this.hasRows ||= this.started.folder.has(ROWS);
    return this.hasRows;
  }

  /** The LLDB command that loads a prepared recorder before its program starts. */
  get commandBeforeLaunch(): string {
    return lldbEarlyImport(fileOf(this.started));
  }

  /**
   * Loads a prepared recorder into the debugger of a stopped program.
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  async loadNow(signal: AbortSignal): Promise<void> {
    await this.run(lldbImport(fileOf(this.started)), signal);
  }

  /** Where the recorder of a call has stopped the program, as far as it was read. */
  get arrival(): ScriptStop {
    const { arrival } = this.reader.data;
    const place = PLACES.find((name) => name === arrival?.place);
    return { place, threadId: arrival?.threadId };
  }

  get isFull(): boolean {
    return this.reader.data.isFull;
  }

  /** The data that was recorded in addition to the hits: passed conditions, errors, and missing rows. */
  get recorded(): Omit<RecordedData, 'add' | 'cut'> {
    return this.reader.data;
  }

  read(): readonly RecordedHit[] {
    return this.reader.data.hits;
  }

  readCalls(): readonly RecordedCall[] {
    return this.reader.data.calls;
  }

  recordedCalls(): RecordedCallees {
    return this.reader.data.hasLostCalls ? 'some' : 'all';
  }

  onHits(listener: (hits: readonly RecordedHit[]) => void): Subscription {
    return this.reader.onHits(listener);
  }

  onDidDispose(listener: () => void): Subscription {
    return this.disposeListeners.add(listener);
  }

  async settle(): Promise<void> {
    await this.reader.settle();
  }

  async returned(signal: AbortSignal): Promise<string | undefined> {
    return textOf((await this.call('returned', signal))['returned']);
  }

  isHandlerOfRuntime(functionName: string): boolean {
    return functionName.startsWith('__cxa_begin_catch');
  }

  /** Ends the recording. The script removes its breakpoints when its folder no longer exists. */
  async stop(): Promise<void> {
    await this.settle();
    await this.started.folder.dispose();
  }

  async dispose(): Promise<void> {
    this.ended ??= this.end();
    await this.ended;
  }

  /** Begins the recording at a stopped thread. If it does not begin, the recorder is removed. */
  private async begin(name: LldbFunction, threadId: number, signal: AbortSignal): Promise<Fields> {
    try {
      const facts = await this.call(name, signal, threadId);
      if (Object.keys(facts).length === 0 || 'error' in facts) await this.dispose();
      return facts;
    } catch (error) {
      await this.dispose();
      throw error;
    }
  }

  private async end(): Promise<void> {
    this.reader.dispose();
    try {
      // The result is kept, because the folder is removed.
      if (this.hasBegun && this.arrival.place === undefined)
        await this.call('end', AbortSignal.timeout(this.removalLimit));
    } catch {
      // Either the session has ended, and its breakpoints with it, or the debugger does not answer.
    }
    await this.settle();
    await this.started.folder.dispose();
    this.disposeListeners.notify();
  }

  private get removalLimit(): number {
    const session = this.started.session();
    const isStopped = session !== undefined && threadOfStop(session) !== undefined;
    return isStopped ? STOPPED_LIMIT_MS : REMOVAL_LIMIT_MS;
  }

  private async call(name: LldbFunction, signal: AbortSignal, ...args: number[]): Promise<Fields> {
    const recorder = this.started.name;
    const output = await this.run(lldbCall(recorder, name, ...args), signal);
    return fields(JSON.parse(lldbAnswer(recorder, output) ?? '{}'));
  }

  private async run(command: string, signal: AbortSignal): Promise<string> {
    const session = this.started.session();
    const write = commandOf(session);
    if (session === undefined || write === undefined) return '';
    const { result } = await this.requests.sendUnique(
      session,
      'evaluate',
      { expression: write(command), context: 'repl' },
      signal,
    );
    return textOf(result) ?? '';
  }
}

/** Returns the function that writes an LLDB command as an expression. Undefined if the debugger accepts no commands. */
function commandOf(session: SessionState | undefined): ((command: string) => string) | undefined {
  if (session === undefined) return undefined;
  return adapterOf(session.type).lldbCommand?.(session.configuration);
}

function fileOf({ name, folder }: StartedScript): string {
  return path.join(folder.path, `${name}.py`);
}

async function writeRecorder({ name, folder }: StartedScript, text: string): Promise<void> {
  await folder.write({ [`${name}.py`]: text });
}

function probeSettings(started: StartedScript, limits: ProbeLimits): LldbProbeSettings {
  const { points, stopAtLimit, stopAtRefuted } = limits;
  const probes = points.map(({ id, path: file, line, values, when, claim }) => ({
    id,
    path: file,
    line,
    values: values === 'locals' ? [] : values,
    when: when ?? null,
    claim: claim ?? null,
  }));
  return { ...settingsOf(started, limits), probes, stopAtLimit, stopAtRefuted };
}

function callSettings(started: StartedScript, limits: ScriptCallLimits): LldbCallSettings {
  return { ...settingsOf(started, limits), folders: limits.folders };
}

function settingsOf({ name, folder }: StartedScript, { maxHits, shown }: CallLimits): LldbSettings {
  return { name, folder: folder.path, hits: maxHits, ...shown };
}
