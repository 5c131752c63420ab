import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { listOf, textOf } from '../../debugger/protocol';

/** The part of a client's initialize request that is needed later. */
export interface Introduction {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
  /** Whether the client answers MCP `roots/list`. */
  readonly hasRoots: boolean;
}

/** The content of an id. */
export interface SessionId {
  readonly introduction: Introduction;
  /** The window that the session began in. Undefined if the server has no windows. */
  readonly window: string | undefined;
}

/** The maximum length of an id that is parsed. It is longer than any id that is issued here. */
const MAX_CHARACTERS = 1000;

/**
 * Ids of MCP sessions that outlive the server. An id names the window that issued it, contains the client's
 * introduction, and ends with a signature of both, made with the server's key. After a restart, or in the window that
 * has taken over, the server recognizes its ids and resumes their sessions, because some clients never send initialize
 * again. A new key makes all old ids invalid. Without a key, all ids are invalid. Signatures are compared as text,
 * because the last character has unused bits. So each id has only one valid spelling.
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

  /** The content of an id. Undefined if it was not issued with this key. */
  read(id: string): SessionId | undefined {
    if (this.key() === '') return undefined;
    const [, unsigned, window, content, signature] =
      (id.length <= MAX_CHARACTERS &&
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

  /** Signs a text with a derived key, which reveals nothing about the server's key. */
  private signature(text: string): string {
    const derived = Buffer.from(
      hkdfSync('sha256', this.key(), '', 'agent-debugger mcp session id', 32),
    );
    return createHmac('sha256', derived).update(text).digest('base64url');
  }
}

/** The beginning of a text, without splitting a character. */
function cut(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('');
}
