import { fields, isFields, listOf, textOf, type Fields } from '../../../../debugger/protocol';
import { typeOf, walk } from '../../../../syntax/javascriptTree';

/**
 * Returns JavaScript code that reads the value of an expression again without running code of the program. Returns
 * undefined if that is not possible, for example for a call. The code expects the reader `g` of the recorder: `g.m`
 * reads a member that is not computed, and `g.p` passes on a primitive. Both throw for everything else.
 */
export function readOf(node: Fields): string | undefined {
  switch (typeOf(node)) {
    case 'Identifier':
      return textOf(node['name']);
    case 'ThisExpression':
      return 'this';
    case 'NumericLiteral':
    case 'BigIntLiteral':
      return textOf(fields(node['extra'])['raw']);
    case 'StringLiteral':
      return JSON.stringify(textOf(node['value']) ?? '');
    case 'BooleanLiteral':
      return String(node['value'] === true);
    case 'NullLiteral':
      return 'null';
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
      return readOf(fields(node['expression']));
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return memberOf(node);
    case 'UnaryExpression':
      return unaryOf(node);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return binaryOf(node);
    case 'ConditionalExpression':
      return code`(${readIn(node, 'test')}?${readIn(node, 'consequent')}:${readIn(node, 'alternate')})`;
    case 'TemplateLiteral':
      return templateOf(node);
    case 'ArrayExpression':
      return arrayOf(node);
    case 'ObjectExpression':
      return objectOf(node);
    default:
      return undefined;
  }
}

function readIn(node: Fields, key: string): string | undefined {
  const child = node[key];
  return isFields(child) ? readOf(child) : undefined;
}

/** Joins parts of code. Returns undefined if one of them is undefined. */
function code(
  texts: TemplateStringsArray,
  ...parts: readonly (string | undefined)[]
): string | undefined {
  let joined = texts[0] ?? '';
  for (const [index, part] of parts.entries()) {
    if (part === undefined) return undefined;
    joined += part + (texts[index + 1] ?? '');
  }
  return joined;
}

function memberOf(node: Fields): string | undefined {
  const property = fields(node['property']);
  const isComputed = node['computed'] === true;
  if (!isComputed && typeOf(property) !== 'Identifier') return undefined;
  const key = isComputed
    ? code`g.p(${readOf(property)})`
    : JSON.stringify(textOf(property['name']) ?? '');
  // The rest of a chain such as `a?.b.c` is not optional. If `a` is undefined, it is not read, and the program stops.
  const isOptional = node['optional'] === true;
  return code`g.m(${readIn(node, 'object')},${key},${isOptional ? '1' : '0'})`;
}

function unaryOf(node: Fields): string | undefined {
  const operator = textOf(node['operator']) ?? '';
  const value = readIn(node, 'argument');
  if (operator === '!' || operator === 'typeof' || operator === 'void')
    return code`(${operator} (${value}))`;
  return /^[-+~]$/.test(operator) ? code`(${operator}g.p(${value}))` : undefined;
}

/** The operators that run no code of the program, regardless of their operands. */
const WITHOUT_CODE: ReadonlySet<string> = new Set(['===', '!==', '&&', '||', '??']);
/** The operators that convert objects by their own methods. */
const OF_PRIMITIVES: ReadonlySet<string> = new Set([
  ...['+', '-', '*', '/', '%', '**', '<', '>', '<=', '>=', '==', '!='],
  ...['&', '|', '^', '<<', '>>', '>>>'],
]);

function binaryOf(node: Fields): string | undefined {
  const operator = textOf(node['operator']) ?? '';
  const [left, right] = [readIn(node, 'left'), readIn(node, 'right')];
  if (WITHOUT_CODE.has(operator)) return code`((${left})${operator}(${right}))`;
  return OF_PRIMITIVES.has(operator) ? code`(g.p(${left})${operator}g.p(${right}))` : undefined;
}

function templateOf(node: Fields): string | undefined {
  const texts = listOf(node['quasis']).map((quasi) =>
    JSON.stringify(textOf(fields(fields(quasi)['value'])['cooked']) ?? ''),
  );
  const values = listOf(node['expressions']).map((value) => code`g.p(${readOf(fields(value))})`);
  if (values.includes(undefined)) return undefined;
  const parts = texts.map((text, index) => {
    const value = values[index];
    return value === undefined ? text : `${text}+${value}`;
  });
  return `(${parts.join('+')})`;
}

function arrayOf(node: Fields): string | undefined {
  const items = listOf(node['elements']).map((element) => readOf(fields(element)));
  return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
}

function objectOf(node: Fields): string | undefined {
  const members = listOf(node['properties']).map((entry) => {
    const property = fields(entry);
    const key = fields(property['key']);
    const name = textOf(key['name']) ?? textOf(key['value']);
    if (typeOf(property) !== 'ObjectProperty' || property['computed'] === true) return undefined;
    if (name === undefined || name === '__proto__') return undefined;
    return code`${JSON.stringify(name)}:${readIn(property, 'value')}`;
  });
  return members.includes(undefined) ? undefined : `({${members.join(',')}})`;
}

/** Returns the names of the variables that an expression reads. */
export function namesRead(node: Fields): readonly string[] {
  const names = new Set<string>();
  walk(node, [], (inner, parents) => {
    const parent = fields(parents.at(-1));
    const isKey =
      (parent['property'] === inner || parent['key'] === inner) && parent['computed'] !== true;
    const isShorthand = parent['shorthand'] === true;
    if (typeOf(inner) === 'Identifier' && (!isKey || isShorthand))
      names.add(textOf(inner['name']) ?? '');
    return true;
  });
  names.delete('undefined');
  return [...names];
}
