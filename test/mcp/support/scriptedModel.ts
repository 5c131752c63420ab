import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf } from '../../support/network';

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Yields one call after the other, receives the client's result for each, and returns the final text. */
export type Script = AsyncGenerator<ToolCall, string, string>;

export interface ScriptedModel {
  readonly url: string;
  /** The final text of the script, or its error. */
  readonly ended: Promise<string>;
  /** The names of the tools as the client sent them. */
  readonly shown: ReadonlySet<string>;
  /** The other hosts that the client tried to reach. All were refused. */
  readonly wanted: readonly string[];
  close(): Promise<void>;
}

/** A tool as the client sends it to the model: Codex puts a server's tools into a namespace. */
interface ShownTool {
  readonly type?: string;
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly tools?: readonly ShownTool[];
}

interface Message {
  readonly role?: string;
  readonly type?: string;
  readonly content?: unknown;
  readonly output?: unknown;
}

interface Asked {
  readonly tools?: readonly ShownTool[];
  readonly messages?: readonly Message[];
  readonly input?: readonly Message[];
}

interface Callable {
  readonly namespace?: string;
  readonly name: string;
}

/**
 * A model on loopback that follows a script, through both of OpenAI's streaming interfaces: chat completions and
 * responses. It is also the clients' proxy, and refuses all other hosts.
 */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const shown = new Set<string>();
  const wanted: string[] = [];
  let settle: { resolve(answerText: string): void; reject(error: unknown): void } | undefined;
  const ended = new Promise<string>((resolve, reject) => (settle = { resolve, reject }));
  // Prevents an unhandled rejection: the error still reaches those who await the end later.
  ended.catch(() => undefined);
  let calls = 0;
  let last: string | undefined;

  /** The model's next answer; the final text after the end of the script, since a client may ask again. */
  async function next(received: string): Promise<ToolCall | string> {
    if (last !== undefined) return last;
    try {
      const { done, value } = await script.next(received);
      if (done !== true) return value;
      last = value;
      settle?.resolve(last);
    } catch (error) {
      last = 'The test has failed.';
      settle?.reject(error);
    }
    return last;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.url?.startsWith('http') === true) {
      wanted.push(new URL(request.url).host);
      response.writeHead(403).end();
      return;
    }
    const asked = JSON.parse((await bodyOf(request)) || '{}') as Asked;
    const speak = pathname.endsWith('/chat/completions')
      ? speakCompletions
      : pathname.endsWith('/responses')
        ? speakResponses
        : undefined;
    if (speak === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const tools = (asked.tools ?? []).flatMap(callables);
    // Clients also request a title of the conversation; such requests have no tools.
    if (tools.length === 0) {
      speak(response, 'A debugging session', undefined, 0);
      return;
    }
    for (const { name, namespace = '' } of tools) shown.add(`${namespace}${name}`);
    const said = await next(lastResult(asked));
    const called =
      typeof said === 'string'
        ? undefined
        : tools.find(({ name }) => name === said.tool || name.endsWith(`_${said.tool}`));
    if (typeof said !== 'string' && called === undefined)
      settle?.reject(
        new Error(`The client shows no tool ${said.tool}, but ${[...shown].join(', ')}`),
      );
    calls += 1;
    if (typeof said === 'string' || called === undefined)
      speak(response, typeof said === 'string' ? said : 'The test has failed.', undefined, calls);
    else speak(response, JSON.stringify(said.input), called, calls);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      settle?.reject(error);
      response.destroy();
    });
  });
  server.on('connect', (request, socket) => {
    wanted.push(request.url ?? '');
    // A refused client may close the connection at once.
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ended,
    shown,
    wanted,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function callables({ type, name, function: inside, tools = [] }: ShownTool): readonly Callable[] {
  if (type === 'namespace')
    return tools.flatMap(callables).map((each) => ({ ...each, namespace: name ?? '' }));
  const called = inside?.name ?? name;
  return called === undefined ? [] : [{ name: called }];
}

/** The result of the last call that the client sent to the model; empty before the first call. */
function lastResult({ messages = [], input = [] }: Asked): string {
  const completion = messages.findLast((each) => each.role === 'tool');
  const response = input.findLast((each) => each.type === 'function_call_output');
  return textOf(completion?.content ?? response?.output);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((each: { text?: string }) => each.text ?? '').join('')
    : '';
}

/** @param words the text of the model, or the call's input */
function speakCompletions(
  response: ServerResponse,
  answerText: string,
  called: Callable | undefined,
  number: number,
): void {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: `chat-${number}`, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }], usage: finish === null ? null : { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } })}\n\n`;
  const said =
    called === undefined
      ? { content: answerText }
      : {
          tool_calls: [
            {
              index: 0,
              id: `call-${number}`,
              type: 'function',
              function: { name: called.name, arguments: answerText },
            },
          ],
        };
  response.end(
    `${chunk({ role: 'assistant', ...said })}${chunk({}, called === undefined ? 'stop' : 'tool_calls')}data: [DONE]\n\n`,
  );
}

function speakResponses(
  response: ServerResponse,
  answerText: string,
  called: Callable | undefined,
  number: number,
): void {
  const id = `response-${number}`;
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const item =
    called === undefined
      ? {
          type: 'message',
          role: 'assistant',
          id: `message-${number}`,
          content: [{ type: 'output_text', text: answerText }],
        }
      : {
          type: 'function_call',
          id: `item-${number}`,
          call_id: `call-${number}`,
          arguments: answerText,
          ...called,
        };
  const usage = {
    input_tokens: 100,
    input_tokens_details: null,
    output_tokens: 10,
    output_tokens_details: null,
    total_tokens: 110,
  };
  response.end(
    event('response.created', { response: { id } }) +
      event('response.output_item.done', { output_index: 0, item }) +
      event('response.completed', { response: { id, usage } }),
  );
}
