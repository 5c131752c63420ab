import type { Tool as ToolDefinition, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../../tools/defineTool';
import { inputSchemaOf, outputSchemaOf } from '../../tools/jsonSchema';

/** By the list of tools: making the schemas takes longer than most calls. */
const definitions = new WeakMap<readonly Tool[], ToolDefinition[]>();

/** The definitions of a list of tools, made once for each list. */
export function definitionsOf(list: readonly Tool[]): ToolDefinition[] {
  const known = definitions.get(list) ?? made(list);
  definitions.set(list, known);
  return known;
}

function made(list: readonly Tool[]): ToolDefinition[] {
  const sid = list.some(({ set }) => set === 'investigation') ? 'offered' : 'refused';
  return list.map((tool) => definitionOf(tool, sid));
}

/**
 * A tool's definition for MCP. Moving the program destroys nothing and stays within it; an expression or a condition may
 * do anything.
 */
function definitionOf(tool: Tool, sid: 'offered' | 'refused'): ToolDefinition {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.modelDescription,
    inputSchema: { ...inputSchemaOf(tool, sid), type: 'object' },
    outputSchema: { ...outputSchemaOf(tool), type: 'object' },
    annotations: annotationsOf(tool),
  };
}

/** All four annotations: clients assume the worst of a missing one. */
export function annotationsOf(tool: Tool): ToolAnnotations {
  return {
    title: tool.title,
    readOnlyHint: tool.effect === 'read',
    destructiveHint: tool.effect === 'change',
    idempotentHint: tool.effect === 'read',
    openWorldHint: tool.effect === 'change',
  };
}
