import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { foreignOrigin, type Admission, type Door, type ListenerAddress } from '../server/guard';
import {
  isProof,
  makeNonce,
  NONCE_HEADER,
  PROOF_HEADER,
  PROOF_SCHEME,
  proofOf,
  PROVE_PATH,
  THIRTY_TWO_BYTES,
} from './proof';

const STRANGER = {
  status: 401,
  message: 'Only windows and the stdio bridge can connect here.',
} as const;

/**
 * Admits callers that prove on this connection that they have the window's secret, and proves to them that this is the
 * window.
 */
export class ProofDoor implements Door {
  /** The proof that a connection must show next. */
  private readonly expected = new WeakMap<Socket, string>();
  private readonly proven = new WeakSet<Socket>();

  constructor(
    private readonly id: string,
    private readonly secret: string,
  ) {}

  enter(request: IncomingMessage, response: ServerResponse, address: ListenerAddress): Admission {
    const { socket } = request;
    if (!this.proven.has(socket)) {
      const expected = this.expected.get(socket);
      this.expected.delete(socket);
      if (expected === undefined)
        return this.challenge(request, response, address) ? 'answered' : STRANGER;
      if (!isProof(proofIn(request.headers.authorization), expected)) return STRANGER;
      this.proven.add(socket);
    }
    return foreignOrigin(request.headers, address.port) ?? { credential: this.secret };
  }

  /** Answers a challenge, once per connection. False if the request is not a challenge. */
  private challenge(
    request: IncomingMessage,
    response: ServerResponse,
    { host, port }: ListenerAddress,
  ): boolean {
    const caller = request.headers[NONCE_HEADER];
    if (
      request.method !== 'GET' ||
      request.url !== PROVE_PATH ||
      typeof caller !== 'string' ||
      !THIRTY_TWO_BYTES.test(caller)
    )
      return false;
    const party = { id: this.id, secret: this.secret, host, port };
    const nonces = { caller, window: makeNonce() };
    this.expected.set(request.socket, proofOf('caller', party, nonces));
    response
      .writeHead(200, {
        'content-length': 0,
        'cache-control': 'no-store',
        [NONCE_HEADER]: nonces.window,
        [PROOF_HEADER]: proofOf('window', party, nonces),
      })
      .end();
    return true;
  }
}

function proofIn(authorization: string | undefined): string | undefined {
  return authorization?.startsWith(`${PROOF_SCHEME} `) === true
    ? authorization.slice(PROOF_SCHEME.length + 1)
    : undefined;
}
