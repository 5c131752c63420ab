import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The mutual authentication of windows and the stdio bridge on each connection to a window's own port, before anything
 * else is sent. A killed window leaves its entry and a free port, which another user's program may take. So neither
 * side trusts a port.
 *
 *     caller  GET /prove, agent-debugger-nonce: C
 *     window  200, agent-debugger-nonce: W, agent-debugger-proof: HMAC-SHA-256(secret, [window, id, host, port, C, W])
 *     caller  its request, authorization: Proof HMAC-SHA-256(secret, [caller, id, host, port, C, W])
 *
 * Protection: a listener without the window's secret receives 32 random bytes and nothing else. The secret is never
 * sent. Both nonces are new for each connection, so a recorded exchange cannot be replayed. The proof contains the
 * side, so it cannot be sent back, and the window's id and address, so the caller refuses a program on another port
 * that forwards everything to the real window. A proof is valid for its connection and all requests on it. There is no
 * token that could be used elsewhere.
 *
 * Limits: messages are neither encrypted nor signed. Programs that can read or change the loopback connections of other
 * processes (root), or read this person's files, can do more than that already.
 */
export const PROVE_PATH = '/prove';
export const NONCE_HEADER = 'agent-debugger-nonce';
export const PROOF_HEADER = 'agent-debugger-proof';
export const PROOF_SCHEME = 'Proof';

/** The form of a nonce and of a proof: 32 bytes in base64url. */
export const THIRTY_TWO_BYTES = /^[\w-]{43}$/;

/** A window's own port: its address, and the secret that proves that the port belongs to the window. */
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

/** The proof that a side of this connection has the window's secret. */
export function proofOf(
  side: 'window' | 'caller',
  { id, host, port, secret }: Provable,
  { caller, window }: Nonces,
): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['agent-debugger', side, id, host, port, caller, window]))
    .digest('base64url');
}

/** Compares proofs in constant time, and as text, so that a proof has only one valid spelling. */
export function isProof(given: string | undefined, expected: string): boolean {
  return (
    given !== undefined &&
    THIRTY_TWO_BYTES.test(given) &&
    timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  );
}
