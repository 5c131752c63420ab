import path from 'node:path';
import {
  loadedRecorder,
  PYTHON_FILE,
  pythonModule,
  pythonPart,
} from '../../../recording/pythonModule';

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
    'folder.py',
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

/** Returns the condition of the breakpoint at the function's first line. It is false if the program can be recorded. */
export function recorderCondition({ name, folder }: PythonPlace): string {
  return `${loadedRecorder(name, folder, 'begin')}.begin()`;
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
