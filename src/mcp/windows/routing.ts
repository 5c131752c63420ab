import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { shareOf } from '../../debugger/sourcePath';

/** The window that a client should work with, as far as it is specified. */
export interface Wish {
  /**
   * The window that is named explicitly (`?workspace=`, `--workspace`) by a path, a name or an id. No other window is
   * used.
   */
  readonly workspace?: string | undefined;
  /** The folders that the client works on (MCP roots). */
  readonly roots?: readonly string[] | undefined;
  /** The folder in which the client was started. */
  readonly folder?: string | undefined;
}

export type Choice<Window> =
  | { readonly kind: 'window'; readonly window: Window }
  /** No window is open, or not the requested one. */
  | { readonly kind: 'none'; readonly requested: string | undefined }
  | { readonly kind: 'several'; readonly windows: readonly Window[] };

interface NamedWindow {
  readonly id: string;
  readonly name: string;
  readonly folders: readonly string[];
}

/** The operating system whose paths are compared. Tests set another one. */
export interface PathSystem {
  readonly platform: NodeJS.Platform;
  /** The path with links resolved. @throws Error if it does not exist */
  readonly realPath: (file: string) => string;
}

const THIS_SYSTEM: PathSystem = {
  platform: process.platform,
  realPath: (file) => realpathSync.native(file),
};

/** Finds the window for a client. It never guesses: if two windows match, the client must choose. */
export function chooseWindow<Window extends NamedWindow>(
  windows: readonly Window[],
  wish: Wish,
  system = THIS_SYSTEM,
): Choice<Window> {
  if (wish.workspace !== undefined) {
    const fitting = namedBy(windows, wish.workspace, system);
    return oneOf(fitting) ?? { kind: 'none', requested: wish.workspace };
  }
  const byRoots = [
    ...new Set((wish.roots ?? []).flatMap((root) => fittingOf(windows, root, system))),
  ];
  const byFolder = wish.folder === undefined ? [] : fittingOf(windows, wish.folder, system);
  return (
    oneOf(byRoots) ?? oneOf(byFolder) ?? oneOf(windows) ?? { kind: 'none', requested: undefined }
  );
}

function oneOf<Window>(windows: readonly Window[]): Choice<Window> | undefined {
  const [window, ...others] = windows;
  if (window === undefined) return undefined;
  return others.length === 0 ? { kind: 'window', window } : { kind: 'several', windows };
}

/** The windows that a path, an id or a name refers to. */
function namedBy<Window extends NamedWindow>(
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

/** The windows with the deepest folder that contains a path; otherwise the windows with a folder inside the path. */
function fittingOf<Window extends NamedWindow>(
  windows: readonly Window[],
  file: string,
  system: PathSystem,
): readonly Window[] {
  const real = realOf(file, system);
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

/** A path that can be compared: with links resolved and, if the file system ignores case, in lower case. */
function realOf(file: string, system: PathSystem): string {
  const whole = pathsLike(system).resolve(file);
  // Windows logs in to a network share when a path on it is resolved, so such paths are compared as text.
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

/** The requested window in the URL of a request. */
export function wishIn(url: URL): Wish {
  return {
    workspace: parameter(url, 'workspace'),
    folder: parameter(url, 'folder'),
  };
}

/**
 * Reads a query parameter. VS Code's `uri.toString()` encodes the query again, including the `=`. In that case name and
 * value arrive as one name without a value.
 */
function parameter({ searchParams }: URL, name: string): string | undefined {
  const value = searchParams.get(name);
  if (value !== null) return value;
  const both = [...searchParams.keys()].find((key) => key.startsWith(`${name}=`));
  return both === undefined ? undefined : decoded(both.slice(name.length + 1));
}

/** The decoded text; the text itself if it was not encoded, because a folder's name may contain a `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
