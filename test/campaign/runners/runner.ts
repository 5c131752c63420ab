import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command, Ran } from '../command';
import type { Installed, Place, TruthTest } from '../project';

/** Why a run with a fault says nothing: it was not built, or not loaded. */
export interface Broken {
  readonly broken: string;
}

/** How the plain runner of a project is run, and how its report is read. */
export interface Runner {
  /** @param report a file that the runner may write */
  readonly whole: (installed: Installed, report: string) => Command;
  /** @param text what the runner wrote to `report`; empty if it wrote nothing */
  readonly read: (
    installed: Installed,
    text: string,
    ran: Ran,
  ) => readonly TruthTest[] | Broken | Promise<readonly TruthTest[] | Broken>;
  /** The command that a person would use to run one test. */
  readonly one: (installed: Installed, test: TruthTest) => Command;
  /** Prints the version of the runner. */
  readonly version: (installed: Installed) => Command;
  /** Whether it builds the test, so that the first runs are not measured. */
  readonly builds?: boolean;
}

/** Whether a file belongs to the project itself and not to its packages. */
export function isOwn({ folder }: Installed, file: string): boolean {
  const inside = path.relative(folder, file);
  return (
    !inside.startsWith('..') &&
    !path.isAbsolute(inside) &&
    !/(?:^|[\\/])(?:node_modules|site-packages|\.venv|\.cargo|_deps)(?:[\\/]|$)/.test(inside)
  );
}

/** Reads the places in the lines of a stack as V8 writes them, innermost first. Mocha makes their paths relative. */
export function placesInStack(stack: string, folder: string): readonly Place[] {
  return stack.split('\n').flatMap((line) => {
    const [, file, number, column] =
      /^\s*at (?:.*\()?(?:file:\/\/)?([^()\s:][^():]*):(\d+):(\d+)\)?$/.exec(line) ?? [];
    return file === undefined
      ? []
      : [{ file: path.resolve(folder, file), line: Number(number), column: Number(column) }];
  });
}

export function ownPlaceInStack(installed: Installed, stack: string): Place | undefined {
  return placesInStack(stack, installed.folder).find(
    ({ file }) => isOwn(installed, file) && existsSync(file),
  );
}

export function asPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

export function packageScript({ folder }: Installed, name: string): string {
  return path.join(folder, 'node_modules/.bin', name);
}
