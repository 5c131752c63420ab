import { homedir } from 'node:os';
import path from 'node:path';

/** The parts of a machine that decide where the folder is. */
export interface HomeOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * The folder through which the windows, editors and stdio bridges of one person find each other on one machine. It is in
 * the home folder, not in an editor's storage: clients that start the bridge know no editor, and VS Code and Cursor side
 * by side share one address. `AGENT_DEBUGGER_HOME` names another folder; a relative path is in the home folder, because
 * the current folder may belong to anybody. An empty value is ignored.
 */
export function homeFolder({
  env = process.env,
  home = homedir(),
  platform = process.platform,
}: HomeOptions = {}): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  return paths
    .resolve(home, env['AGENT_DEBUGGER_HOME']?.trim() || '.agent-debugger')
    .replace(/(?<=[^\\/:])[\\/]+$/, '');
}
