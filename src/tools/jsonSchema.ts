import { z } from 'zod';
import { fields, type Fields } from '../debugger/protocol';
import { EVIDENCE, type Tool } from './defineTool';

/**
 * A tool's input as JSON Schema, as VS Code's manifest and MCP want it: one flat object, `io: 'input'` so that fields
 * with defaults are not required. Every agent pays for each character, so bounds are left out: descriptions give those
 * that a caller has to know, and a call that exceeds one is refused with it.
 * @param sid how a tool whose answer can be evidence takes `sid`: `offered` where the set `investigation` is on, so that
 * nobody else pays for it; `accepted` in VS Code's manifest, which is the same for all sets, and where `start_session`
 * tells of it
 */
export function inputSchemaOf(
  tool: Tool,
  sid: 'offered' | 'accepted' | 'refused' = 'refused',
): Fields {
  const isOffered = tool.evidence && sid === 'offered';
  const { $schema: _dialect, ...schema } = z.toJSONSchema(
    isOffered ? tool.input.extend(EVIDENCE.shape) : tool.input,
    { target: 'draft-7', io: 'input' },
  );
  const isOpen = tool.evidence && sid === 'accepted';
  return fields(withoutBounds(isOpen ? { ...schema, additionalProperties: true } : schema));
}

/**
 * A tool's result as JSON Schema, for MCP clients that check it: the tool's own properties and their types. What they
 * hold in turn is in `docs/tools.md`; a client pays for this schema before it makes any call.
 */
export function outputSchemaOf(tool: Tool): Fields {
  const { properties } = z.toJSONSchema(tool.output, { target: 'draft-7', io: 'output' });
  const own = Object.entries(fields(properties)).filter(([name]) => !ERROR_PROPERTIES.has(name));
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(([name, schema]) => [name, typeOnly(fields(schema))])),
    required: ['status'],
  };
}

/** What the result of any tool may hold; the instructions of the server describe it once. */
const ERROR_PROPERTIES: ReadonlySet<string> = new Set(['code', 'message', 'hint', 'omitted']);

/** JSON Schema keywords of bounds. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

function withoutBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, each]) => key !== 'propertyNames' && !(BOUNDS.has(key) && typeof each === 'number'),
      )
      .map(([key, each]) => [key, withoutBounds(each)]),
  );
}

/** Only what kind of value it is; of several kinds, nothing. */
function typeOnly({ type }: Fields): Fields {
  return type === undefined ? {} : { type };
}
