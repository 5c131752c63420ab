import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../../debugger/protocol';
import { SERVER_NAME, type Access } from './client';

/** Cursor's own API for extensions, `vscode.cursor.mcp` ("Extension API reference" in Cursor's documentation). */
export interface CursorMcp {
  registerServer(configuration: CursorServer): void;
  unregisterServer(name: string): void;
}

export interface CursorServer {
  readonly name: string;
  readonly server:
    | {
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
      }
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

/** Returns Cursor's API. Undefined in every other editor. */
export function cursorMcpOf(editor: unknown): CursorMcp | undefined {
  const mcp = isFields(editor) && isFields(editor['cursor']) ? editor['cursor']['mcp'] : undefined;
  return isCursorMcp(mcp) ? mcp : undefined;
}

function isCursorMcp(value: unknown): value is CursorMcp {
  return (
    typeof value === 'object' &&
    value !== null &&
    'registerServer' in value &&
    typeof value.registerServer === 'function' &&
    'unregisterServer' in value &&
    typeof value.unregisterServer === 'function'
  );
}

/** Our entry in Cursor's list of servers. Cursor keeps it until it is unregistered. */
export class CursorRegistration {
  private offered: CursorServer | undefined;

  constructor(private readonly cursor: CursorMcp) {}

  /** @param access the access to offer; undefined to offer nothing */
  offer(access: Access | undefined): void {
    const requested =
      access === undefined ? undefined : { name: SERVER_NAME, server: serverOf(access) };
    if (isDeepStrictEqual(requested, this.offered)) return;
    if (this.offered !== undefined) this.cursor.unregisterServer(SERVER_NAME);
    this.offered = requested;
    if (requested !== undefined) this.cursor.registerServer(requested);
  }
}

function serverOf(access: Access): CursorServer['server'] {
  if (access.kind === 'http')
    return { url: access.url, headers: { Authorization: `Bearer ${access.key}` } };
  const { command, args, env } = access;
  return { command, args, env };
}
