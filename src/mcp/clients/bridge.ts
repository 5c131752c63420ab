import path from 'node:path';
import { homeFolder } from '../windows/home';
import type { Machine, StdioAccess } from './client';

/** What runs the extension. */
export interface Runtime {
  readonly execPath: string;
  /** VS Code's own on a desktop; a server's Node is in a folder that goes with its next version. */
  readonly isElectron: boolean;
}

/** Where the stdio bridge is put when the server starts: the same for every version of the extension. */
export function bridgeScript(machine: Machine): string {
  return (machine.platform === 'win32' ? path.win32 : path.posix).join(homeFolder(machine), 'stdio.js');
}

/** How a client starts the bridge. Without a folder it takes the one that it is started in. */
export function bridgeProgram(machine: Machine, { execPath, isElectron }: Runtime, folder?: string): StdioAccess {
  // A snap's own folder goes with its next version; the link beside it stays.
  const editor = execPath.replace(/^(\/snap\/[^/]+)\/[^/]+\//, '$1/current/');
  return {
    kind: 'stdio',
    command: isElectron ? editor : 'node',
    args: [bridgeScript(machine), ...(folder === undefined ? [] : ['--workspace', folder])],
    env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  };
}
