import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { listOf, textOf } from '../../debugger/protocol';

/** What a client said of itself when it introduced itself, as far as anybody asks later. */
export interface Introduction {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
  /** It can tell its roots (MCP `roots/list`). */
  readonly hasRoots: boolean;
}

/** What an id says. */
export interface SessionId {
  readonly introduction: Introduction;
  /** The window that the session began in; undefined where there are no windows. */
  readonly window: string | undefined;
}

/** More than any id of ours: what is longer is not looked at. */
const MOST_CHARACTERS = 1000;

/**
 * Ids of MCP sessions that outlive the server. An id names the window that it was issued in and holds what its client
 * said of itself, and ends with a signature of all that, made with the server's key. So after a restart, or in the window
 * that has taken over, the server knows its own ids and goes on with their clients, of which some never introduce
 * themselves again. Another key makes every old id a foreign one. An id has one spelling: signatures are compared as text,
 * because their last character has bits that count for nothing.
 */
export class SessionIds {
  constructor(private readonly key: () => string) {}

  /** @param window eight hexadecimal digits */
  issue({ name, version, protocolVersion, hasRoots }: Introduction, window?: string): string {
    const content = Buffer.from(
      JSON.stringify([cut(name, 60), cut(version, 40), cut(protocolVersion, 20), hasRoots ? 1 : 0]),
    ).toString('base64url');
    const unsigned = `${window === undefined ? '' : `${window}-`}${content}.${randomBytes(16).toString('base64url')}`;
    return `${unsigned}.${this.signature(unsigned)}`;
  }

  /** What an id says; undefined where it is none of ours. */
  read(id: string): SessionId | undefined {
    const [, unsigned, window, content, signature] =
      (id.length <= MOST_CHARACTERS &&
        /^((?:([0-9a-f]{8})-)?([\w-]+)\.[\w-]{22})\.([\w-]{43})$/.exec(id)) ||
      [];
    if (unsigned === undefined || content === undefined || signature === undefined)
      return undefined;
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(this.signature(unsigned))))
      return undefined;
    const [name, version, protocolVersion, hasRoots] = listOf(
      JSON.parse(Buffer.from(content, 'base64url').toString('utf8')),
    );
    const introduction = {
      name: textOf(name) ?? '',
      version: textOf(version) ?? '',
      protocolVersion: textOf(protocolVersion) ?? '',
      hasRoots: hasRoots === 1,
    };
    return { introduction, window };
  }

  /** By a key of its own, which tells nothing of the server's. */
  private signature(text: string): string {
    const derived = Buffer.from(
      hkdfSync('sha256', this.key(), '', 'agent-debugger mcp session id', 32),
    );
    return createHmac('sha256', derived).update(text).digest('base64url');
  }
}

/** The beginning of a text, never half of a character. */
function cut(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('');
}
