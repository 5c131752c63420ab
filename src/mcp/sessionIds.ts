import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { listOf, textOf } from '../debugger/protocol';

/** What a client said of itself when it introduced itself, as far as anybody asks later. */
export interface Introduction {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
  /** It can tell its roots (MCP `roots/list`). */
  readonly hasRoots: boolean;
}

/** More than any id of ours: what is longer is not looked at. */
const MOST_CHARACTERS = 1000;

/**
 * Ids of MCP sessions that outlive the server. An id holds what its client said of itself and a signature made with the
 * server's key. So after a restart, or in the window that has taken over, the server knows its own ids and goes on with
 * their clients, of which some never introduce themselves again. Another key makes every old id a foreign one.
 */
export class SessionIds {
  constructor(private readonly key: () => string) {}

  issue({ name, version, protocolVersion, hasRoots }: Introduction): string {
    const content = Buffer.from(JSON.stringify([cut(name, 60), cut(version, 40), cut(protocolVersion, 20), hasRoots ? 1 : 0])).toString('base64url');
    const unsigned = `${content}.${randomBytes(16).toString('base64url')}`;
    return `${unsigned}.${this.signature(unsigned).toString('base64url')}`;
  }

  /** What the id's client said of itself; undefined where the id is none of ours. */
  read(id: string): Introduction | undefined {
    const [, unsigned, content, signature] = (id.length <= MOST_CHARACTERS && /^(([\w-]+)\.[\w-]{22})\.([\w-]{43})$/.exec(id)) || [];
    if (unsigned === undefined || content === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, 'base64url');
    const own = this.signature(unsigned);
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    const [name, version, protocolVersion, hasRoots] = listOf(JSON.parse(Buffer.from(content, 'base64url').toString('utf8')));
    return { name: textOf(name) ?? '', version: textOf(version) ?? '', protocolVersion: textOf(protocolVersion) ?? '', hasRoots: hasRoots === 1 };
  }

  /** By a key of its own, which tells nothing of the server's. */
  private signature(text: string): Buffer {
    const derived = Buffer.from(hkdfSync('sha256', this.key(), '', 'agent-debugger mcp session id', 32));
    return createHmac('sha256', derived).update(text).digest();
  }
}

/** The beginning of a text, never half of a character. */
function cut(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('');
}
