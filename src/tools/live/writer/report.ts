import { defined } from '../../../util/defined';
import { success } from '../../defineTool';
import { shortPath } from '../../files/files';
import type { ToolServices } from '../../services';
import { isOwn } from '../../trace/function/ownFrames';
import { seenCandidates, type Choice, type SeenCandidate, type SeenWrite } from './chooseWrite';
import type { Found } from './findRun';
import { NO_KEY } from './probeExpressions';
import { shownValue } from './sameRuns';

/** The limits of an answer, which is to have at most 400 tokens. */
const MAX_VALUE = 160;
const MAX_LINE = 100;
const MAX_STACK = 4;
const MAX_CANDIDATES = 4;
const MAX_FILES = 4;

function cut(text: string, most = MAX_VALUE): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** Returns the answer about a write. */
export async function writerReport(services: ToolServices, found: Found) {
  const { verdict, choice, confirmed, stop, differs } = found;
  const known = writeIn(choice);
  const isNamed = known !== undefined && verdict.sure !== 'ambiguous';
  return success(
    defined({
      expression: stop.asked.expression,
      sure: verdict.sure,
      ...(isNamed ? await writeOf(services, found, known) : {}),
      after: cut(shownValue(stop.read.values[0])),
      stack: isNamed && confirmed !== undefined ? stackOf(services, confirmed.frames) : undefined,
      why: whyOf(found),
      differs: differs ?? confirmed?.differs,
      candidates: isNamed ? undefined : await candidatesOf(services, found),
      searched: found.searched.slice(0, MAX_FILES).map((file) => shortPath(services, file)),
      runs: found.runs,
    }),
  );
}

/** The last write that was seen, even if a later one is possible. */
function writeIn(choice: Choice): SeenWrite | undefined {
  if (choice.kind === 'written') return choice.write;
  return choice.kind === 'unclear' ? choice.known : undefined;
}

async function writeOf(services: ToolServices, { confirmed }: Found, write: SeenWrite) {
  const { path } = write.candidate;
  const { line } = write.candidate.write;
  const before = confirmed?.before ?? write.before;
  return {
    at: `${shortPath(services, path)}:${line}`,
    code_line: await lineOf(services, path, line),
    before: cut(shownBefore(shownValue(before))),
  };
}

function shownBefore(text: string): string {
  return text.slice(1, -1) === NO_KEY ? NO_KEY : text;
}

async function lineOf({ workspace }: ToolServices, path: string, line: number): Promise<string> {
  return cut((await workspace.readSource(path))?.lines[line - 1]?.trim() ?? '', MAX_LINE);
}

function stackOf(
  services: ToolServices,
  frames: NonNullable<Found['confirmed']>['frames'],
): readonly string[] {
  return frames
    .filter((frame) => isOwn(services, frame))
    .slice(0, MAX_STACK)
    .map(({ name, path, line }) => `${name} (${shortPath(services, path ?? '')}:${line})`);
}

function whyOf({ verdict, choice, probes, hits, moment, stop, unread }: Found) {
  const why = [...verdict.why];
  if (choice.kind === 'none' && verdict.sure === 'none') {
    const caller = moment === undefined ? undefined : hits[moment]?.caller;
    why.push(
      probes.scope?.calls === 'own'
        ? `It was not assigned in this call before the stop, so it has the value of its argument or default${caller === undefined ? '' : `: look at the caller ${caller}`}.`
        : 'No line that was watched wrote it before the stop: it may come from the creation of the object, a library, or a file that was not searched.',
    );
  }
  if (unread.length > 0) why.push(`${unread.length} files of the stack could not be read.`);
  if (stop.frames[0]?.id !== stop.frame.id)
    why.push('The moment is the beginning of the line in this frame, before its call.');
  return why.length === 0 ? undefined : why;
}

/** What was seen of the lines that may have written: those that changed this very object, the latest first. */
async function candidatesOf(services: ToolServices, found: Found) {
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
    if (shown.size >= MAX_CANDIDATES || shown.has(place)) continue;
    // Lines that changed other objects say something only if there are no others.
    if (shown.size > 0 && (saw === 'other' || saw === 'nothing')) continue;
    const text = await lineOf(services, candidate.path, candidate.write.line);
    shown.set(place, { at: place, code_line: text, hits: count, saw });
  }
  return shown.size === 0 ? undefined : [...shown.values()];
}

/** The known write itself comes first. */
const RANKS: readonly string[] = ['', 'this', 'unknown', 'other', 'nothing'];
