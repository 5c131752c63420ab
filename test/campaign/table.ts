import path from 'node:path';
import { median, timeLimitOf, type Check, type Compared } from './compare';
import type { Result } from './campaign';
import type { Measured } from './calls';
import { CAMPAIGN_FOLDER } from './project';

/** Something that an aim does not allow. */
export interface Shortfall {
  readonly project: string;
  readonly test: string;
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

const ASPECTS = ['verdict', 'message', 'place', 'variables'] as const;

/** The share of right answers that the aims ask for. */
const AIMS: Readonly<Record<(typeof ASPECTS)[number] | 'stay', number>> = {
  verdict: 1,
  message: 1,
  place: 1,
  variables: 0.98,
  stay: 1,
};

interface Count {
  readonly right: number;
  readonly all: number;
}

function countOf(checks: readonly (Check | undefined)[]): Count {
  const there = checks.filter((check) => check !== undefined);
  return { right: there.filter(({ isRight }) => isRight).length, all: there.length };
}

function shown({ right, all }: Count): string {
  if (all === 0) return '–';
  return right === all ? String(all) : `**${right}** of ${all}`;
}

function checksOf(
  results: readonly Result[],
  aspect: keyof Compared,
): readonly (Check | undefined)[] {
  return results.flatMap(({ measured }) => measured.map(({ compared }) => compared[aspect]));
}

function seconds(milliseconds: number): string {
  return Number.isNaN(milliseconds)
    ? '–'
    : (milliseconds / 1000).toFixed(milliseconds < 9950 ? 2 : 1);
}

/** How much longer the middle one of the pairs took than it may, in milliseconds. */
export function excess(
  runner: string,
  pairs: readonly Pick<Measured, 'plainMs' | 'oursMs'>[],
): number {
  return median(pairs.map(({ plainMs, oursMs }) => oursMs - timeLimitOf(runner, plainMs)));
}

function timeCells({ prepared, measured }: Result): readonly string[] {
  return [true, false].flatMap((isFailing) => {
    const pairs = measured.filter((each) => each.isFailing === isFailing);
    const ours = seconds(median(pairs.map(({ oursMs }) => oursMs)));
    const isLate = excess(prepared.project.runner, pairs) > 0;
    return [seconds(median(pairs.map(({ plainMs }) => plainMs))), isLate ? `**${ours}**` : ours];
  });
}

/** The Markdown table of the campaign: a row for each project, and one for all. */
export function tableOf(results: readonly Result[]): string {
  const heads = [
    ...['project', 'runner', 'fault', 'fail'],
    ...['verdict', 'message', 'place', 'variables', 'stay'],
    ...['failing: plain', 'debug_test', 'passing: plain', 'debug_test'],
  ];
  const rows = results.map((result) => {
    const { project, version, fault } = result.prepared;
    return [
      (project.package ?? project.name).replace(/\|/g, '\\|'),
      `${project.runner} ${version}`,
      `${path.basename(fault.file)}:${fault.line} \`${fault.from}\` → \`${fault.to}\``.replace(
        /\|/g,
        '\\|',
      ),
      String(result.failing),
      ...ASPECTS.map((aspect) => shown(countOf(checksOf([result], aspect)))),
      shown(countOf([result.stay])),
      ...timeCells(result),
    ];
  });
  const all = [
    ...['all', '', '', String(results.reduce((sum, { failing }) => sum + failing, 0))],
    ...ASPECTS.map((aspect) => percent(countOf(checksOf(results, aspect)))),
    percent(countOf(results.map(({ stay }) => stay))),
    ...['', '', '', ''],
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const ruler = heads.map((_, column) => (column < 3 ? '---' : '--:'));
  return [heads, ruler, ...rows, all].map(line).join('\n');
}

function percent({ right, all }: Count): string {
  return all === 0 ? '–' : `${((100 * right) / all).toFixed(right === all ? 0 : 1)}%`;
}

/** Everything that was not as the plain runner says, or took too long. */
export function shortfallsOf(results: readonly Result[]): readonly Shortfall[] {
  return results.flatMap((result) => {
    const { project } = result.prepared;
    const wrong = result.measured.flatMap(({ test, compared }) =>
      ASPECTS.flatMap((what) => {
        const check = compared[what];
        return check === undefined || check.isRight
          ? []
          : [fallen(project.name, test, what, check)];
      }),
    );
    const { stay } = result;
    const stayed =
      stay === undefined || stay.isRight ? [] : [fallen(project.name, stay.test, 'stay', stay)];
    return [...wrong, ...stayed, ...lateOf(result)];
  });
}

function fallen(project: string, test: string, what: string, { expected, got }: Check): Shortfall {
  const short = (text: string) => text.replaceAll(`${CAMPAIGN_FOLDER}${path.sep}`, '');
  return { project, test, what, expected: short(expected), got: short(got) };
}

function lateOf({ prepared: { project }, measured }: Result): readonly Shortfall[] {
  return [true, false].flatMap((isFailing) => {
    const pairs = measured.filter((each) => each.isFailing === isFailing);
    if (!(excess(project.runner, pairs) > 0)) return [];
    const plain = median(pairs.map(({ plainMs }) => plainMs));
    return {
      project: project.name,
      test: `${pairs.length} ${isFailing ? 'failing' : 'passing'}`,
      what: 'time',
      expected: `at most ${seconds(timeLimitOf(project.runner, plain))} s (plain ${seconds(plain)} s)`,
      got: `${seconds(median(pairs.map(({ oursMs }) => oursMs)))} s`,
    };
  });
}

/**
 * The aims that a campaign misses.
 * @param countsTimes false on a machine on which other tests run beside it
 */
export function missedAims(results: readonly Result[], countsTimes = true): readonly string[] {
  const shares = ASPECTS.map((aspect) => [aspect, countOf(checksOf(results, aspect))] as const);
  const counts = [...shares, ['stay', countOf(results.map(({ stay }) => stay))] as const];
  const missed = counts.flatMap(([what, count]) =>
    count.all > 0 && count.right / count.all < AIMS[what]
      ? `${what}: ${percent(count)}, aim ${100 * AIMS[what]}%`
      : [],
  );
  const late = countsTimes ? results.filter((result) => lateOf(result).length > 0) : [];
  return late.length === 0
    ? missed
    : [...missed, `time: ${late.map(({ prepared }) => prepared.project.name).join(', ')}`];
}
