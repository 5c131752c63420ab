import { isDeepStrictEqual } from 'node:util';
import { readMessage, type Fields } from './protocol';
import type { DebugModel } from './state/debugModel';

/** The successful response to one of our requests, as its adapter sends it. */
export interface ObservedResponse {
  /** Resolves with the response's body. Never rejects, because the sender of the request reports a refusal. */
  readonly body: Promise<Fields>;
  dispose(): void;
}

/**
 * Observes the response to the next such request as soon as the adapter sends it. On its way through VS Code, the
 * response is delayed while VS Code renders. The arguments have to be unique. Otherwise another request with the same
 * arguments may be mistaken for this one.
 */
export function observeResponse(
  model: DebugModel,
  sessionKey: string,
  command: string,
  args: object,
): ObservedResponse {
  const sent: unknown = JSON.parse(JSON.stringify(args));
  let seq: number | undefined;
  let resolve: (body: Fields) => void = () => undefined;
  const body = new Promise<Fields>((onBody) => (resolve = onBody));
  const observed = model.observe(
    (event) => {
      if (event.key !== sessionKey) return;
      if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return;
      const message = readMessage(event.message);
      if (message?.type === 'request' && event.type === 'toAdapter') {
        if (isDeepStrictEqual(message.arguments, sent)) seq ??= message.seq;
      } else if (message?.type === 'response' && message.requestSeq === seq && message.success) {
        observed.dispose();
        resolve(message.body);
      }
    },
    [command],
  );
  return { body, dispose: () => observed.dispose() };
}
