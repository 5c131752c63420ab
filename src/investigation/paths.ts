import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';

/** The form of a session's id: the day, and four characters that make the id unique. */
const SESSION_ID = /^\d{6}-[a-z0-9]{4}$/;

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** One part of a path. No part begins with a dot, so no path leaves its folder. */
const PART = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

const MAX_PARTS = 4;

export const URI_BEGINNING = 'vdt://sessions/';

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** The end of the day that an id names, in milliseconds since 1970. */
export function dayOf(sid: string): number {
  const [year, month, day] = [sid.slice(0, 2), sid.slice(2, 4), sid.slice(4, 6)].map(Number);
  return Date.UTC(2000 + (year ?? 0), (month ?? 1) - 1, (day ?? 0) + 1);
}

/** Creates a new id. @param random four numbers, each at least 0 and below 1 */
export function newSessionId(now: Date, random: readonly number[]): string {
  const day = now.toISOString().slice(2, 10).replaceAll('-', '');
  const rest = random.map((fraction) => ALPHABET[Math.floor(fraction * ALPHABET.length)] ?? 'a');
  return `${day}-${rest.join('')}`;
}

/** Whether a path, relative to its session's folder, stays in that folder. */
export function isInside(path: string): boolean {
  const parts = path.split('/');
  return parts.length <= MAX_PARTS && parts.every((part) => PART.test(part));
}

/** @throws Failure `invalid_input` for a path that leaves the session's folder */
export function checkPath(path: string): void {
  if (isInside(path)) return;
  throw new Failure(
    'invalid_input',
    l10n.t('{0} is not a path inside the folder of an investigation.', path.slice(0, 100)),
    'Use a path from the resource list, such as logs/capture.ndjson.',
  );
}

export function uriOf(sid: string, path: string): string {
  return `${URI_BEGINNING}${sid}/${path}`;
}

/** A resource, and the requested lines of it. */
export interface Place {
  readonly sid: string;
  readonly path: string;
  /** The first and the last line, counted from 0. */
  readonly lines?: { readonly from: number; readonly to: number };
}

const URI = /^vdt:\/\/sessions\/([^/?#]{1,20})\/([^?#]{1,300})(?:#L(\d{1,9})(?:-L(\d{1,9}))?)?$/;

/** The place that a URI names; undefined if it names none. A fragment `#L3-L9` counts lines from 1. */
export function placeOf(uri: string): Place | undefined {
  const [, sid = '', path = '', first, last] = URI.exec(uri) ?? [];
  if (!isSessionId(sid) || !isInside(path)) return undefined;
  if (first === undefined) return { sid, path };
  const from = Math.max(0, Number(first) - 1);
  return { sid, path, lines: { from, to: Math.max(from, Number(last ?? first) - 1) } };
}

const TYPES: readonly (readonly [string, string])[] = [
  ['.ndjson', 'application/x-ndjson'],
  ['.json', 'application/json'],
  ['.md', 'text/markdown'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
];

/** The MIME type of a file, by its name. */
export function typeOf(path: string): string {
  return TYPES.find(([ending]) => path.endsWith(ending))?.[1] ?? 'text/plain';
}

export function isText(path: string): boolean {
  return !typeOf(path).startsWith('image/');
}
