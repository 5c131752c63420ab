import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerAsService } from './copilotService';

/** The parts of an OpenAI chat-completions request that the test reads. */
interface Request {
  readonly stream?: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: OfferedTool }[];
}

export interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

/** The model's turn: the request that it received. It answers once, with a call or a text. */
export interface Turn {
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  call(tool: string, input: object): void;
  say(text: string): void;
}

/** A model on loopback that gives the test's answers when the test asks for them. */
export class ScriptedModel {
  private readonly arrived: Turn[] = [];
  private readonly waiting: ((turn: Turn) => void)[] = [];
  private calls = 0;

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const path = (request.url ?? '').split('?')[0] ?? '';
        if (request.method === 'POST' && path.endsWith('/chat/completions'))
          model.receive(JSON.parse(Buffer.concat(parts).toString()) as Request, response);
        else answerAsService(path, model.address, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next turn of the agent. */
  asked(): Promise<Turn> {
    const turn = this.arrived.shift();
    return turn === undefined
      ? new Promise((resolve) => this.waiting.push(resolve))
      : Promise.resolve(turn);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private receive(
    { messages, tools = [], stream: isStream = true }: Request,
    response: ServerResponse,
  ): void {
    const send = isStream ? stream : whole;
    const say = (text: string): void => send(response, { content: text }, 'stop');
    // VS Code also lets the model generate titles and progress texts: those requests offer no tools.
    if (tools.length === 0) {
      say('Debugging');
      return;
    }
    const turn: Turn = {
      messages,
      tools: tools.map((each) => each.function),
      say,
      call: (name, input) => {
        this.calls += 1;
        send(
          response,
          {
            content: null,
            tool_calls: [
              {
                index: 0,
                id: `call_${this.calls}`,
                type: 'function',
                function: { name, arguments: JSON.stringify(input) },
              },
            ],
          },
          'tool_calls',
        );
      },
    };
    const next = this.waiting.shift();
    if (next === undefined) this.arrived.push(turn);
    else next(turn);
  }
}

function whole(response: ServerResponse, message: object, reason: string): void {
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: reason };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      id: 'scripted',
      object: 'chat.completion',
      created: 0,
      model: 'scripted',
      choices: [choice],
      usage: USAGE,
    }),
  );
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function stream(response: ServerResponse, delta: object, reason: string): void {
  const event = (content: object): string =>
    `data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted', ...content })}\n\n`;
  const chunk = (each: object, finish: string | null): string =>
    event({ choices: [{ index: 0, delta: each, finish_reason: finish }] });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(
    `${chunk({ role: 'assistant', ...delta }, null)}${chunk({}, reason)}${event({ choices: [], usage: USAGE })}data: [DONE]\n\n`,
  );
}
