import path from 'node:path';
import { pythonModule, pythonPart, pythonText } from '../../../recording/pythonModule';
import { PYTHON_FILE } from '../../../recording/pythonRecorder';

/** The call that is recorded. */
export interface PythonEntry {
  readonly path: string;
  /** The line at which the function begins. */
  readonly line: number;
  /** The lines of a generator, because another thread may run the rest of it. Undefined for other functions. */
  readonly followed?: { readonly start: number; readonly end: number } | undefined;
  /** The name of the function, without that of its class. */
  readonly function: string;
  /** The number of the call among those that meet the condition, 1-based. */
  readonly call: number;
  readonly condition?: string | undefined;
}

/** The limits of a recording, as the program's recorder reads them. */
export interface PythonLimits {
  readonly hits: number;
  readonly bytes: number;
  readonly text: number;
  readonly items: number;
  readonly depth: number;
  readonly telling?: number;
}

/** The recorder of a call: its name in the program, the folder to which it writes, and the extension's recorders. */
export interface PythonPlace {
  readonly name: string;
  readonly folder: string;
  readonly recorders: string;
}

/** Returns the file from which the condition reads the recorder, with its settings. */
export function recorderFile(
  { name, folder, recorders }: PythonPlace,
  { function: named, call, condition }: PythonEntry,
  limits: PythonLimits,
): Readonly<Record<string, string>> {
  const settings = { name, folder, function: named, call, condition: condition ?? null, ...limits };
  const files = [
    'connection.py',
    'values.py',
    'expressions.py',
    'parts.py',
    'shapes.py',
    'call.py',
  ];
  const parts = files.map((file) => pythonPart(path.join(recorders, 'python', file)));
  return {
    [PYTHON_FILE]: pythonModule(name, JSON.stringify(settings), ['begin', 'close'], parts),
  };
}

/**
 * Returns the condition of the breakpoint at the function's first line. It is false. If the program runs on another
 * machine, it stops. After the recording, the file is gone.
 */
export function recorderCondition({ name, folder }: PythonPlace): string {
  const file = path.join(folder, PYTHON_FILE);
  const module = `__import__('sys').modules.get('${name}')`;
  const isThere = `__import__('os').path.isfile(${JSON.stringify(file)})`;
  const install = `__import__('builtins').exec(${pythonText(file)},{})`;
  const isHere = `__import__('os').path.isdir(${JSON.stringify(path.dirname(folder))})`;
  const stop = `__import__('types').SimpleNamespace(begin=lambda:not ${isHere})`;
  // The debugger compiles the condition at each hit. Therefore the part that only the first hit needs is a string in
  // it.
  const first = JSON.stringify(`(${isThere}and ${install})or ${module}or ${stop}`);
  return `(${module}or __import__('builtins').eval(${first})).begin()`;
}

/** Returns the lines at which the condition is evaluated. The first one is that at which the function begins. */
export function conditionLines({ line, followed }: PythonEntry): readonly number[] {
  if (followed === undefined) return [line];
  const { start, end } = followed;
  const lines = Array.from({ length: end - start + 1 }, (_, index) => start + index);
  return [line, ...lines.filter((each) => each !== line)].slice(0, MAX_LINES);
}

/** The maximum number of lines of a generator with a breakpoint. */
const MAX_LINES = 400;
