import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Finds the window for a client, never guessing: where two would do, the client is asked. */
export function chooseWindow<Window extends Named>(windows: readonly Window[], wish: Wish): Choice<Window> {
  if (wish.workspace !== undefined) {
    const fitting = namedBy(windows, wish.workspace);
    return oneOf(fitting) ?? { kind: 'none', wanted: wish.workspace };
  }
  const byRoots = [...new Set((wish.roots ?? []).flatMap((root) => fittingOf(windows, root)))];
  const byFolder = wish.folder === undefined ? [] : fittingOf(windows, wish.folder);
  return oneOf(byRoots) ?? oneOf(byFolder) ?? oneOf(windows) ?? { kind: 'none', wanted: undefined };
}

function oneOf<Window>(windows: readonly Window[]): Choice<Window> | undefined {
  const [window, ...others] = windows;
  if (window === undefined) return undefined;
  return others.length === 0 ? { kind: 'window', window } : { kind: 'several', windows };
}

/** The windows that a path, an id or a name means. */
function namedBy<Window extends Named>(windows: readonly Window[], text: string): readonly Window[] {
  const [file] = text.startsWith('file:') ? pathsOf([text]) : [text];
  if (file !== undefined && path.isAbsolute(file)) return fittingOf(windows, file);
  return windows.filter((window) => window.id === text || window.name === text || window.folders.some((folder) => path.basename(folder) === text));
}

/** The windows that hold a path, those with the nearest folder; else those that have a folder inside it. */
function fittingOf<Window extends Named>(windows: readonly Window[], wanted: string): readonly Window[] {
  const real = realOf(wanted);
  const depth = (window: Window): number => Math.max(-1, ...window.folders.map(realOf).filter((folder) => holds(folder, real)).map((folder) => folder.length));
  const deepest = Math.max(-1, ...windows.map(depth));
  if (deepest >= 0) return windows.filter((window) => depth(window) === deepest);
  return windows.filter((window) => window.folders.some((folder) => holds(real, realOf(folder))));
}

function holds(folder: string, inside: string): boolean {
  const relative = path.relative(folder, inside);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** Comparable: without links and, where the file system knows no case, without case. */
function realOf(file: string): string {
  const whole = path.resolve(file);
  const real = linksResolved(whole);
  return process.platform === 'linux' ? real : real.toLowerCase();
}

function linksResolved(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

/** The local paths among a client's roots. */
export function pathsOf(uris: readonly string[]): readonly string[] {
  return uris.flatMap((uri) => {
    try {
      return uri.startsWith('file:') ? [fileURLToPath(uri)] : [];
    } catch {
      return [];
    }
  });
}

/** What an address asks for. */
export function wishIn(url: URL): Wish {
  return { workspace: url.searchParams.get('workspace') ?? undefined, folder: url.searchParams.get('folder') ?? undefined };
}
