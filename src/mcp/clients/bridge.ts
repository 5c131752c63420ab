import path from 'node:path';
import { homeFolder } from '../windows/home';
import type { ClientMachine, StdioAccess } from './client';

/** The program that runs the extension. */
export interface Runtime {
  readonly execPath: string;
  /** VS Code itself on a desktop. A server's Node is in a folder that is removed with its next version. */
  readonly isElectron: boolean;
}

/** Where the stdio bridge is installed when the server starts or a client is set up: the same for every version. */
export function bridgeScript(machine: ClientMachine): string {
  return inHome(machine, 'stdio.js');
}

/**
 * How a client starts the bridge. Without a folder, the bridge takes the one that it is started in. On systems with a
 * shell it is started by a script that finds a program to run it (`bridgeLauncher`): an editor may be moved, be an
 * AppImage or be uninstalled, and a server's Node is removed with its version.
 */
export function bridgeProgram(
  machine: ClientMachine,
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

function inHome(machine: ClientMachine, name: string): string {
  return (machine.platform === 'win32' ? path.win32 : path.posix).join(homeFolder(machine), name);
}
