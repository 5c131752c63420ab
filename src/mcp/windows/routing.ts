import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { shareOf } from '../../debugger/sourcePath';

/** What is known about the window that a client wants. */
export interface Wish {
  /** Said in so many words (`?workspace=`, `--workspace`): this path, name or id, or none. */
  readonly workspace?: string | undefined;
  /** What the client works on, as it told itself (MCP roots). */
  readonly roots?: readonly string[] | undefined;
  /** Where the client happens to have been started. */
  readonly folder?: string | undefined;
}

export type Choice<Window> =
  | { readonly kind: 'window'; readonly window: Window }
  /** None is open at all, or none that was named. */
  | { readonly kind: 'none'; readonly wanted: string | undefined }
  | { readonly kind: 'several'; readonly windows: readonly Window[] };

interface Named {
  readonly id: string;
  readonly name: string;
  readonly folders: readonly string[];
}

/** The system that paths are of; a test puts another in its place. */
export interface PathSystem {
  readonly platform: NodeJS.Platform;
  /** The path without links. @throws Error where there is none */
  readonly realPath: (file: string) => string;
}

const THIS_SYSTEM: PathSystem = {
  platform: process.platform,
  realPath: (file) => realpathSync.native(file),
};

/** Finds the window for a client, never guessing: where two would do, the client is asked. */
export function chooseWindow<Window extends Named>(
  windows: readonly Window[],
  wish: Wish,
  system = THIS_SYSTEM,
): Choice<Window> {
  if (wish.workspace !== undefined) {
    const fitting = namedBy(windows, wish.workspace, system);
    return oneOf(fitting) ?? { kind: 'none', wanted: wish.workspace };
  }
  const byRoots = [
    ...new Set((wish.roots ?? []).flatMap((root) => fittingOf(windows, root, system))),
  ];
  const byFolder = wish.folder === undefined ? [] : fittingOf(windows, wish.folder, system);
  return oneOf(byRoots) ?? oneOf(byFolder) ?? oneOf(windows) ?? { kind: 'none', wanted: undefined };
}

function oneOf<Window>(windows: readonly Window[]): Choice<Window> | undefined {
  const [window, ...others] = windows;
  if (window === undefined) return undefined;
  return others.length === 0 ? { kind: 'window', window } : { kind: 'several', windows };
}

/** The windows that a path, an id or a name means. */
function namedBy<Window extends Named>(
  windows: readonly Window[],
  text: string,
  system: PathSystem,
): readonly Window[] {
  const paths = pathsLike(system);
  const [file] = text.startsWith('file:') ? pathsOf([text], system.platform) : [text];
  if (file !== undefined && paths.isAbsolute(file)) return fittingOf(windows, file, system);
  return windows.filter(
    (window) =>
      window.id === text ||
      window.name === text ||
      window.folders.some((folder) => paths.basename(folder) === text),
  );
}

function pathsLike({ platform }: PathSystem): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** The windows that hold a path, those with the nearest folder; else those that have a folder inside it. */
function fittingOf<Window extends Named>(
  windows: readonly Window[],
  wanted: string,
  system: PathSystem,
): readonly Window[] {
  const real = realOf(wanted, system);
  const holds = (folder: string, inside: string): boolean =>
    isWithin(folder, inside, pathsLike(system));
  const depth = (window: Window): number =>
    Math.max(
      -1,
      ...window.folders
        .map((folder) => realOf(folder, system))
        .filter((folder) => holds(folder, real))
        .map((folder) => folder.length),
    );
  const deepest = Math.max(-1, ...windows.map(depth));
  if (deepest >= 0) return windows.filter((window) => depth(window) === deepest);
  return windows.filter((window) =>
    window.folders.some((folder) => holds(real, realOf(folder, system))),
  );
}

function isWithin(folder: string, inside: string, paths: path.PlatformPath): boolean {
  const relative = paths.relative(folder, inside);
  return (
    relative === '' ||
    (relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative))
  );
}

/** Comparable: without links and, where the file system knows no case, without case. */
function realOf(file: string, system: PathSystem): string {
  const whole = pathsLike(system).resolve(file);
  // Windows logs in to a share that is merely looked for, whoever named it: its paths are compared by their text.
  const real = shareOf(file, system.platform) === undefined ? linksResolved(whole, system) : whole;
  return system.platform === 'linux' ? real : real.toLowerCase();
}

function linksResolved(file: string, { realPath }: PathSystem): string {
  try {
    return realPath(file);
  } catch {
    return file;
  }
}

/** The local paths among a client's roots. */
export function pathsOf(
  uris: readonly string[],
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  return uris.flatMap((uri) => {
    try {
      return uri.startsWith('file:') ? [fileURLToPath(uri, { windows: platform === 'win32' })] : [];
    } catch {
      return [];
    }
  });
}

/** What an address asks for. */
export function wishIn(url: URL): Wish {
  return {
    workspace: url.searchParams.get('workspace') ?? undefined,
    folder: url.searchParams.get('folder') ?? undefined,
  };
}
