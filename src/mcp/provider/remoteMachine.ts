import { hostname } from 'node:os';

/**
 * What a person calls the machine that the extension runs on, in a remote window: `wsl`, `ssh-remote` and so on. A
 * server that is opened in a browser has its own address for a name, which would look like the MCP server's.
 */
export function remoteMachine(remoteName: string): string {
  return /:\d+$/.test(remoteName) ? hostname() : remoteName;
}
