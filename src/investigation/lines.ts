import { stripVTControlCharacters } from 'node:util';

/** The longest line that is kept as one. A longer one is kept as several. */
export const MOST_OF_A_LINE = 16_384;

/** In the end of a part, a blank is looked for, so that no word and no credential is cut. */
const MOST_OF_A_WORD = 4096;

/** A line, or a part of one. */
export interface CapturedLine {
  readonly text: string;
  /** Which part of a long line this is, from 1; undefined for a line that is one part. */
  readonly part?: number;
}

/**
 * Cuts bytes into lines. Bytes that are no UTF-8 become U+FFFD, escape sequences are removed, and of a line that was
 * overwritten (a progress bar) the last state is kept.
 */
export class LineSplitter {
  private readonly decoder = new TextDecoder('utf-8');
  private open = '';
  private parts = 0;

  /** The lines that have ended with these bytes. */
  push(data: Uint8Array | string): readonly CapturedLine[] {
    this.open += typeof data === 'string' ? data : this.decoder.decode(data, { stream: true });
    const ended: CapturedLine[] = [];
    const lines = this.open.split('\n');
    this.open = lines.pop() ?? '';
    for (const line of lines) this.end(line, ended);
    // The rest of a line without end is not held in memory.
    if (this.open.length > 4 * MOST_OF_A_LINE) this.open = this.cut(this.open, ended);
    return ended;
  }

  /** The last line, which nothing ended. */
  finish(): readonly CapturedLine[] {
    const ended: CapturedLine[] = [];
    this.open += this.decoder.decode();
    if (this.open !== '') this.end(this.open, ended);
    this.open = '';
    return ended;
  }

  private end(line: string, ended: CapturedLine[]): void {
    const rest = line.length > MOST_OF_A_LINE ? this.cut(line, ended) : line;
    if (this.parts > 0) ended.push({ text: shown(rest), part: this.parts + 1 });
    else ended.push({ text: shown(rest) });
    this.parts = 0;
  }

  /** Gives the parts of a long line. @returns the rest */
  private cut(line: string, ended: CapturedLine[]): string {
    let at = 0;
    while (line.length - at > MOST_OF_A_LINE) {
      const end = endOfPart(line, at);
      this.parts += 1;
      ended.push({ text: shown(line.slice(at, end)), part: this.parts });
      at = end;
    }
    return line.slice(at);
  }
}

/** After a blank, if there is one; never inside a surrogate pair. */
function endOfPart(line: string, at: number): number {
  const end = at + MOST_OF_A_LINE;
  for (let place = end; place > end - MOST_OF_A_WORD; place -= 1)
    if (line[place - 1] === ' ') return place;
  const last = line.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** What a person sees of a line at its end. */
function shown(line: string): string {
  const plain = line.includes('\u001b') ? stripVTControlCharacters(line) : line;
  const end = plain.endsWith('\r') ? plain.slice(0, -1) : plain;
  const overwritten = end.lastIndexOf('\r');
  const last = overwritten === -1 ? end : end.slice(overwritten + 1);
  return last.replace(CONTROL, '\ufffd');
}

/** Control characters other than the tab: a program that prints binary data. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
