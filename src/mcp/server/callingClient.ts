import * as l10n from '@vscode/l10n';
import { CreateMessageResultSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ChunkRecord } from '../../investigation/record';
import type { PersonsChoice } from '../../tools/investigation/investigationServices';
import type { CallingClient } from '../../tools/services';
import type { Caller } from './confirmation';
import type { Extra, ProtocolServer } from './requestHandlers';

const MAX_TOKENS = 4000;

/** The declared capabilities of a client that a call can use: sampling with its model, and asking the person. */
export function callingClient(
  server: ProtocolServer,
  caller: Caller,
  { sendRequest }: Pick<Extra, 'sendRequest'>,
): CallingClient {
  const capabilities = server.getClientCapabilities();
  const sample = (prompt: string, signal: AbortSignal): Promise<string> =>
    sampled(sendRequest, prompt, signal);
  const choose = (
    chunks: readonly ChunkRecord[],
    signal: AbortSignal,
  ): Promise<PersonsChoice | undefined> => chosen(sendRequest, chunks, signal);
  return {
    name: caller.name,
    sample: capabilities?.sampling === undefined ? undefined : sample,
    choose: capabilities?.elicitation === undefined ? undefined : choose,
  };
}

/** The answer of the client's model. */
async function sampled(
  sendRequest: Extra['sendRequest'],
  prompt: string,
  signal: AbortSignal,
): Promise<string> {
  const { content } = await sendRequest(
    {
      method: 'sampling/createMessage',
      params: {
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: MAX_TOKENS,
      },
    },
    CreateMessageResultSchema,
    { signal },
  );
  return content.type === 'text' ? content.text : '';
}

/** The chunk that the person chooses. Undefined if the person chooses none. */
async function chosen(
  sendRequest: Extra['sendRequest'],
  chunks: readonly ChunkRecord[],
  signal: AbortSignal,
): Promise<PersonsChoice | undefined> {
  const offered = chunks.map(({ id, title }) => ({ const: id, title }));
  const { action, content } = await sendRequest(
    {
      method: 'elicitation/create',
      params: {
        message: l10n.t('Which part of the capture shows the problem?'),
        requestedSchema: {
          type: 'object',
          properties: { chunk: { type: 'string', oneOf: offered }, notes: { type: 'string' } },
          required: ['chunk'],
        },
      },
    },
    ElicitResultSchema,
    { signal },
  );
  const [chunk, notes] = [content?.['chunk'], content?.['notes']];
  if (action !== 'accept' || typeof chunk !== 'string') return undefined;
  return typeof notes === 'string' && notes.trim() !== ''
    ? { selectedIds: [chunk], notes }
    : { selectedIds: [chunk] };
}
