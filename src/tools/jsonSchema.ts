import { z } from 'zod';
import { fields, type Fields } from '../debugger/protocol';
import type { Tool } from './defineTool';

/**
 * A tool's input as JSON Schema, as VS Code's manifest and MCP want it: one flat object, `io: 'input'` so that fields
 * with defaults are not required, without the bounds that only say "a safe integer".
 */
export function inputSchemaOf(tool: Tool): Fields {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, {
    target: 'draft-7',
    io: 'input',
  });
  return fields(withoutNoise(schema));
}

/** A tool's result as JSON Schema, for MCP clients that check it. */
export function outputSchemaOf(tool: Tool): Fields {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.output, {
    target: 'draft-7',
    io: 'output',
  });
  return fields(withoutNoise(schema));
}

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, each]) =>
          !(
            (key === 'maximum' && each === Number.MAX_SAFE_INTEGER) ||
            (key === 'minimum' && each === -Number.MAX_SAFE_INTEGER) ||
            key === 'propertyNames'
          ),
      )
      .map(([key, each]) => [key, withoutNoise(each)]),
  );
}
