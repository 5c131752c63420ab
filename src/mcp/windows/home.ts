import { homedir } from 'node:os';
import path from 'node:path';

/** The properties of a machine that determine the path of the folder. */
export interface HomeOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * The folder in which the windows, editors and stdio bridges of one person find each other on one machine. It is in the
 * home folder, not in an editor's storage, because clients that start the bridge do not know the editor, and because VS
 * Code and Cursor share one address. `AGENT_DEBUGGER_HOME` names another folder. A relative path is resolved in the
 * home folder, because the current folder may belong to any user. An empty value is ignored.
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
