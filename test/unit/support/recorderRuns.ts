import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { javaScriptCondition, javaScriptFile } from '../../../src/recording/javaScriptConditions';
import { pythonCondition, pythonFile } from '../../../src/recording/pythonRecorder';
import { readRow, type RecordedHit } from '../../../src/recording/recordedRows';

/** The folder of the extension's recorders. */
export const RECORDERS = path.resolve('recorders');

export const SETTINGS = {
  name: 'agent_debugger_test',
  hits: 100,
  bytes: 1e6,
  stopAtLimit: true,
  stopAtRefuted: false,
  callers: true,
  activations: true,
  text: 200,
  items: 3,
  depth: 2,
  oneCall: false,
  valueStops: 2,
};
export const PYTHON = '/usr/bin/python3';

/** A minimal Python debugger. Its frames have their own globals. */
const DEBUGGER = `
def hit(f):
    print(bool(eval(c, f.f_globals, f.f_locals)))
def trace(sys, name):
    def tracer(frame, event, arg):
        if frame.f_code.co_name != name: return None
        if event == 'line': hit(frame)
        return tracer
    sys.settrace(tracer)
`;

export interface Ran {
  readonly rows: readonly ReturnType<typeof readRow>[];
  readonly hits: readonly Omit<RecordedHit, 'pid'>[];
  /** The result of the condition at each hit. */
  readonly stops: string[];
}

export type Point = {
  readonly values: readonly string[] | 'locals';
  readonly when?: string;
  readonly claim?: string;
  readonly stopWhen?: string;
  readonly returns?: string;
  readonly atEntry?: boolean;
};

/** Runs a program that has `CONDITION` where a debugger would evaluate a breakpoint's condition. */
export function run(
  language: 'python' | 'javascript',
  program: string,
  point: Point,
  more = {},
  python = PYTHON,
): Ran {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
  try {
    const settings = { ...SETTINGS, folder, ...more };
    const isPython = language === 'python';
    writeFileSync(
      path.join(folder, isPython ? 'recorder.py' : 'recorder.js'),
      isPython
        ? pythonFile(
            SETTINGS.name,
            JSON.stringify({ ...settings, points: [{ id: 1, ...point }] }),
            path.join(RECORDERS, 'python'),
          )
        : javaScriptFile(SETTINGS.name, JSON.stringify(settings)),
    );
    const { values, when, claim, stopWhen, returns } = point;
    const condition = isPython
      ? pythonCondition(SETTINGS.name, folder, [1])
      : javaScriptCondition(SETTINGS.name, folder, {
          points: [
            { id: 1, values: values === 'locals' ? [] : values, when, claim, stopWhen, returns },
          ],
          callees: [],
          stopsWhenLeft: false,
        });
    // A debugger's own frames are between the program's frames and the condition's frame, with their own globals.
    const text = isPython
      ? `import sys\n_ns = {'c': ${JSON.stringify(condition)}}\nexec(${JSON.stringify(DEBUGGER)}, _ns)\nhit, trace = _ns['hit'], _ns['trace']\n${program}`
      : program.replaceAll('CONDITION', `console.log(eval(${JSON.stringify(condition)}))`);
    const file = path.join(folder, isPython ? 'program.py' : 'program.cjs');
    writeFileSync(file, text);
    const ended = spawnSync(isPython ? python : process.execPath, [file], { encoding: 'utf8' });
    assert.equal(ended.status, 0, ended.stderr);
    const rows = readdirSync(folder)
      .filter((each) => each.endsWith('.jsonl'))
      .flatMap((each) => readFileSync(path.join(folder, each), 'utf8').trim().split('\n'))
      .map(readRow);
    const hits = rows.flatMap((each) => (each?.kind === 'hit' ? [each.hit] : []));
    return { rows, hits, stops: ended.stdout.trim().toLowerCase().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const valuesOf = ({ hits }: Ran): unknown[] => hits.map((each) => each.values);
