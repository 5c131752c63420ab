import * as l10n from '@vscode/l10n';
import type { Investigations } from './investigations';
import { isText, type Place } from './paths';

type Lines = NonNullable<Place['lines']>;

const MEGABYTE = 1024 * 1024;

/** The maximum number of bytes of a file that an editor receives. A capture may have gigabytes. */
export const MAX_SHOWN_BYTES = 16 * MEGABYTE;

/** The number of lines before and after the requested lines that an editor receives from a larger file. */
const AROUND = 500;

/** The content that an editor receives for a file, or for some lines of it. A note replaces the omitted content. */
export async function shownDocument(
  investigations: Pick<Investigations, 'read'>,
  place: Place,
  mostBytes = MAX_SHOWN_BYTES,
): Promise<Uint8Array> {
  const { data, isCut } = await investigations.read(place, mostBytes);
  if (!isText(place.path)) return data;
  const { lines, path } = place;
  const head = lines === undefined ? '' : `${excerptTitle(path, lines)}\n`;
  const tail = isCut ? `\n${cutNote(mostBytes)}\n` : '';
  return head === '' && tail === '' ? data : Buffer.concat([bytes(head), data, bytes(tail)]);
}

/** The position of lines of a file in an editor. */
export interface Reveal {
  /** The lines that the editor receives, if the file is too large. */
  readonly lines?: Lines;
  /** The lines in the editor, counted from 0. */
  readonly first: number;
  readonly last: number;
}

/** The part of a file of this size to open in order to show some of its lines. */
export function revealOf(size: number, { from, to }: Lines, mostBytes = MAX_SHOWN_BYTES): Reveal {
  if (size <= mostBytes) return { first: from, last: to };
  const begin = Math.max(0, from - AROUND);
  // The first line of the editor says which lines follow.
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
    '… only the first {0} MB are shown. Open later parts from the view “Investigations”.',
    Math.round(mostBytes / MEGABYTE),
  );
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
