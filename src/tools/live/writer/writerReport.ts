import { defined } from '../../../util/defined';
import { success } from '../../defineTool';
import { shortPath } from '../../files/files';
import type { ToolServices } from '../../services';
import { isOwn } from '../../trace/function/ownFrames';
import { isArgument, type Chain, type Link } from './chain';
import { seenCandidates, type Choice, type SeenCandidate, type SeenWrite } from './chooseWrite';
import type { Found } from './findRun';
import { NO_KEY } from './probeExpressions';
import { shownValue, type Difference } from './sameRuns';
import { estimatedTokens } from './answerSize';

/** How much of each part an answer shows: characters of values and lines, and the numbers of the others. */
interface Shown {
  readonly value: number;
  readonly line: number;
  readonly expression: number;
  readonly stack: number;
  readonly candidates: number;
  readonly files: number;
  readonly inputs: number;
  readonly whys: number;
  readonly why: number;
  /** Whether a step further back has its line and what it read. */
  readonly hasDetails: boolean;
}

const ALL: Shown = {
  ...{ value: 160, line: 100, expression: 120, stack: 4, candidates: 4, files: 4, inputs: 5 },
  ...{ whys: 5, why: 400, hasDetails: true },
};

const LITTLE: Shown = {
  ...{ value: 30, line: 40, expression: 60, stack: 1, candidates: 2, files: 0, inputs: 3 },
  ...{ whys: 3, why: 120, hasDetails: true },
};

/** An answer is to have at most 400 tokens. The first of these that fits is used, or the last. */
const SHOWN: readonly [Shown, ...Shown[]] = [
  ALL,
  { ...ALL, value: 80, line: 80, stack: 3, files: 2, whys: 4, why: 240 },
  { ...ALL, value: 40, line: 60, expression: 80, stack: 2, candidates: 3, files: 0, why: 160 },
  LITTLE,
  { ...LITTLE, value: 24, whys: 2, hasDetails: false },
  {
    ...{ value: 10, line: 20, expression: 24, stack: 0, candidates: 2, files: 0, inputs: 1 },
    ...{ whys: 1, why: 60, hasDetails: false },
  },
];

/** What an answer may have, as it is estimated. */
const MAX_TOKENS = 380;

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** Returns the answer about a write, and about what came before it. */
export async function writerReport(services: ToolServices, { links, end }: Chain) {
  const [first, ...rest] = links;
  let report = await reportOf(services, first, rest, end, SHOWN[0]);
  for (const shown of SHOWN.slice(1)) {
    if (estimatedTokens(JSON.stringify(report)) <= MAX_TOKENS) break;
    report = await reportOf(services, first, rest, end, shown);
  }
  return success(report);
}

async function reportOf(
  services: ToolServices,
  link: Link,
  rest: readonly Link[],
  end: string | undefined,
  shown: Shown,
) {
  const { found } = link;
  const { verdict, confirmed, differs, stop } = found;
  const known = writeIn(found.choice);
  const isNamed = known !== undefined && verdict.sure !== 'ambiguous';
  const files = found.searched.slice(0, shown.files).map((file) => shortPath(services, file));
  const why = whyOf(found)
    .slice(0, shown.whys)
    .map((each) => cut(each, shown.why));
  const earlier = [];
  for (const each of rest) earlier.push(await earlierOf(services, each, shown));
  return defined({
    answer_id: link.id,
    expression: cut(stop.asked.expression, shown.expression),
    sure: verdict.sure,
    ...(isNamed ? await writeOf(services, found, known, shown) : {}),
    after: cut(shownValue(stop.read.values[0]), shown.value),
    stack:
      isNamed && confirmed !== undefined && shown.stack > 0
        ? stackOf(services, confirmed.frames, shown)
        : undefined,
    returned_at: await returnedAt(services, found, shown),
    inputs: inputsOf(link, shown),
    why: why.length === 0 ? undefined : why,
    differs: differsOf(services, differs ?? confirmed?.differs, shown),
    candidates: isNamed ? undefined : await candidatesOf(services, found, shown),
    searched: isNamed || files.length === 0 ? undefined : files,
    runs: [link, ...rest].reduce((sum, each) => sum + each.found.runs, 0),
    earlier: earlier.length === 0 ? undefined : earlier,
    chain_end: end,
  });
}

function differsOf(
  services: ToolServices,
  differs: Difference | undefined,
  { value, expression }: Shown,
) {
  if (differs === undefined) return undefined;
  const { what, at, first, again } = differs;
  return defined({
    what: cut(what, expression),
    at: at === undefined ? undefined : shortPath(services, at),
    first: cut(first, value),
    again: cut(again, value),
  });
}

/** A step further back, without what the first one has in detail. */
async function earlierOf(services: ToolServices, link: Link, shown: Shown) {
  const { found } = link;
  const { verdict, stop } = found;
  const known = writeIn(found.choice);
  const isNamed = known !== undefined && verdict.sure !== 'ambiguous';
  const [value, line] = [Math.min(60, shown.value), Math.min(60, shown.line)];
  const write = isNamed ? await writeOf(services, found, known, { value, line }) : undefined;
  const why = isNamed ? undefined : whyOf(found)[0];
  return defined({
    answer_id: link.id,
    expression: cut(stop.asked.expression, shown.expression),
    sure: verdict.sure,
    at: write?.at,
    code_line: shown.hasDetails ? write?.code_line : undefined,
    before: shown.hasDetails ? write?.before : undefined,
    returned_at: isNamed ? await returnedAt(services, found, { line: 0 }) : undefined,
    after: cut(shownValue(stop.read.values[0]), value),
    inputs: shown.hasDetails ? inputsOf(link, { ...shown, value }) : undefined,
    why: why === undefined || !shown.hasDetails ? undefined : cut(why, shown.why),
  });
}

/** The last write that was seen, even if a later one is possible. */
function writeIn(choice: Choice): SeenWrite | undefined {
  if (choice.kind === 'written') return choice.write;
  return choice.kind === 'unclear' ? choice.known : undefined;
}

async function writeOf(
  services: ToolServices,
  { confirmed }: Found,
  write: SeenWrite,
  shown: Pick<Shown, 'value' | 'line'>,
) {
  const { path } = write.candidate;
  const { line } = write.candidate.write;
  const before = confirmed?.before ?? write.before;
  return {
    at: `${shortPath(services, path)}:${line}`,
    code_line: await lineOf(services, path, line, shown.line),
    before: cut(shownBefore(shownValue(before)), shown.value),
  };
}

/** The line at which the function returned whose call the line wrote. */
async function returnedAt(
  services: ToolServices,
  { confirmed }: Found,
  { line: most }: Pick<Shown, 'line'>,
): Promise<string | undefined> {
  if (confirmed?.returned === undefined) return undefined;
  const { path, line } = confirmed.returned;
  const at = `${shortPath(services, path)}:${line}`;
  return most === 0 ? at : `${at}: ${await lineOf(services, path, line, most)}`;
}

function shownBefore(text: string): string {
  if (/^\((?:NameError|UnboundLocalError|ReferenceError)\b/.test(text)) return '(not defined)';
  return text.slice(1, -1) === NO_KEY ? NO_KEY : text;
}

/** What the line read, each with its value before the line ran. */
function inputsOf(
  { inputs }: Link,
  shown: Pick<Shown, 'value' | 'expression' | 'inputs'>,
): Readonly<Record<string, string>> | undefined {
  const some = inputs
    .slice(0, shown.inputs)
    .map(
      ({ stop }) =>
        [
          cut(stop.asked.expression, shown.expression),
          cut(shownValue(stop.read.values[0]), Math.min(60, shown.value)),
        ] as const,
    );
  return some.length === 0 ? undefined : Object.fromEntries<string>(some);
}

async function lineOf(
  { workspace }: ToolServices,
  path: string,
  line: number,
  most: number,
): Promise<string> {
  return cut((await workspace.readSource(path))?.lines[line - 1]?.trim() ?? '', most);
}

function stackOf(
  services: ToolServices,
  frames: NonNullable<Found['confirmed']>['frames'],
  shown: Shown,
): readonly string[] {
  return frames
    .filter((frame) => isOwn(services, frame))
    .slice(0, shown.stack)
    .map(({ name, path, line }) => `${name} (${shortPath(services, path ?? '')}:${line})`);
}

function whyOf(found: Found): readonly string[] {
  const { verdict, choice, hits, moment, stop, unread } = found;
  const why = [...verdict.why];
  if (choice.kind === 'none' && verdict.sure === 'none') {
    const caller = moment === undefined ? undefined : hits[moment]?.caller;
    why.push(
      isArgument(found)
        ? `It was not assigned in this call before the stop, so it has the value of its argument or default${caller === undefined ? '' : `: look at the caller ${caller}`}.`
        : `No line that was watched wrote it before the stop: it may come from the creation of the object${stop.asked.kind === 'member' ? ` (ask who wrote ${stop.asked.owner})` : ''}, a library, or a file that was not searched.`,
    );
  }
  if (unread.length > 0) why.push(`${unread.length} files of the stack could not be read.`);
  if (stop.frames[0]?.id !== stop.frame.id)
    why.push('The moment is the beginning of the line in this frame, before its call.');
  return why;
}

/** What was seen of the lines that may have written: those that changed this very object, the latest first. */
async function candidatesOf(services: ToolServices, found: Found, limits: Shown) {
  const { hits, moment, probes, choice } = found;
  const known = writeIn(choice)?.candidate;
  const at = moment ?? hits.findLastIndex(({ point }) => point === probes.place);
  const seen = seenCandidates(hits, at < 0 ? hits.length : at, probes);
  const rank = ({ candidate, saw }: SeenCandidate): number =>
    candidate === known ? 0 : RANKS.indexOf(saw);
  const shown = new Map<string, { at: string; code_line: string; hits: number; saw: string }>();
  const ranked = [...seen].sort((one, other) => rank(one) - rank(other));
  for (const { candidate, hits: count, saw } of ranked) {
    const place = `${shortPath(services, candidate.path)}:${candidate.write.line}`;
    if (shown.size >= limits.candidates || shown.has(place)) continue;
    // Lines that changed other objects say something only if there are no others.
    if (shown.size > 0 && (saw === 'other' || saw === 'nothing')) continue;
    const text = await lineOf(services, candidate.path, candidate.write.line, limits.line);
    shown.set(place, { at: place, code_line: text, hits: count, saw });
  }
  return shown.size === 0 ? undefined : [...shown.values()];
}

/** The known write itself comes first. */
const RANKS: readonly string[] = ['', 'this', 'unknown', 'other', 'nothing'];
