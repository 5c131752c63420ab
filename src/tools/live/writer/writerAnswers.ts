import type { Origin } from './origin';

/** What an answer has found, from which a later call goes on. */
export interface WriterAnswer {
  /** What the writing line reads, each as it was before the line ran. */
  readonly inputs: readonly Origin[];
  /** The expression among them that the line wrote as it is, or the only one. */
  readonly followed: Origin | undefined;
}

/** The maximum number of answers that are kept. */
const MAX_ANSWERS = 40;

/** The answers of this window. The oldest one is dropped to make room for a new one. */
export class WriterAnswers {
  private readonly kept = new Map<string, WriterAnswer>();
  private last = 0;

  add(answer: WriterAnswer): string {
    this.last += 1;
    const id = `w${this.last}`;
    this.kept.set(id, answer);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_ANSWERS && oldest !== undefined) this.kept.delete(oldest);
    return id;
  }

  get(id: string): WriterAnswer | undefined {
    return this.kept.get(id);
  }

  /** The ids of the answers that are kept, oldest first. */
  ids(): readonly string[] {
    return [...this.kept.keys()];
  }
}
