import { adapterOf } from '../../../debugger/adapters/registry';
import type { InjectedBreakpoints } from '../../../control/injectedBreakpoints';
import type { DebugModel } from '../../../debugger/state/debugModel';
import type { AdapterRequests } from '../../../debugger/requests';
import type { CallLimits } from '../../../recording/callRecorder';
import type { RecordingFiles } from '../../../recording/recordingFiles';
import { recorderName } from '../../../recording/recordings';
import { PythonCallRecording } from './callRecording';
import { recorderFile, type PythonEntry } from './condition';

/** The maximum number of bytes that a process may write, so that an endless loop does not fill the disk. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Records calls of Python functions. */
export class PythonTracer {
  private readonly open = new Set<PythonCallRecording>();

  constructor(
    private readonly ports: {
      readonly model: DebugModel;
      readonly requests: AdapterRequests;
      readonly injected: InjectedBreakpoints;
      readonly files: RecordingFiles;
    },
    /** The folder of the extension's recorders. */
    private readonly recorders: string,
  ) {}

  /** Whether calls in programs of a debug type can be recorded. */
  canRecord(type: string): boolean {
    return adapterOf(type).recorderSeesCalls === true;
  }

  /** Prepares to record a call of a program that has not started, or of one that runs or is stopped. */
  async prepare(entry: PythonEntry, { maxHits, shown }: CallLimits): Promise<PythonCallRecording> {
    const folder = await this.ports.files.create();
    const place = { name: recorderName(), folder: folder.path, recorders: this.recorders };
    await folder.write(recorderFile(place, entry, { hits: maxHits, bytes: MAX_BYTES, ...shown }));
    const recording = new PythonCallRecording(this.ports, place, entry, folder, maxHits);
    this.open.add(recording);
    recording.onDidDispose(() => this.open.delete(recording));
    return recording;
  }

  /** Called when the extension is deactivated. */
  async dispose(): Promise<void> {
    await Promise.all([...this.open].map((recording) => recording.dispose()));
  }
}
