import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * How windows and the stdio bridge prove themselves to each other, on each connection to a window's own port and before
 * anything else is said there. A window that was killed leaves its entry and a free port, which another user's program
 * may take; so neither side believes a port.
 *
 *     caller  GET /prove, agent-debugger-nonce: C
 *     window  200, agent-debugger-nonce: W, agent-debugger-proof: HMAC-SHA-256(secret, [window, id, host, port, C, W])
 *     caller  its request, authorization: Proof HMAC-SHA-256(secret, [caller, id, host, port, C, W])
 *
 * What it protects against. Who listens on a window's port without its secret hears 32 random bytes and nothing else.
 * The secret is never sent. Both nonces are new for each connection, so nothing that was recorded proves anything later.
 * The side is in the proof, so none can be sent back; the window's id and address are, so a program on another port that
 * passes everything on to the real window is refused by the caller. The proof is for the connection that it came on, and
 * for all requests on it: there is no token that would be good elsewhere.
 *
 * What it does not protect against. Messages are neither encrypted nor signed one by one: who can read or change other
 * processes' loopback connections (root), or read this person's files, has more than this would keep.
 */
export const PROVE_PATH = '/prove';
export const NONCE_HEADER = 'agent-debugger-nonce';
export const PROOF_HEADER = 'agent-debugger-proof';
export const PROOF_SCHEME = 'Proof';

/** The form of a nonce and of a proof: 32 bytes. */
export const THIRTY_TWO_BYTES = /^[\w-]{43}$/;

/** A window's own listener: where it is and what proves that it is the window's. */
export interface Provable {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly secret: string;
}

export interface Nonces {
  readonly caller: string;
  readonly window: string;
}

export function makeNonce(): string {
  return randomBytes(32).toString('base64url');
}

/** What only a side that has the window's secret can say on this connection. */
export function proofOf(
  side: 'window' | 'caller',
  { id, host, port, secret }: Provable,
  { caller, window }: Nonces,
): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['agent-debugger', side, id, host, port, caller, window]))
    .digest('base64url');
}

/** Compares as text, so that a proof has one spelling; in constant time. */
export function isProof(given: string | undefined, expected: string): boolean {
  return (
    given !== undefined &&
    THIRTY_TWO_BYTES.test(given) &&
    timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  );
}
