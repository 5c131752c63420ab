import { defined } from '../../util/defined';
import { countOf, fields, listOf, textOf } from '../protocol';

/** Where a window's marks outlive it (VS Code `Memento` of the workspace). */
export interface MarkStore {
  read(): unknown;
  write(value: unknown): void;
}

/** What is known of one of VS Code's breakpoints beside what VS Code itself knows. */
export interface Mark {
  /** The small number that callers see. */
  readonly id: number;
  readonly isAgents: boolean;
  /** The text of the line, where it was set by it. */
  readonly content: string | undefined;
  /** A call set it for itself and removes it. */
  readonly isTemporary?: boolean;
}

/** The marks of breakpoints by VS Code's ids of them, and the numbers that have been given. Each change is kept at once. */
export class BreakpointMarks {
  private readonly marks = new Map<string, Mark>();
  private last = 0;

  constructor(private readonly memory: MarkStore | undefined) {
    const kept = fields(memory?.read());
    for (const each of listOf(kept['marks'])) {
      const { hostId, id, agent, content, temporary } = fields(each);
      const number = countOf(id);
      if (typeof hostId === 'string' && number !== undefined && number > 0)
        this.marks.set(hostId, {
          id: number,
          isAgents: agent === true,
          content: textOf(content),
          isTemporary: temporary === true,
        });
    }
    this.last = Math.max(
      0,
      countOf(kept['last']) ?? 0,
      ...[...this.marks.values()].map((each) => each.id),
    );
  }

  of(hostId: string): Mark | undefined {
    return this.marks.get(hostId);
  }

  /** A number that none has had, for one that is none of VS Code's. */
  newId(): number {
    this.last += 1;
    this.save();
    return this.last;
  }

  /** Its number, a new one for the person's where it has none yet. */
  idOf(hostId: string): number {
    return this.of(hostId)?.id ?? this.set(hostId, { isAgents: false, content: undefined });
  }

  /** @param mark without an id for the one that it has, or a new one. @returns its number */
  set(hostId: string, mark: Omit<Mark, 'id'> & { readonly id?: number | undefined }): number {
    const id = mark.id ?? this.of(hostId)?.id ?? (this.last += 1);
    this.marks.set(hostId, { ...mark, id });
    this.save();
    return id;
  }

  forget(hostId: string): void {
    if (this.marks.delete(hostId)) this.save();
  }

  private save(): void {
    this.memory?.write({
      last: this.last,
      marks: [...this.marks].map(([hostId, { id, isAgents, content, isTemporary }]) =>
        defined({
          hostId,
          id,
          agent: isAgents ? true : undefined,
          content,
          temporary: isTemporary === true ? true : undefined,
        }),
      ),
    });
  }
}
