import { writeFileSync } from 'node:fs';

/** The aim of a figure. */
export interface Aim {
  readonly most: number;
}

type Cell = string | number;

interface Section {
  readonly part: string;
  readonly lines: string[];
}

/**
 * Collects the results of the parts of the bench and prints them as Markdown, for reading and for docs/performance.md.
 * The figures that miss their aim are reported again at the end.
 */
export class Report {
  private readonly sections: Section[] = [];
  private readonly missed: string[] = [];

  /** @param versions the versions that the figures depend on; the script that started the bench adds the machine */
  constructor(private readonly versions: string) {}

  part(name: string): void {
    this.sections.push({ part: name, lines: [] });
    this.text(
      `On ${new Date().toISOString().slice(0, 10)}: ${process.env['AGENT_DEBUGGER_BENCH_MACHINE'] ?? ''}${this.versions}.`,
    );
  }

  text(answerText: string): void {
    this.add(answerText, '');
  }

  /** A table whose first column is text and whose others are figures. */
  table(heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
    const cells = [heads, ...rows].map((row) =>
      row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell)),
    );
    const widths = heads.map((_, column) =>
      Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)),
    );
    const line = (row: readonly string[]): string =>
      `| ${widths.map((width, column) => (column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width))).join(' | ')} |`;
    const [first, ...others] = cells;
    this.add(
      line(first ?? []),
      `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`,
      ...others.map(line),
      '',
    );
  }

  /** The aim of a figure, and whether it is met: for a cell of a table. */
  aim(what: string, value: number, { most }: Aim): string {
    if (value <= most) return `≤ ${figure(most)}: met`;
    this.missed.push(`${what}: ${figure(value)}, aim at most ${figure(most)}`);
    return `≤ ${figure(most)}: missed`;
  }

  /** Writes the Markdown of each part and the missed aims to a file for the script that started the bench. */
  finish(file: string | undefined): void {
    const parts = Object.fromEntries(
      this.sections.map(({ part, lines }) => [part, lines.join('\n').trim()]),
    );
    if (file !== undefined) writeFileSync(file, JSON.stringify({ parts, missed: this.missed }));
  }

  private add(...lines: string[]): void {
    this.sections.at(-1)?.lines.push(...lines);
    for (const line of lines) console.log(line);
  }
}

function figure(value: number): string {
  if (Number.isNaN(value)) return '–';
  const digits =
    Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
