import { readFileSync } from 'node:fs';
import path from 'node:path';
import { markedLine } from '../../support/markers';
import { Cost, tellsValue } from '../bugs/findings';
import type { LineOf } from './liveProgram';

/** What an agent with the tools and one with the shell have in common. Each call counts, and its texts. */
export class Agent {
  readonly cost = new Cost();
  /** The results of runs. The source is not among them. */
  protected readonly results: string[] = [];

  /**
   * @param folder the folder in which it works
   * @param file the program, as the agent names it
   * @param port a free port, for a server
   */
  constructor(
    protected readonly folder: string,
    readonly file: string,
    readonly port: number,
  ) {}

  readonly line: LineOf = (marker) => markedLine(path.join(this.folder, this.file), marker);

  /** Reads the program. */
  read(): void {
    const text = readFileSync(path.join(this.folder, this.file), 'utf8');
    this.cost.note({ name: 'read_file', input: { path: this.file } }, text);
  }

  /** @throws if no result holds the cause */
  check(shows: RegExp): void {
    if (!this.results.some((each) => tellsValue([each], shows)))
      throw new Error(`nothing shows ${shows}:\n${this.results.join('\n')}`);
  }
}
