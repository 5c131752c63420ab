import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fields, numberOf } from '../../src/debugger/protocol';
import {
  javaScriptChoice,
  javaScriptCondition,
  javaScriptFile,
  javaScriptRemoval,
  type JavaScriptPoint,
} from '../../src/recording/javaScriptConditions';
import { toolPath } from '../support/toolchain';
import type { Report } from './report';

/** The milliseconds of processor time of one call, and the number of its lines that were recorded. */
export interface Measured {
  readonly plain: number;
  /** With a trace function or breakpoints that do nothing. */
  readonly baseline: number;
  readonly recorded: number;
  readonly lines: number;
}

const FOLDER = path.resolve(__dirname, '../../../test/fixtures/bench/lines');
const RECORDERS = path.resolve(__dirname, '../../../recorders/python');
const ROUNDS = 500;
const MOST = { milliseconds: 0.1 } as const;

/** The programs, each with the variables of its function. */
const PROGRAMS = [
  {
    name: 'numbers',
    shown: 'numbers and texts',
    variables: ['rounds', 'total', 'label', 'seen', 'n'],
  },
  {
    name: 'objects',
    shown: 'an object and a dictionary of 20',
    variables: ['rounds', 'basket', 'prices', 'n', 'name'],
  },
  {
    name: 'rows',
    shown: 'a list of 100 dictionaries',
    variables: ['rounds', 'orders', 'total', 'order', 'n'],
  },
] as const;

type Program = (typeof PROGRAMS)[number];

/** The limits of a trace, without those on the number of lines. */
const LIMITS = { hits: 1e7, bytes: 1e10, text: 200, items: 12, depth: 2, telling: 100 };

/** Measures what one recorded line of a call costs, beside the same call under a trace function or breakpoints that do nothing. */
export async function recordedLines(report: Report): Promise<void> {
  report.part('lines');
  const rows = PROGRAMS.flatMap((program) => [
    row(report, `Python, ${program.shown}`, measuredPython(program)),
    row(report, `Node, ${program.shown}`, measuredNode(program)),
  ]);
  report.text(
    'What a recorded line of `trace_function` costs in the program, in milliseconds of processor time. The baseline is the same call under `sys.settrace` with an empty function (Python), or with breakpoints at the same lines whose condition is `false` (Node).',
  );
  report.table(
    [
      '',
      'lines',
      'a line, plain',
      'a line, baseline',
      'a line, recorded',
      'to baseline',
      'cost of a line',
      'aim',
    ],
    rows,
  );
}

function row(
  report: Report,
  name: string,
  { plain, baseline, recorded, lines }: Measured,
): (string | number)[] {
  const cost = (recorded - baseline) / lines;
  const aim = report.aim(`${name}: milliseconds of a recorded line`, cost, {
    most: MOST.milliseconds,
  });
  return [
    name,
    lines,
    plain / lines,
    baseline / lines,
    recorded / lines,
    recorded / baseline,
    cost,
    aim,
  ];
}

export function measuredPython(
  { name }: { readonly name: string },
  python = toolPath('python'),
): Measured {
  return inFolder((folder) =>
    measured(python, [
      '-B',
      path.join(FOLDER, 'measure.py'),
      RECORDERS,
      path.join(folder, 'rows'),
      String(ROUNDS),
      name,
    ]),
  );
}

export function measuredNode(
  { name, variables }: Pick<Program, 'name' | 'variables'>,
  node = 'node',
): Measured {
  return inFolder((folder) => {
    const rows = path.join(folder, 'rows');
    const settings = {
      ...{
        name: 'agent_debugger_bench',
        folder: rows,
        stopAtLimit: true,
        stopAtRefuted: false,
        callers: true,
      },
      ...{ activations: false, oneCall: true, valueStops: 2, ...LIMITS },
    };
    const place = { name: settings.name, folder: rows };
    const file = path.join(folder, 'settings.json');
    writeFileSync(
      file,
      JSON.stringify({
        program: name,
        rounds: ROUNDS,
        folder: rows,
        recorder: javaScriptFile(settings.name, JSON.stringify(settings)),
        places: placesOf(name, variables, place),
        remove: javaScriptRemoval(settings.name),
      }),
    );
    return measured(node, [path.join(FOLDER, 'measure.cjs'), file]);
  });
}

/** The conditions of the lines of a function. That of the first one chooses the call. */
function placesOf(
  name: string,
  variables: readonly string[],
  place: { readonly name: string; readonly folder: string },
): readonly { readonly line: number; readonly condition: string }[] {
  return linesOf(name).map((line, at) => {
    const point: JavaScriptPoint = {
      ...{ id: at + 1, when: undefined, stopWhen: undefined, claim: undefined, values: variables },
    };
    const condition =
      at === 0
        ? `!${javaScriptChoice(place.name, place.folder, point)}`
        : javaScriptCondition(place.name, place.folder, {
            points: [point],
            callees: [],
            stopsWhenLeft: false,
            isOneCall: true,
          });
    return { line, condition };
  });
}

/** The lines of a function with a statement, 1-based. */
function linesOf(name: string): readonly number[] {
  const lines = readFileSync(path.join(FOLDER, 'programs.cjs'), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith(`function ${name}(`)) + 1;
  const end = lines.findIndex((line, at) => at > first && line === '}');
  return lines.flatMap((line, at) => (at >= first && at < end && /\w/.test(line) ? [at + 1] : []));
}

function inFolder(run: (folder: string) => Measured): Measured {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-lines-'));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measured(program: string, args: readonly string[]): Measured {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const result = fields(JSON.parse(stdout));
  const figure = (name: keyof Measured): number => numberOf(result[name]) ?? Number.NaN;
  return {
    plain: figure('plain'),
    baseline: figure('baseline'),
    recorded: figure('recorded'),
    lines: figure('lines'),
  };
}
