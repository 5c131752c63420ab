import { homedir } from 'node:os';
import path from 'node:path';

/** What of a machine says where the folder is. */
export interface HomeOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
}

/**
 * The folder through which windows, editors and the stdio bridge of one person find each other on one machine. It lies
 * in the home folder and not in the editor's storage: the bridge is started by clients that know no editor, and VS Code
 * and Cursor side by side share one address. `AGENT_DEBUGGER_HOME` names another; a relative one lies in the home
 * folder, because the current folder may be anybody's, and an empty one names nothing.
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
