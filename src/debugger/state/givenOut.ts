import { fields, listOf, numberOf, type Fields } from '../protocol';

/** Of a list of a million, what nobody is shown is not asked about either; if it is, it is asked anew. */
const MOST_READ = 1000;

/**
 * The frames and references that an adapter has given out since its program moved last. Adapters use the same numbers
 * again at the next stop (lldb-dap: 1 for the locals), and VS Code may still be asking about the stop before: the
 * answer to that is none for this stop (lldb-dap: no variables at all).
 */
export class GivenOut {
  private readonly frames = new Set<number>();
  private readonly references = new Set<number>();
  /** Of which frames each reference of a scope is: of several by adapters that use the same for all (lldb-dap). */
  private readonly scopeFrames = new Map<number, Set<number>>();

  hasFrame(frameId: number): boolean {
    return this.frames.has(frameId);
  }

  /** Whether a reference is that of several frames' scopes. */
  isOfSeveralFrames(reference: number): boolean {
    return (this.scopeFrames.get(reference)?.size ?? 0) > 1;
  }

  /** Whether a look is about what was given out. Threads outlive a stop. */
  has(command: string, args: Fields): boolean {
    if (command === 'scopes' || command === 'evaluate')
      return this.frames.has(numberOf(args['frameId']) ?? Number.NaN);
    return (
      command !== 'variables' ||
      this.references.has(numberOf(args['variablesReference']) ?? Number.NaN)
    );
  }

  /** Notes the frames and references in an answer. Every message of a stop comes by here: plain loops, nothing allocated. */
  note(body: Fields, scopesOf: number | undefined): void {
    this.noteReference(body);
    const frames = listOf(body['stackFrames']);
    for (let index = 0; index < frames.length && index < MOST_READ; index += 1) {
      const id = numberOf(fields(frames[index])['id']);
      if (id !== undefined) this.frames.add(id);
    }
    if (scopesOf !== undefined) this.noteScopes(body, scopesOf);
    for (const list of [listOf(body['scopes']), listOf(body['variables'])]) {
      for (let index = 0; index < list.length && index < MOST_READ; index += 1)
        this.noteReference(fields(list[index]));
    }
  }

  clear(): void {
    this.frames.clear();
    this.references.clear();
    this.scopeFrames.clear();
  }

  private noteScopes(body: Fields, frameId: number): void {
    for (const scope of listOf(body['scopes']).slice(0, MOST_READ)) {
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
