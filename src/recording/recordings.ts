import { randomBytes } from 'node:crypto';
import type { InjectedBreakpoints } from '../control/injectedBreakpoints';
import { adapterOf } from '../debugger/adapters/registry';
import type { AddressBreakpoints } from '../debugger/breakpoints/addressBreakpoints';
import type { Fields } from '../debugger/protocol';
import type { AdapterRequests } from '../debugger/requests';
import type { DebugModel } from '../debugger/state/debugModel';
import type { SessionState } from '../debugger/state/state';
import type { CallLimits, CallRecorder } from './callRecorder';
import type { LldbEntry } from './lldb/recorder';
import {
  ScriptRecording,
  type ProbeLimits,
  type ScriptCallLimits,
  type StartedScript,
} from './lldb/scriptRecording';
import { LogRecording, type LoggedCall } from './logRecording';
import { Recording } from './recording';
import type { RecordingFiles } from './recordingFiles';
import { recorderFiles, type RecordingPlan } from './recordingPlan';
import type { StoppedFrame } from './returnStops';

/** A recording that begins when its script is loaded: by the configuration of a launch, or by `loadNow`. */
export interface PreparedScript {
  readonly recording: ScriptRecording;
  /** Returns the configuration that loads the script before the program starts. */
  readonly configure: (configuration: Fields) => Fields;
}

/**
 * Records values in programs without stopping them. The conditions of injected breakpoints write the values to files.
 */
export class Recordings {
  private readonly open = new Set<{ dispose(): Promise<void> }>();

  constructor(
    private readonly model: DebugModel,
    private readonly injected: InjectedBreakpoints,
    private readonly files: RecordingFiles,
    private readonly requests: AdapterRequests,
    private readonly addressBreakpoints: AddressBreakpoints,
    /** The folder of the extension's recorders. */
    private readonly recorders: string,
  ) {}

  /** Whether a session's debugger can record. */
  canRecord({ type }: SessionState): boolean {
    return adapterOf(type).recorder !== undefined;
  }

  /** Starts a recording in the running sessions, and in sessions that start before the recording is disposed. */
  async start(plan: RecordingPlan): Promise<Recording> {
    const recording = await this.begin(plan);
    await recording.placed;
    return recording;
  }

  /**
   * Does the same as `start` without waiting until the points are placed, for a program that stays stopped until then.
   */
  async begin(plan: RecordingPlan): Promise<Recording> {
    const folder = await this.files.create();
    const name = recorderName();
    await folder.write(recorderFiles(plan, { name, folder: folder.path }, this.recorders));
    const recording = new Recording(plan, name, folder, this.model, this.requests, this.injected);
    this.open.add(recording);
    recording.onDidDispose(() => this.open.delete(recording));
    return recording;
  }

  /**
   * Begins to record the call in which a thread is stopped. A script in the thread's debugger records it.
   * @returns undefined if the debugger cannot do that
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  async beginScript(
    session: SessionState,
    threadId: number,
    limits: ScriptCallLimits,
    signal: AbortSignal,
  ): Promise<CallRecorder | undefined> {
    return await this.script(session, (started) =>
      ScriptRecording.ofCall(this.requests, started, threadId, limits, signal),
    );
  }

  /**
   * Begins to record values at probes, at one of which a thread is stopped. A script in the thread's debugger records
   * them.
   * @returns undefined if the debugger cannot do that
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  async beginProbes(
    session: SessionState,
    threadId: number,
    limits: ProbeLimits,
    signal: AbortSignal,
  ): Promise<ScriptRecording | undefined> {
    return await this.script(session, (started) =>
      ScriptRecording.ofProbes(this.requests, started, threadId, limits, signal),
    );
  }

  /**
   * Prepares to record values at probes of a program that has not started, or that is stopped. A script in its debugger
   * records them.
   * @param session returns the program's session when it exists
   * @returns undefined if the debugger cannot do that
   */
  async prepareProbes(
    type: string,
    session: () => SessionState | undefined,
    limits: ProbeLimits,
  ): Promise<PreparedScript | undefined> {
    return await this.prepared(type, session, (started) =>
      ScriptRecording.ofLaterProbes(this.requests, started, limits),
    );
  }

  /** Does the same as `prepareProbes` for a call of a function. The program stops when the call ends. */
  async prepareCall(
    type: string,
    session: () => SessionState | undefined,
    entry: LldbEntry,
    limits: ScriptCallLimits,
  ): Promise<PreparedScript | undefined> {
    return await this.prepared(type, session, (started) =>
      ScriptRecording.ofLaterCall(this.requests, started, entry, limits),
    );
  }

  private async prepared(
    type: string,
    session: () => SessionState | undefined,
    prepare: (started: StartedScript) => Promise<ScriptRecording>,
  ): Promise<PreparedScript | undefined> {
    const { withCommandBeforeLaunch } = adapterOf(type);
    if (withCommandBeforeLaunch === undefined) return undefined;
    const folder = await this.files.create();
    const recording = this.opened(
      await prepare({ session, folder, name: recorderName(), recorders: this.recorders }),
    );
    return {
      recording,
      configure: (configuration) =>
        withCommandBeforeLaunch(configuration, recording.commandBeforeLaunch) ?? configuration,
    };
  }

  private async script(
    session: SessionState,
    begin: (started: StartedScript) => Promise<ScriptRecording | undefined>,
  ): Promise<ScriptRecording | undefined> {
    if (adapterOf(session.type).lldbCommand === undefined) return undefined;
    const folder = await this.files.create();
    try {
      const recording = await begin({
        session: () => session,
        folder,
        name: recorderName(),
        recorders: this.recorders,
      });
      if (recording !== undefined) return this.opened(recording);
    } catch (error) {
      await folder.dispose();
      throw error;
    }
    await folder.dispose();
    return undefined;
  }

  /**
   * Begins to record, with logpoints, the call in which a thread is stopped.
   * @returns undefined if the debugger's logpoints do not distinguish calls, or a logpoint cannot be set
   * @throws DebuggerError and Interrupted, as `AdapterRequests.send`
   */
  async beginLog(
    stopped: StoppedFrame,
    call: LoggedCall,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<CallRecorder | undefined> {
    const { model, requests, injected, addressBreakpoints } = this;
    const recording = await LogRecording.begin(
      { model, requests, injected, addressBreakpoints },
      stopped,
      call,
      limits,
      signal,
    );
    return recording === undefined ? undefined : this.opened(recording);
  }

  private opened<T extends ScriptRecording | LogRecording>(recording: T): T {
    this.open.add(recording);
    recording.onDidDispose(() => this.open.delete(recording));
    return recording;
  }

  /** Called when the extension is deactivated. */
  async dispose(): Promise<void> {
    await Promise.all([...this.open].map((recording) => recording.dispose()));
  }
}

/** Returns a unique name for a recorder in a program or a debugger. */
export function recorderName(): string {
  return `agent_debugger_${randomBytes(8).toString('hex')}`;
}
