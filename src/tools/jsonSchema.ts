import { z } from 'zod';
import { fields, type Fields } from '../debugger/protocol';
import { EVIDENCE, type Tool } from './defineTool';

/**
 * Returns the input of a tool as JSON Schema for VS Code's manifest and MCP. It is one flat object. `io: 'input'` makes
 * fields with defaults optional. The schema is part of every agent's context, so it omits bounds. The descriptions
 * contain the bounds that a caller has to know. A call that exceeds a bound is refused with an error that names the
 * bound.
 * @param sid the declaration of `sid` for a tool whose result can be evidence. `offered`: the schema contains it,
 * because the set `investigation` is enabled. `accepted`: the schema only allows it. This is for VS Code's manifest,
 * which is the same for all sets. `start_session` describes the parameter there.
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
 * Returns the result of a tool as JSON Schema, for MCP clients that check it. It contains the tool's own properties and
 * their types. Nested properties are omitted (see `docs/tools.md`), because the schema is in the client's context
 * before the first call.
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

/** The properties that the result of any tool may have. The server's instructions describe them once. */
const ERROR_PROPERTIES: ReadonlySet<string> = new Set(['code', 'message', 'hint', 'omitted']);

/** The JSON Schema keywords for bounds. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/**
 * The mark of a parameter whose properties the schema of another tool declares. Its own schema omits them, and its
 * description names that tool.
 */
export const DECLARED_ELSEWHERE = 'declaredElsewhere';

function withoutBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (typeof value !== 'object' || value === null) return value;
  const { type, description, [DECLARED_ELSEWHERE]: isElsewhere } = fields(value);
  if (isElsewhere === true) return { type, description, additionalProperties: true };
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, member]) =>
          key !== 'propertyNames' && !(BOUNDS.has(key) && typeof member === 'number'),
      )
      .map(([key, member]) => [key, withoutBounds(member)]),
  );
}

/** Returns only the type of a schema, or an empty schema if it is a union. */
function typeOnly({ type }: Fields): Fields {
  return type === undefined ? {} : { type };
}
