import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf } from '../../support/network';

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Says one call after the other, is told of each what the client gave the model for it, and ends with words. */
export type Script = AsyncGenerator<ToolCall, string, string>;

export interface ScriptedModel {
  readonly url: string;
  /** The script's end, or what it failed with. */
  readonly ended: Promise<string>;
  /** Names of the tools as the client showed them. */
  readonly shown: ReadonlySet<string>;
  /** Hosts beyond this machine that the client wanted. It was let to none. */
  readonly wanted: readonly string[];
  close(): Promise<void>;
}

/** A tool as the client shows it to the model: codex puts a server's tools into a namespace. */
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
 * A model on loopback that follows a script, through both of OpenAI's streaming interfaces: chat completions, and
 * responses. It is the clients' proxy as well, and lets them nowhere.
 */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const shown = new Set<string>();
  const wanted: string[] = [];
  let settle: { resolve(words: string): void; reject(error: unknown): void } | undefined;
  const ended = new Promise<string>((resolve, reject) => (settle = { resolve, reject }));
  // Whoever waits for the end hears of it; nobody may be waiting yet.
  ended.catch(() => undefined);
  let calls = 0;
  let last: string | undefined;

  /** What the model says next; the last words once the script is over, since a client may ask again. */
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
    // Clients ask for a title of the conversation, too, and show no tools then.
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
    // Who is refused may hang up at once.
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

/** What the client gave the model for its last call; nothing before the first. */
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

/** @param words what the model says, or the call's input */
function speakCompletions(
  response: ServerResponse,
  words: string,
  called: Callable | undefined,
  number: number,
): void {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: `chat-${number}`, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }], usage: finish === null ? null : { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } })}\n\n`;
  const said =
    called === undefined
      ? { content: words }
      : {
          tool_calls: [
            {
              index: 0,
              id: `call-${number}`,
              type: 'function',
              function: { name: called.name, arguments: words },
            },
          ],
        };
  response.end(
    `${chunk({ role: 'assistant', ...said })}${chunk({}, called === undefined ? 'stop' : 'tool_calls')}data: [DONE]\n\n`,
  );
}

function speakResponses(
  response: ServerResponse,
  words: string,
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
          content: [{ type: 'output_text', text: words }],
        }
      : {
          type: 'function_call',
          id: `item-${number}`,
          call_id: `call-${number}`,
          arguments: words,
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
