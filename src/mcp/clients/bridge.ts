import path from 'node:path';
import { homeFolder } from '../windows/home';
import type { Machine, StdioAccess } from './client';

/** What runs the extension. */
export interface Runtime {
  readonly execPath: string;
  /** VS Code's own on a desktop; a server's Node is in a folder that goes with its next version. */
  readonly isElectron: boolean;
}

/** Where the stdio bridge is put when the server starts, or a client is set up: the same for every version of the extension. */
export function bridgeScript(machine: Machine): string {
  return inHome(machine, 'stdio.js');
}

/**
 * How a client starts the bridge. Without a folder it takes the one that it is started in. Where there is a shell, it
 * is started by a script that knows what runs it (`bridgeLauncher`): an editor may be moved, be an AppImage or be gone,
 * and a server's Node lives as long as its version.
 */
export function bridgeProgram(
  machine: Machine,
  { execPath, isElectron }: Runtime,
  folder?: string,
): StdioAccess {
  const args = folder === undefined ? [] : ['--workspace', folder];
  if (machine.platform !== 'win32')
    return {
      kind: 'stdio',
      command: '/bin/sh',
      args: [inHome(machine, 'stdio.sh'), ...args],
      env: {},
    };
  return {
    kind: 'stdio',
    command: isElectron ? execPath : 'node',
    args: [bridgeScript(machine), ...args],
    env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  };
}

function inHome(machine: Machine, name: string): string {
  return (machine.platform === 'win32' ? path.win32 : path.posix).join(homeFolder(machine), name);
}
