import { stripVTControlCharacters } from 'node:util';

/** The maximum length of a line that is kept whole. A longer line is split into parts. */
export const MAX_OF_A_LINE = 16_384;

/**
 * The number of characters at the end of a part that are searched for a blank, so that no word and no credential is
 * cut.
 */
const MAX_OF_A_WORD = 4096;

/** A line, or a part of a long line. */
export interface CapturedLine {
  readonly text: string;
  /** The number of a long line's part, from 1; undefined for a whole line. */
  readonly part?: number;
}

/**
 * Splits bytes into lines. Invalid UTF-8 becomes U+FFFD, escape sequences are removed, and if a line was overwritten (a
 * progress bar), its last state is kept.
 */
export class LineSplitter {
  private readonly decoder = new TextDecoder('utf-8');
  private open = '';
  private parts = 0;

  /** The lines that these bytes complete. */
  push(data: Uint8Array | string): readonly CapturedLine[] {
    this.open += typeof data === 'string' ? data : this.decoder.decode(data, { stream: true });
    const ended: CapturedLine[] = [];
    const lines = this.open.split('\n');
    this.open = lines.pop() ?? '';
    for (const line of lines) this.end(line, ended);
    // The rest of a very long line is not kept in memory.
    if (this.open.length > 4 * MAX_OF_A_LINE) this.open = this.cut(this.open, ended);
    return ended;
  }

  /** The last line, if it has no line end. */
  finish(): readonly CapturedLine[] {
    const ended: CapturedLine[] = [];
    this.open += this.decoder.decode();
    if (this.open !== '') this.end(this.open, ended);
    this.open = '';
    return ended;
  }

  private end(line: string, ended: CapturedLine[]): void {
    const rest = line.length > MAX_OF_A_LINE ? this.cut(line, ended) : line;
    if (this.parts > 0) ended.push({ text: shown(rest), part: this.parts + 1 });
    else ended.push({ text: shown(rest) });
    this.parts = 0;
  }

  /** Adds the parts of a long line to `ended`. @returns the rest */
  private cut(line: string, ended: CapturedLine[]): string {
    let at = 0;
    while (line.length - at > MAX_OF_A_LINE) {
      const end = endOfPart(line, at);
      this.parts += 1;
      ended.push({ text: shown(line.slice(at, end)), part: this.parts });
      at = end;
    }
    return line.slice(at);
  }
}

/** The end of a part: after a blank if there is one, and never inside a surrogate pair. */
function endOfPart(line: string, at: number): number {
  const end = at + MAX_OF_A_LINE;
  for (let place = end; place > end - MAX_OF_A_WORD; place -= 1)
    if (line[place - 1] === ' ') return place;
  const last = line.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** The text that a terminal shows for a line. */
function shown(line: string): string {
  const plain = line.includes('\u001b') ? stripVTControlCharacters(line) : line;
  const end = plain.endsWith('\r') ? plain.slice(0, -1) : plain;
  const overwritten = end.lastIndexOf('\r');
  const last = overwritten === -1 ? end : end.slice(overwritten + 1);
  return last.replace(CONTROL, '\ufffd');
}

/** Control characters except the tab, as in binary data. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
