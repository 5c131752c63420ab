import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { TriggerRequest } from '../../control/triggers/trigger';
import { Failure } from '../../results/failure';
import { readPattern, type AgentPattern } from '../agentPattern';
import { DECLARED_ELSEWHERE } from '../jsonSchema';
import type { ToolServices } from '../services';

const properties = z.strictObject({
  url: z.string().min(1).max(4096).optional(),
  method: z.string().min(1).max(20).optional(),
  headers: z.record(z.string(), z.string().max(8000)).optional(),
  body: z.string().max(8000).optional(),
  command: z.string().min(1).max(4096).optional(),
  args: z.array(z.string().max(8000)).max(100).optional(),
  after: z.string().min(1).max(500).optional().describe('RE2; once it prints this'),
  after_port: z.int().min(1).max(65_535).optional(),
});

/** The parameter of the tool that declares it for all tools. */
export const triggerInput = properties
  .optional()
  .describe('HTTP request or command to send once it runs, or after …; the answer has the reply.');

/** The same parameter of another tool. */
export const sameTriggerInput = properties
  .optional()
  .describe('As in start_debugging.')
  .meta({ [DECLARED_ELSEWHERE]: true });

export type TriggerInput = z.output<typeof properties>;

/** A trigger that was read from the input of a call. */
export interface ReadTrigger {
  readonly request: TriggerRequest;
  readonly after: AgentPattern | undefined;
  readonly afterPort: number | undefined;
}

/** Reads a trigger. @throws Failure `invalid_input` */
export async function readTrigger(
  services: ToolServices,
  input: TriggerInput,
): Promise<ReadTrigger> {
  const request = requestOf(services, input);
  if (input.after !== undefined && input.after_port !== undefined)
    throw invalid(
      l10n.t('trigger takes either after or after_port.'),
      'Pass the one that shows later that the program is ready.',
    );
  return {
    request,
    after: input.after === undefined ? undefined : await readPattern(input.after),
    afterPort: input.after_port,
  };
}

/** Returns what is sent. @throws Failure `invalid_input` */
export function requestOf(services: ToolServices, input: TriggerInput): TriggerRequest {
  const { url, method, headers = {}, body, command, args = [] } = input;
  if ((url === undefined) === (command === undefined))
    throw invalid(
      l10n.t('trigger takes either url or command.'),
      'Pass url for an HTTP request, or command with args for a program.',
    );
  if (url !== undefined) {
    if (input.args !== undefined) throw foreign('args', 'command');
    checkHeaders(headers);
    return {
      ...{ kind: 'http', url: readUrl(url), headers, body },
      method: readMethod(method ?? (body === undefined ? 'GET' : 'POST')),
    };
  }
  for (const name of ['method', 'headers', 'body'] as const)
    if (input[name] !== undefined) throw foreign(name, 'url');
  const [folder] = services.workspace.folders;
  return { kind: 'command', command: command ?? '', args, cwd: folder?.path };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw invalid(
      l10n.t('{0} is not an HTTP address.', text),
      'Pass a whole one, such as http://localhost:3000/items.',
    );
  if (url.username !== '' || url.password !== '')
    throw invalid(
      l10n.t('The address of a trigger must not contain credentials.'),
      'Pass them in headers, such as authorization.',
    );
  return url;
}

/** Matches the methods of HTTP. CONNECT and TRACE are not for servers under debug. */
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY)$/;

function readMethod(method: string): string {
  const upper = method.toUpperCase();
  if (METHOD.test(upper)) return upper;
  throw invalid(
    l10n.t('A trigger cannot have the method {0}.', method),
    'Pass GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS or QUERY.',
  );
}

/** Headers that describe the connection. The request is sent as a whole, so they are set by us. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw invalid(
        l10n.t('{0} is not an HTTP header.', name),
        'Names are tokens; values are one line of Latin-1.',
      );
    }
    if (OWN_HEADERS.has(name.toLowerCase()))
      throw invalid(l10n.t('A trigger cannot set the header {0}.', name), 'Leave it out.');
  }
}

function foreign(name: string, other: string): Failure {
  return invalid(
    l10n.t('{0} of a trigger belongs to {1}.', name, other),
    `Pass ${other}, or leave ${name} out.`,
  );
}

function invalid(message: string, hint: string): Failure {
  return new Failure('invalid_input', message, `${hint} Nothing was sent.`);
}

/** Whether a request goes to this computer. Only a name that always means it counts. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || LOOPBACK.test(hostname);
}

/** Matches the addresses 127.0.0.0/8, in the form that `URL` writes. */
const LOOPBACK = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/** The consent that a trigger needs in addition: a command, and a request to another computer, may change anything. */
export function mayChange(services: ToolServices, input: TriggerInput | undefined): boolean {
  if (input === undefined) return false;
  const request = requestOf(services, input);
  return request.kind === 'command' || !isLoopback(request.url);
}
