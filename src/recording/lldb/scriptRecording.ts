import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { fields, textOf, type Fields } from '../../debugger/protocol';
import type { AdapterRequests } from '../../debugger/requests';
import type { SessionState } from '../../debugger/state/state';
import { Listeners, type Subscription } from '../../util/listeners';
import type { CallLimits, CallRecorder } from '../callRecorder';
import type { RecordedData } from '../recordedData';
import type { RecordedCall, RecordedHit } from '../recordedRows';
import type { RecordingFolder } from '../recordingFiles';
import type { RecordingPoint } from '../recordingPlan';
import { RecordingReader } from '../recordingReader';
import {
  lldbAnswer,
  lldbCall,
  lldbCallFile,
  lldbImport,
  lldbProbeFile,
  type LldbFunction,
  type LldbSettings,
} from './recorder';

/** The time that the debugger may take to remove the recorder, in milliseconds. */
const REMOVAL_LIMIT_MS = 2000;

export interface StartedScript {
  readonly session: SessionState;
  /** The stopped thread. */
  readonly threadId: number;
  /** The folder that contains the recorder and to which it writes. It is removed together with the recording. */
  readonly folder: RecordingFolder;
  /** The name of the recorder in the debugger. */
  readonly name: string;
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

  private constructor(
    private readonly requests: AdapterRequests,
    private readonly started: StartedScript,
    private readonly command: (command: string) => string,
    maxHits: number,
  ) {
    this.reader = new RecordingReader(started.folder, maxHits);
  }

  /**
   * Loads the call recorder into the debugger, and records the line at which the thread is stopped.
   * @returns undefined if the debugger cannot run scripts, or does not know the function that the thread is in
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  static async ofCall(
    requests: AdapterRequests,
    started: StartedScript,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<ScriptRecording | undefined> {
    const text = lldbCallFile(settingsOf(started, limits));
    const recording = await ScriptRecording.load(requests, started, text, limits, signal);
    const { lines } = (await recording?.begin('begin', signal)) ?? {};
    return typeof lines === 'number' ? recording : undefined;
  }

  /**
   * Loads the probe recorder into the debugger, and records the hit at which the thread is stopped.
   * @returns the recording, and whether the program has to stop at that hit; undefined if the debugger cannot run
   * scripts
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  static async ofProbes(
    requests: AdapterRequests,
    started: StartedScript,
    limits: ProbeLimits,
    signal: AbortSignal,
  ): Promise<{ readonly recording: ScriptRecording; readonly stops: boolean } | undefined> {
    const { points, stopAtLimit, stopAtRefuted } = limits;
    const probes = points.map(({ id, path: file, line, values, when, claim }) => ({
      id,
      path: file,
      line,
      values: values === 'locals' ? [] : values,
      when: when ?? null,
      claim: claim ?? null,
    }));
    const settings = { ...settingsOf(started, limits), probes, stopAtLimit, stopAtRefuted };
    const text = lldbProbeFile(settings);
    const recording = await ScriptRecording.load(requests, started, text, limits, signal);
    const { hits, stops } = (await recording?.begin('begin_probes', signal)) ?? {};
    if (recording === undefined || typeof hits !== 'number') return undefined;
    return { recording, stops: stops === true };
  }

  private static async load(
    requests: AdapterRequests,
    started: StartedScript,
    text: string,
    { maxHits }: CallLimits,
    signal: AbortSignal,
  ): Promise<ScriptRecording | undefined> {
    const { session, folder, name } = started;
    const command = adapterOf(session.type).lldbCommand?.(session.configuration);
    if (command === undefined) return undefined;
    const file = `${name}.py`;
    await folder.write({ [file]: text });
    const recording = new ScriptRecording(requests, started, command, maxHits);
    await recording.run(lldbImport(path.join(folder.path, file)), signal);
    return recording;
  }

  get isFull(): boolean {
    return this.reader.data.isFull;
  }

  /** The data that was recorded in addition to the hits: passed conditions, errors, and missing rows. */
  get recorded(): Omit<RecordedData, 'add'> {
    return this.reader.data;
  }

  read(): readonly RecordedHit[] {
    return this.reader.data.hits;
  }

  readCalls(): readonly RecordedCall[] {
    return this.reader.data.calls;
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

  /** Begins the recording at the stopped thread. If it does not begin, the recorder is removed. */
  private async begin(name: LldbFunction, signal: AbortSignal): Promise<Fields> {
    try {
      const facts = await this.call(name, signal, this.started.threadId);
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
      await this.call('end', AbortSignal.timeout(REMOVAL_LIMIT_MS));
    } catch {
      // Either the session has ended, and its breakpoints with it, or the debugger does not answer.
    }
    await this.settle();
    await this.started.folder.dispose();
    this.disposeListeners.notify();
  }

  private async call(name: LldbFunction, signal: AbortSignal, ...args: number[]): Promise<Fields> {
    const recorder = this.started.name;
    const output = await this.run(lldbCall(recorder, name, ...args), signal);
    return fields(JSON.parse(lldbAnswer(recorder, output) ?? '{}'));
  }

  private async run(command: string, signal: AbortSignal): Promise<string> {
    const { result } = await this.requests.sendUnique(
      this.started.session,
      'evaluate',
      { expression: this.command(command), context: 'repl' },
      signal,
    );
    return textOf(result) ?? '';
  }
}

function settingsOf({ name, folder }: StartedScript, { maxHits, shown }: CallLimits): LldbSettings {
  return { name, folder: folder.path, hits: maxHits, ...shown };
}
