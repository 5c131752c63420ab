import type { Tool as ToolDefinition, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../../tools/defineTool';
import { inputSchemaOf, outputSchemaOf } from '../../tools/jsonSchema';

/** The cached definitions for each list of tools. Creating the schemas takes longer than most calls. */
const definitions = new WeakMap<readonly Tool[], ToolDefinition[]>();

/** The definitions of a list of tools, created once per list. */
export function definitionsOf(list: readonly Tool[]): ToolDefinition[] {
  const cached = definitions.get(list) ?? made(list);
  definitions.set(list, cached);
  return cached;
}

function made(list: readonly Tool[]): ToolDefinition[] {
  const sid = list.some(({ set }) => set === 'investigation') ? 'offered' : 'refused';
  return list.map((tool) => definitionOf(tool, sid));
}

/**
 * A tool's definition for MCP. Moving the program is not destructive and affects only the program, but an expression or
 * a condition may have any effect.
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

/** All four annotations of a tool. Clients assume the worst case for a missing annotation. */
export function annotationsOf(tool: Tool): ToolAnnotations {
  return {
    title: tool.title,
    readOnlyHint: tool.effect === 'read',
    destructiveHint: tool.effect === 'change',
    idempotentHint: tool.effect === 'read',
    openWorldHint: tool.effect === 'change',
  };
}
