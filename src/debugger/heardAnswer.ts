import { isDeepStrictEqual } from 'node:util';
import { readMessage, type Fields } from './protocol';
import type { DebugModel } from './state/debugModel';

/** The success of a request of ours, as its adapter tells it. */
export interface HeardAnswer {
  /** Never rejects: a refusal is told by who has sent the request. */
  readonly body: Promise<Fields>;
  dispose(): void;
}

/**
 * Hears the answer to a request that is sent next, when the adapter gives it: on its way through VS Code it waits for
 * what is being drawn. Another request with the same arguments may be heard in its place, so they have to be its own.
 */
export function hearAnswer(
  model: DebugModel,
  sessionKey: string,
  command: string,
  args: object,
): HeardAnswer {
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
