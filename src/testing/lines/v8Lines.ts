import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fields, listOf, textOf, wholeOf, type Fields } from '../../debugger/protocol';
import { JAVASCRIPT, maskText } from '../scan/maskText';
import type { RanFile, RanLines } from './ranLines';
import { mappingsOf, sourcesOf, type Mapping } from './sourceMap';

/** A place of a script: its offset, and the line of the source that it belongs to. */
interface Place {
  readonly offset: number;
  readonly line: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** Returns the exact text of a file of the person's own. Undefined for other files, and for those that cannot be read. */
export type ReadOwn = (file: string) => Promise<string | undefined>;

const NAME = /[\w$]+/g;
/** What starts code whose counts are lost if it is killed. */
const STARTS_OTHERS = /child_process|worker_threads|node:cluster/;

/**
 * Reads the files that Node writes for `NODE_V8_COVERAGE`, one for each process and worker.
 * @param isOwn whether a file is the person's own
 */
export async function readV8Lines(
  texts: readonly string[],
  isOwn: (file: string) => boolean,
  read: ReadOwn,
): Promise<RanLines> {
  const files = new Map<string, RanFile>();
  const unread = new Set<string>();
  const notes = new Set<string>();
  for (const text of texts) {
    const report = reportIn(text);
    const maps = fields(report['source-map-cache']);
    for (const script of listOf(report['result']).map((each) => fields(each))) {
      const url = textOf(script['url']) ?? '';
      const file = fileOf(url);
      if (file === undefined || !isOwn(file)) continue;
      const source = await read(file);
      const map = maps[url];
      const ran =
        map === undefined ? plainIn(script, source, file) : await mappedIn(script, file, map, read);
      if (ran.length === 0) unread.add(file);
      for (const each of ran) {
        const both = joined(files.get(each.path), each);
        if (both === undefined) unread.add(each.path);
        else files.set(each.path, both);
      }
      if (STARTS_OTHERS.test(source ?? ''))
        notes.add('Child processes and workers that were killed are not counted.');
    }
  }
  const known = [...files.values()].filter(({ path: file }) => isOwn(file) && !unread.has(file));
  return { unit: 'block', files: known, unread: [...unread], notes: [...notes] };
}

function reportIn(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch {
    return {};
  }
}

function fileOf(url: string): string | undefined {
  if (!url.startsWith('file:')) return path.isAbsolute(url) ? url : undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** Returns the counts of a script. None if they don't belong to the text. */
function plainIn(script: Fields, text: string | undefined, file: string): readonly RanFile[] {
  const ranges = rangesIn(script);
  if (text === undefined || ranges[0]?.end !== text.length) return [];
  return [countedIn(file, ranges, placesIn(text))];
}

/** The ranges, each one before those in it. */
function rangesIn(script: Fields): readonly Range[] {
  return listOf(script['functions'])
    .flatMap((each) => listOf(fields(each)['ranges']))
    .map((each) => fields(each))
    .map((range) => ({
      start: wholeOf(range['startOffset']) ?? 0,
      end: wholeOf(range['endOffset']) ?? 0,
      count: wholeOf(range['count']) ?? 0,
    }))
    .sort((one, other) => one.start - other.start || other.end - one.end);
}

/** The places of a text that have code: the names outside of comments and strings. */
function placesIn(text: string): readonly Place[] {
  const places: Place[] = [];
  let offset = 0;
  for (const [index, line] of maskText(text, JAVASCRIPT).split('\n').entries()) {
    for (const { index: column } of line.matchAll(NAME))
      places.push({ offset: offset + column, line: index + 1 });
    offset += line.length + 1;
  }
  return places;
}

function countedIn(file: string, ranges: readonly Range[], places: readonly Place[]): RanFile {
  const counts = places.map(() => 0);
  for (const { start, end, count } of ranges) {
    const first = firstFrom(places, start);
    counts.fill(count, first, firstFrom(places, end));
  }
  const lines = new Map<number, number[]>();
  for (const [at, { line }] of places.entries()) {
    const known = lines.get(line) ?? [];
    known.push(counts[at] ?? 0);
    lines.set(line, known);
  }
  return { path: file, lines, isWhole: true };
}

/** The index of the first place that is not before an offset. */
function firstFrom(places: readonly Place[], offset: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.offset ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the counts of the sources of a script that was made of them, such as those of TypeScript. */
async function mappedIn(
  script: Fields,
  file: string,
  cached: unknown,
  read: ReadOwn,
): Promise<readonly RanFile[]> {
  const { lineLengths, data } = fields(cached);
  const starts: number[] = [];
  let length = 0;
  for (const each of listOf(lineLengths)) {
    starts.push(length);
    length += (wholeOf(each) ?? 0) + 1;
  }
  const ranges = rangesIn(script);
  if (ranges[0]?.end !== length - 1) return [];
  const mappings = mappingsOf(data);
  const files: RanFile[] = [];
  for (const [index, source] of sourcesOf(data).entries()) {
    const own = sourceFile(source, file);
    const text = own === undefined ? undefined : await read(own);
    if (own === undefined || text === undefined) continue;
    const lines = maskText(text, JAVASCRIPT).split('\n');
    const places = mappings
      .filter((each) => each.source === index && isName(lines, each))
      .map(({ line, column, sourceLine }) => ({
        offset: (starts[line] ?? 0) + column,
        line: sourceLine + 1,
      }));
    files.push(countedIn(own, ranges, places));
  }
  return files;
}

function isName(lines: readonly string[], { sourceLine, sourceColumn }: Mapping): boolean {
  return /[\w$]/.test(lines[sourceLine]?.charAt(sourceColumn) ?? '');
}

function sourceFile(source: string, file: string): string | undefined {
  if (source.startsWith('file:')) return fileOf(source);
  return /^[a-z]{2,20}:/.test(source) ? undefined : path.resolve(path.dirname(file), source);
}

/** Adds the counts of another process. Undefined if they are those of another text. */
function joined(one: RanFile | undefined, other: RanFile): RanFile | undefined {
  if (one === undefined) return other;
  const lines = new Map<number, readonly number[]>();
  for (const [line, places] of other.lines) {
    const known = one.lines.get(line);
    if (known?.length !== places.length) return undefined;
    lines.set(
      line,
      places.map((count, at) => count + (known[at] ?? 0)),
    );
  }
  return { ...other, lines };
}
