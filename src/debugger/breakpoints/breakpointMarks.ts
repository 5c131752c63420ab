import { defined } from '../../util/defined';
import { countOf, fields, listOf, textOf } from '../protocol';

/** Stores marks beyond the lifetime of a window (VS Code `Memento` of the workspace). */
export interface MarkStore {
  read(): unknown;
  write(value: unknown): void;
}

/** The extension's own data about one of VS Code's breakpoints. */
export interface Mark {
  /** The small number that callers see. */
  readonly id: number;
  readonly isAgents: boolean;
  /** The text of the line, if the breakpoint was set by that text. */
  readonly content: string | undefined;
  /** Whether a call set the breakpoint temporarily and will remove it. */
  readonly isTemporary?: boolean;
}

/** The marks of breakpoints by their VS Code ids, and the last assigned number. Each change is stored immediately. */
export class BreakpointMarks {
  private readonly marks = new Map<string, Mark>();
  private last = 0;

  constructor(private readonly memory: MarkStore | undefined) {
    const stored = fields(memory?.read());
    for (const entry of listOf(stored['marks'])) {
      const { hostId, id, agent, content, temporary } = fields(entry);
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
      countOf(stored['last']) ?? 0,
      ...[...this.marks.values()].map((mark) => mark.id),
    );
  }

  of(hostId: string): Mark | undefined {
    return this.marks.get(hostId);
  }

  /** Returns a new number for a breakpoint that is not in VS Code's list. */
  newId(): number {
    this.last += 1;
    this.save();
    return this.last;
  }

  /** Returns the breakpoint's number. A breakpoint without a number gets a new one and counts as the person's. */
  idOf(hostId: string): number {
    return this.of(hostId)?.id ?? this.set(hostId, { isAgents: false, content: undefined });
  }

  /**
   * @param mark if it has no id, the breakpoint keeps its number or gets a new one.
   * @returns the breakpoint's number
   */
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
