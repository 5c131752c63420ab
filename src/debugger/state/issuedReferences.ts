import { fields, listOf, numberOf, type Fields } from '../protocol';

/** The number of entries of a list that are noted. A request about a later entry is never answered from the cache. */
const MAX_READ = 1000;

/**
 * The frame ids and variable references that an adapter has issued since its program last moved. Adapters use the same
 * numbers again at the next stop (lldb-dap: 1 for the locals), and VS Code may still send requests about the previous
 * stop. The answers to such requests do not count for this stop (lldb-dap: no variables at all).
 */
export class IssuedReferences {
  private readonly frames = new Set<number>();
  private readonly references = new Set<number>();
  /**
   * The frames for which each scope's reference was issued. Some adapters use the same reference for all frames
   * (lldb-dap).
   */
  private readonly scopeFrames = new Map<number, Set<number>>();

  hasFrame(frameId: number): boolean {
    return this.frames.has(frameId);
  }

  /** The lowest frame id. Undefined if none was issued. */
  lowestFrame(): number | undefined {
    return this.frames.size === 0 ? undefined : Math.min(...this.frames);
  }

  /** Whether scopes of several frames have this reference. */
  isOfSeveralFrames(reference: number): boolean {
    return (this.scopeFrames.get(reference)?.size ?? 0) > 1;
  }

  /**
   * Whether the ids and references in a read-only request have been issued. Threads outlive a stop, so thread ids
   * always count as issued.
   */
  has(command: string, args: Fields): boolean {
    if (command === 'scopes' || command === 'evaluate')
      return this.frames.has(numberOf(args['frameId']) ?? Number.NaN);
    return (
      command !== 'variables' ||
      this.references.has(numberOf(args['variablesReference']) ?? Number.NaN)
    );
  }

  /**
   * Records the frames and references in an answer. It is called for every message of a stop, so it uses plain loops
   * and allocates nothing.
   */
  note(body: Fields, scopesOf: number | undefined): void {
    this.noteReference(body);
    const frames = listOf(body['stackFrames']);
    for (let index = 0; index < frames.length && index < MAX_READ; index += 1) {
      const id = numberOf(fields(frames[index])['id']);
      if (id !== undefined) this.frames.add(id);
    }
    if (scopesOf !== undefined) this.noteScopes(body, scopesOf);
    for (const list of [listOf(body['scopes']), listOf(body['variables'])]) {
      for (let index = 0; index < list.length && index < MAX_READ; index += 1)
        this.noteReference(fields(list[index]));
    }
  }

  clear(): void {
    this.frames.clear();
    this.references.clear();
    this.scopeFrames.clear();
  }

  private noteScopes(body: Fields, frameId: number): void {
    for (const scope of listOf(body['scopes']).slice(0, MAX_READ)) {
      const reference = numberOf(fields(scope)['variablesReference']);
      if (reference !== undefined && reference > 0)
        this.scopeFrames.set(
          reference,
          (this.scopeFrames.get(reference) ?? new Set()).add(frameId),
        );
    }
  }

  private noteReference({ variablesReference }: Fields): void {
    const reference = numberOf(variablesReference);
    if (reference !== undefined && reference > 0) this.references.add(reference);
  }
}
