import type { Launching } from '../../control/launching';
import type { DebugModel } from '../../debugger/state/debugModel';
import { isOver, rootOf, type SessionState } from '../../debugger/state/state';
import type { InputContent, InputFile, InputFiles } from '../services';

type Launch = Pick<Launching, 'roots' | 'isComing'>;

/** The standard inputs that calls have given to programs. Each is removed when its program's session ends. */
export class ProgramInputs {
  private readonly kept = new Map<InputFile, Launch>();
  private readonly held = new Set<InputFile>();

  constructor(
    private readonly model: DebugModel,
    private readonly files: InputFiles,
  ) {
    model.observe(() => this.removeEnded(), ['sessionEnded', 'adapterExited']);
  }

  async make(content: InputContent): Promise<InputFile> {
    return await this.files.make(content);
  }

  /** Keeps an input for a launch until its sessions have ended. */
  keep(file: InputFile | undefined, launching: Launch): void {
    if (file === undefined) return;
    this.held.delete(file);
    this.kept.set(file, launching);
  }

  /** Returns the input of the program of a session. */
  of(session: SessionState): InputFile | undefined {
    const root = rootOf(this.model.state, session).key;
    const found = [...this.kept].find(([, launching]) =>
      launching.roots().some(({ key }) => key === root),
    );
    return found?.[0];
  }

  /** Keeps the input of a program beyond its end, for a launch that follows. */
  hold(root: SessionState): InputFile | undefined {
    const file = this.of(root);
    if (file !== undefined) this.held.add(file);
    return file;
  }

  /** Removes an input unless its launch has, or may still get, a session. */
  release(file: InputFile | undefined): void {
    if (file === undefined) return;
    this.held.delete(file);
    this.settle(file);
  }

  private settle(file: InputFile): void {
    const launching = this.kept.get(file);
    if (launching === undefined || launching.isComing || this.held.has(file)) return;
    if (launching.roots().some((root) => !isOver(this.model.state, root))) return;
    this.kept.delete(file);
    file.remove().catch(() => undefined);
  }

  private removeEnded(): void {
    for (const [file, launching] of [...this.kept])
      if (launching.roots().length > 0) this.settle(file);
  }
}
