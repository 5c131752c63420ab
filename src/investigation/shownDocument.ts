import * as l10n from '@vscode/l10n';
import type { Investigations } from './investigations';
import { isText, type Place } from './paths';

type Lines = NonNullable<Place['lines']>;

const MEGABYTE = 1024 * 1024;

/** An editor is given so much of a file. A capture may have gigabytes. */
export const MOST_SHOWN_BYTES = 16 * MEGABYTE;

/** Of a larger file, lines are shown with so many before and after. */
const AROUND = 500;

/** What an editor is given for a file, or for some lines of it. What is left out is said in its place. */
export async function shownDocument(
  investigations: Pick<Investigations, 'read'>,
  place: Place,
  mostBytes = MOST_SHOWN_BYTES,
): Promise<Uint8Array> {
  const { data, isCut } = await investigations.read(place, mostBytes);
  if (!isText(place.path)) return data;
  const { lines, path } = place;
  const head = lines === undefined ? '' : `${excerptTitle(path, lines)}\n`;
  const tail = isCut ? `\n${cutNote(mostBytes)}\n` : '';
  return head === '' && tail === '' ? data : Buffer.concat([bytes(head), data, bytes(tail)]);
}

/** Where lines of a file are found. */
export interface Reveal {
  /** The lines that the editor is given, where the file is too large for one. */
  readonly lines?: Lines;
  /** The lines in the editor, counted from 0. */
  readonly first: number;
  readonly last: number;
}

/** What is opened of a file of a size so that some lines of it are seen. */
export function revealOf(size: number, { from, to }: Lines, mostBytes = MOST_SHOWN_BYTES): Reveal {
  if (size <= mostBytes) return { first: from, last: to };
  const begin = Math.max(0, from - AROUND);
  // The first line says which lines they are.
  return {
    lines: { from: begin, to: to + AROUND },
    first: from - begin + 1,
    last: to - begin + 1,
  };
}

function excerptTitle(path: string, { from, to }: Lines): string {
  return l10n.t('… lines {0} to {1} of {2}', from + 1, to + 1, path);
}

function cutNote(mostBytes: number): string {
  return l10n.t(
    '… only the first {0} MB are shown. Parts that lie further back open from the view “Investigations”.',
    Math.round(mostBytes / MEGABYTE),
  );
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
