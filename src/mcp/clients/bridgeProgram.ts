import path from 'node:path';
import { homeFolder } from '../windows/home';
import type { ClientMachine, StdioAccess } from './client';

/** The program that runs the extension. */
export interface Runtime {
  readonly execPath: string;
  /**
   * Whether the program is a desktop VS Code. The Node of a VS Code server is in a folder that is removed with the next
   * version.
   */
  readonly isElectron: boolean;
}

/**
 * The path at which the stdio bridge is installed when the server starts or a client is set up. Every version uses this
 * path.
 */
export function bridgeScript(machine: ClientMachine): string {
  return inHome(machine, 'stdio.js');
}

/**
 * The program with which a client starts the bridge. Without a folder, the bridge uses the current folder. On systems
 * with a shell, a script finds a program to run it (`bridgeLauncher`), because an editor may be moved, be an AppImage
 * or be uninstalled, and the Node of a server is removed with its version.
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
