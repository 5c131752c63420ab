import type { Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../results/failure';
import { invalidInput } from '../../tools/checkInput';
import type { Tool, ToolResult } from '../../tools/defineTool';
import type { ExposedTools } from '../../tools/exposed';
import { annotationsOf, definitionsOf } from './toolDefinitions';

/**
 * Router mode: two tools instead of all tools, for clients that load many servers. The tools themselves, with their
 * input, consent and results, are the same, but they are called indirectly.
 */
const LIST = 'list_debug_tools';
const CALL = 'call_debug_tool';

const listInput = z.strictObject({ name: z.string().min(1).max(100).optional() });
const callInput = z.strictObject({
  name: z.string().min(1).max(100),
  input: z.record(z.string(), z.unknown()).default({}),
});

/** The tools that a client sees. */
export const ROUTER_TOOLS: ToolDefinition[] = [
  {
    name: LIST,
    title: 'List Debug Tools',
    description:
      'Tools of the VS Code debugger: run a failing test, trace a function, collect values, breakpoints, steps, variables. Without name: all, one line each. With name: its description and input schema.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL,
    title: 'Call Debug Tool',
    description: 'Call a tool that list_debug_tools names, with input that fits its schema.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        input: { type: 'object', additionalProperties: true },
      },
      required: ['name'],
      additionalProperties: false,
    },
    // A client must assume the strongest effect that any tool can have.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
];

/** A call of a tool, or a request that the router answers itself. */
export type RoutedCall =
  | { readonly kind: 'call'; readonly tool: Tool; readonly input: unknown }
  | { readonly kind: 'answer'; readonly result: ToolResult };

/**
 * The call for a request. Undefined if there is no such tool.
 * @throws Failure `invalid_input`, `tool_not_found`
 */
export function routeCall(
  tools: ExposedTools,
  name: string,
  input: unknown,
): RoutedCall | undefined {
  const direct = tools.find(name);
  if (direct !== undefined) return { kind: 'call', tool: direct, input };
  if (!tools.isRouted) return undefined;
  if (name === LIST)
    return { kind: 'answer', result: listing(tools, checked(LIST, listInput, input).name) };
  if (name !== CALL) return undefined;
  const call = checked(CALL, callInput, input);
  return { kind: 'call', tool: found(tools, call.name), input: call.input };
}

function listing(tools: ExposedTools, name: string | undefined): ToolResult {
  if (name === undefined)
    return {
      status: 'success',
      tools: tools.list.map((tool) => ({ name: tool.name, does: tool.userDescription })),
    };
  const tool = found(tools, name);
  const definition = definitionsOf(tools.list).find((candidate) => candidate.name === tool.name);
  return {
    status: 'success',
    name: tool.name,
    description: tool.modelDescription,
    input_schema: definition?.inputSchema,
    annotations: annotationsOf(tool),
  };
}

function found(tools: ExposedTools, name: string): Tool {
  const tool = tools.find(name);
  if (tool !== undefined) return tool;
  throw new Failure(
    'tool_not_found',
    l10n.t('There is no tool {0}.', name),
    'Call list_debug_tools for the names. Nothing was done.',
    { tools: tools.list.map((entry) => entry.name) },
  );
}

function checked<Shape extends z.ZodObject>(
  tool: string,
  schema: Shape,
  input: unknown,
): z.output<Shape> {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  throw invalidInput(tool, parsed.error.issues, Object.keys(schema.shape));
}
