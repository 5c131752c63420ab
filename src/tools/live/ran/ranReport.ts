import path from 'node:path';
import { nameOf } from '../../../testing/chooseTest';
import {
  countOf,
  onlyIn,
  rangesOf,
  rangesText,
  type RanLines,
} from '../../../testing/lines/ranLines';
import type { CountedRun } from '../../../testing/lines/runLines';
import { shownRange } from '../../../testing/lines/shownRange';
import type { TestPlan } from '../../../testing/planTest';
import { defined } from '../../../util/defined';
import { success } from '../../defineTool';
import { shortPath } from '../../files/files';
import type { ToolServices } from '../../services';

/** The limits of an answer, which is to have at most 400 tokens. */
const MAX_FILES = 4;
const MAX_RANGES = 240;
const MAX_DIFFERENCES = 6;

export interface OfTest {
  readonly plan: TestPlan;
  readonly run: CountedRun;
}

const NOTHING_WRITTEN =
  'No counts: the process was ended, or ended itself in a way that writes none.';

/** Returns the answer about what one test has run, or about what only one of two has run. */
export async function ranReport(
  services: ToolServices,
  one: OfTest,
  other: OfTest | undefined,
  source: string | undefined,
) {
  const here = one.run.lines;
  const there = other?.run.lines;
  const isIncluded = (file: string): boolean =>
    source === undefined || file === source || file.startsWith(`${source}${path.sep}`);
  const only =
    here === undefined || there === undefined
      ? undefined
      : {
          here: await differences(services, here, there, one.plan, isIncluded),
          there: await differences(services, there, here, one.plan, isIncluded),
        };
  const isListed = here !== undefined && (other === undefined || source !== undefined);
  const files = isListed ? filesOf(services, here, one.plan.file, isIncluded) : undefined;
  const omitted = (only?.here.omitted ?? 0) + (only?.there.omitted ?? 0) + (files?.omitted ?? 0);
  const notes = [
    ...notesOf(one),
    ...(other === undefined ? [] : notesOf(other).map((note) => `compare_with: ${note}`)),
    ...(only?.here.notes ?? []),
  ];
  return success(
    defined({
      test: nameOf(one.plan.test),
      outcome: one.run.result.outcome,
      compared_with:
        other === undefined
          ? undefined
          : { test: nameOf(other.plan.test), ...defined({ outcome: other.run.result.outcome }) },
      unit: here?.unit,
      files: files?.shown,
      only_here: only?.here.shown,
      only_there: only?.there.shown,
      more: omitted === 0 ? undefined : omitted,
      notes: notes.length === 0 ? undefined : [...new Set(notes)],
    }),
  );
}

function notesOf({ run, plan }: OfTest): readonly string[] {
  const { lines } = run;
  if (lines === undefined) return [NOTHING_WRITTEN];
  const missed = lines.missed === undefined ? [] : [`Not all was counted: ${lines.missed}.`];
  const unread = lines.unread.map(
    (file) => `The counts of ${path.relative(plan.folder, file)} do not fit its text.`,
  );
  return [...missed, ...unread.slice(0, MAX_FILES), ...lines.notes];
}

function filesOf(
  services: ToolServices,
  { files, missed }: RanLines,
  test: string | undefined,
  isIncluded: (file: string) => boolean,
) {
  const meant = files
    .filter(({ path: file }) => isIncluded(file))
    .sort((left, right) => Number(left.path === test) - Number(right.path === test));
  const shown = meant.slice(0, MAX_FILES).map((file) => {
    const ran = rangesOf(
      file,
      (_, places) => countOf(places) > 0,
      (left, right) => countOf(left) === countOf(right),
    );
    const silent = rangesOf(file, (_, places) => countOf(places) === 0);
    const isKnown = missed === undefined && file.isWhole && silent.length > 0;
    return {
      file: shortPath(services, file.path),
      ran: cutList(rangesText(ran, file)),
      ...defined({ not_run: isKnown ? cutList(rangesText(silent, file)) : undefined }),
    };
  });
  return { shown, omitted: Math.max(0, meant.length - MAX_FILES) };
}

/** Cuts a list of ranges, not within one. */
function cutList(text: string): string {
  if (text.length <= MAX_RANGES) return text;
  const cut = text.lastIndexOf(',', MAX_RANGES);
  return `${text.slice(0, cut)}, …`;
}

interface Differences {
  readonly shown: readonly { readonly at: string; readonly code_line: string }[] | undefined;
  readonly omitted: number;
  readonly notes: readonly string[];
}

/** What only one of two runs did. The body of the test itself comes last, because it always differs. */
async function differences(
  services: ToolServices,
  one: RanLines,
  other: RanLines,
  { file: test }: TestPlan,
  isIncluded: (file: string) => boolean,
): Promise<Differences> {
  const only = onlyIn(one, other);
  if (only === undefined) return { shown: undefined, omitted: 0, notes: [] };
  const ranges = only.ranges
    .filter((range) => isIncluded(range.path))
    .sort((left, right) => Number(left.path === test) - Number(right.path === test));
  const shown = ranges.slice(0, MAX_DIFFERENCES).map((range) => shownRange(services, range));
  return {
    shown: await Promise.all(shown),
    omitted: Math.max(0, ranges.length - MAX_DIFFERENCES),
    notes: only.changed.map(
      (file) => `${shortPath(services, file)} differs between the runs, so it is not compared.`,
    ),
  };
}
