import { fileURLToPath } from 'node:url';

/** A frame in the text of a stack. Lines and columns are 1-based. */
export interface StackFrame {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

const STACK_LINE =
  /^[ \t]+at (?:(.{0,300}?) \(|async )?((?:file:|\/|[A-Za-z]:[\\/]).{0,1000}?):(\d+):(\d+)\)?$/gm;

/** Returns the frames of a stack in V8's format (https://v8.dev/docs/stack-trace-api), innermost first. */
export function framesInStack(stack: string): readonly StackFrame[] {
  return [...stack.matchAll(STACK_LINE)]
    .map(([, name = '', file = '', line, column]) => ({
      name,
      path: pathOf(file),
      line: Number(line),
      column: Number(column),
    }))
    .filter(({ path }) => !MADE.test(path));
}

/** Matches the end of the place of code that was made by `eval` in a file. */
const MADE = /\), <anonymous>$/;

/** Returns the path of a file that is named by a path or by a URL. */
export function pathOf(file: string): string {
  if (!file.startsWith('file:')) return file;
  try {
    return fileURLToPath(file);
  } catch {
    return file;
  }
}
