import * as l10n from '@vscode/l10n';
import {
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  type PromptMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { fields, listOf, textOf } from '../../debugger/protocol';
import { getDebuggerConfigurations } from '../../tools/core/configurations';
import { currentStop } from '../../tools/core/currentStop';
import type { ExposedTools } from '../../tools/exposed';
import type { ToolServices } from '../../tools/services';
import { investigationPrompts } from './investigationPrompts';
import {
  handleRequest,
  invalidParams,
  assertFirstPage,
  type ProtocolServer,
} from './requestHandlers';
import { contentOf, sessionIdsOf, STOP_URI, type Read } from './resources';

type Arguments = Readonly<Partial<Record<string, string>>>;

interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly description: () => string;
}

/** A prompt that the person starts from a client's menu. Its name and the text for the model are English. */
interface Prompt {
  readonly name: string;
  readonly title: () => string;
  readonly description: () => string;
  readonly arguments: readonly Argument[];
  readonly messages: (
    given: Arguments,
    read: Read,
    signal: AbortSignal,
  ) => Promise<PromptMessage[]>;
}

/** The maximum length of one argument. */
const MAX_CHARACTERS = 4000;

/** The maximum number of values that a completion may offer. MCP "Completion". */
const MAX_VALUES = 100;

const AFTERWARDS =
  'When you know the cause, remove your breakpoints, end the session with stop_debugging, and report: the line that is wrong, the values that prove it, and the smallest change that fixes it.';

const PROMPTS: readonly Prompt[] = [
  {
    name: 'debug',
    title: () => l10n.t('Debug a problem'),
    description: () =>
      l10n.t('Finds the cause of a problem by running the program under the debugger.'),
    arguments: [
      {
        name: 'problem',
        required: true,
        description: () => l10n.t('What goes wrong, and what should happen instead'),
      },
      {
        name: 'configuration_name',
        required: false,
        description: () => l10n.t('The debug configuration to start'),
      },
      { name: 'file', required: false, description: () => l10n.t('The file to look at first') },
    ],
    messages: async ({ problem = '', configuration_name: configuration, file }) => [
      userMessage(
        `Find the cause of this problem with the debugger of VS Code. Do not guess from the code: look at real values.\n\n${problem}\n`,
        configuration === undefined
          ? '1. For a failing test, call debug_test. Otherwise call get_debugger_configurations and choose the one that shows the problem.'
          : `1. The debug configuration ${JSON.stringify(configuration)} shows it.`,
        `2. Say which value you expect on which line${file === undefined ? '' : `; look at ${file} first`}. Observe it in one call: trace_function for one call of a function, collect_values with expect for values over many hits.`,
        '3. For the rest, call set_breakpoint and start_debugging, compare the variables at each stop with what you expect, and step to where they first differ.',
        `4. ${AFTERWARDS}`,
      ),
    ],
  },
  {
    name: 'explain-exception',
    title: () => l10n.t('Explain an exception'),
    description: () =>
      l10n.t('Explains the exception at which the program is stopped, from its values.'),
    arguments: [
      {
        name: 'session_id',
        required: false,
        description: () => l10n.t('The debug session, if several are stopped'),
      },
    ],
    messages: async ({ session_id: session }, read, signal) => {
      const result = await read(
        currentStop,
        session === undefined ? {} : { session_id: session },
        signal,
      );
      const isException = fields(result['stop_event_data'])['reason'] === 'exception';
      const resource: PromptMessage = {
        role: 'user',
        content: { type: 'resource', resource: contentOf(STOP_URI, result) },
      };
      const begin = isException
        ? 'The program is stopped at the exception above. Explain it from the values.'
        : 'Nothing is stopped at an exception now (see above). Call set_exception_breakpoints, start the program so that the exception happens, and explain it from the values.';
      return [
        resource,
        userMessage(
          begin,
          '1. Name the exception, what it says, and its inner causes.',
          '2. Go to the first frame of the person’s own code (own_frame) and read its variables: which value violates an assumption of the code?',
          '3. Find where that value came from: look at the callers’ frames, or record where it is set with collect_values.',
          `4. ${AFTERWARDS}`,
        ),
      ];
    },
  },
  {
    name: 'investigate',
    title: () => l10n.t('Investigate a symptom'),
    description: () =>
      l10n.t('Tests one hypothesis after the other with the debugger, until one is confirmed.'),
    arguments: [
      { name: 'symptom', required: true, description: () => l10n.t('What is observed') },
      { name: 'reproduce', required: false, description: () => l10n.t('How to reproduce it') },
      {
        name: 'suspects',
        required: false,
        description: () => l10n.t('Files or functions that may be the cause'),
      },
    ],
    messages: async ({ symptom = '', reproduce, suspects }) => [
      userMessage(
        `Investigate this symptom with the debugger of VS Code, one hypothesis after the other.\n\n${symptom}\n`,
        reproduce === undefined ? undefined : `To reproduce it: ${reproduce}`,
        suspects === undefined ? undefined : `Suspected: ${suspects}`,
        '1. Write down two to four hypotheses, and for each the one observation that would refute it: a value, a line that is reached or not, an order of events.',
        '2. Choose the observation that refutes the most and make it in one call: collect_values with expect, trace_function, or debug_test; set_breakpoint with a condition where these do not apply.',
        '3. Drop the hypotheses that the values refute. Only what you have seen in the debugger counts.',
        '4. Continue until one hypothesis is left, and prove it: show the first moment at which the state is wrong.',
        `5. ${AFTERWARDS}`,
      ),
    ],
  },
];

/** Serves the prompts, and completions for their arguments and for resource URIs. */
export function servePrompts(
  server: ProtocolServer,
  services: ToolServices,
  read: Read,
  tools: ExposedTools,
): void {
  const offered = (): readonly Prompt[] =>
    tools.find('start_session') === undefined
      ? PROMPTS
      : [...PROMPTS, ...investigationPrompts(services)];
  const find = (name: string): Prompt => promptNamed(offered(), name);
  handleRequest(server, ListPromptsRequestSchema, ({ params }) => {
    assertFirstPage(params?.cursor);
    return { prompts: offered().map(listed) };
  });
  handleRequest(server, GetPromptRequestSchema, async ({ params }, extra) => {
    const prompt = find(params.name);
    return {
      description: prompt.description(),
      messages: await prompt.messages(checked(prompt, params.arguments ?? {}), read, extra.signal),
    };
  });
  handleRequest(server, CompleteRequestSchema, async ({ params: { ref, argument } }, extra) => {
    if (ref.type === 'ref/prompt') find(ref.name);
    const values = await valuesOf(argument.name, services, read, extra.signal);
    return { completion: startingWith(argument.value, values) };
  });
}

/** A prompt as it is shown in the list of prompts. */
function listed(prompt: Prompt) {
  return {
    name: prompt.name,
    title: prompt.title(),
    description: prompt.description(),
    arguments: prompt.arguments.map(({ name, required, description }) => ({
      name,
      required,
      description: description(),
    })),
  };
}

/** The values that start with the typed text. MCP "CompleteResult". */
function startingWith(typed: string, values: readonly string[]) {
  const found = values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  return {
    values: found.slice(0, MAX_VALUES),
    total: found.length,
    hasMore: found.length > MAX_VALUES,
  };
}

async function valuesOf(
  argument: string,
  services: ToolServices,
  read: Read,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (argument === 'id' || argument === 'session_id') return sessionIdsOf(services);
  if (argument === 'sid')
    return (await services.investigation.investigations.list()).map(({ sid }) => sid);
  if (argument !== 'configuration_name') return [];
  const { configurations, compounds } = await read(getDebuggerConfigurations, {}, signal);
  return [...listOf(configurations), ...listOf(compounds)].flatMap(
    (configuration) => textOf(fields(configuration)['name']) ?? [],
  );
}

function promptNamed(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt === undefined) throw invalidParams(`There is no prompt ${name.slice(0, 100)}.`);
  return prompt;
}

/** Checks the arguments. An empty argument counts as missing, as in a form field. */
function checked(prompt: Prompt, given: Readonly<Record<string, string>>): Arguments {
  const names = prompt.arguments.map((argument) => argument.name);
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name))
      throw invalidParams(
        `${prompt.name} has no argument ${name.slice(0, 100)}; it has: ${names.join(', ')}.`,
      );
    if (value.length > MAX_CHARACTERS)
      throw invalidParams(`${name} is longer than ${MAX_CHARACTERS} characters.`);
  }
  const filled = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value.trim() !== ''),
  );
  for (const { name, required } of prompt.arguments)
    if (required && filled[name] === undefined)
      throw invalidParams(`${prompt.name} needs the argument ${name}.`);
  return filled;
}

/** A message with the given lines. Undefined lines are left out. */
function userMessage(...lines: readonly (string | undefined)[]): PromptMessage {
  const text = lines.filter((line) => line !== undefined).join('\n');
  return { role: 'user', content: { type: 'text', text } };
}
