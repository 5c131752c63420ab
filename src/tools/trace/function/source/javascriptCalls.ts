import { fields, numberOf, textOf, type Fields } from '../../../../debugger/protocol';
import {
  endOf,
  isFunctionNode,
  parsedJavaScript,
  SCOPES,
  startOf,
  typeOf,
  walk,
} from '../../../../syntax/javascriptTree';
import type { SourceCall } from './sourceFunction';

/** Returns the calls of a file that are not in functions. Returns none if the file cannot be parsed. */
export function callsOutsideFunctions(text: string, file: string): readonly SourceCall[] {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return [];
  const calls: SourceCall[] = [];
  walk(program, [], (node, parents) => {
    if (isFunctionNode(node)) return false;
    const call = callOf(node, parents, program, text);
    if (call !== undefined) calls.push(call);
    return true;
  });
  return calls;
}

/** Returns the call that a node is. Returns undefined for other nodes, and for a function without a name. */
export function callOf(
  node: Fields,
  parents: readonly Fields[],
  body: Fields,
  text: string,
): SourceCall | undefined {
  if (!CALLS.has(typeOf(node))) return undefined;
  const name = nameOf(fields(node['callee']));
  if (name === undefined) return undefined;
  const statement = parents.findLast((parent) => /Statement$|Declaration$/.test(typeOf(parent)));
  const parent = fields(parents.at(-1));
  const assigned = isLastOfLine(node, text) ? assignedIn(parent, node) : undefined;
  return {
    name,
    isNew: typeOf(node) === 'NewExpression',
    start: startOf(statement ?? node).line,
    end: endOf(node).line,
    assigned: assigned === undefined ? [] : [assigned],
    block: blockOf(parents),
    isDeclared: isDeclared(parents),
    isReturned:
      node === body || (typeOf(parent) === 'ReturnStatement' && parent['argument'] === node),
  };
}

/** Returns the lines of the innermost block around a `const` or `let`. Outside of it, the name is another variable. */
function blockOf(parents: readonly Fields[]): SourceCall['block'] {
  const kind = fields(parents.at(-2))['kind'];
  if (kind !== 'const' && kind !== 'let') return undefined;
  const block = parents.findLast((parent) => SCOPES.has(typeOf(parent)));
  return block === undefined ? undefined : { start: startOf(block).line, end: endOf(block).line };
}

/** Whether no other code follows in the last line of a node. It could change the value. */
function isLastOfLine(node: Fields, text: string): boolean {
  const rest = /^[^\r\n]*/.exec(text.slice(numberOf(node['end']) ?? text.length))?.[0] ?? '';
  return /^[\s;)]*(?:\/\/.*|\/\*[^*]*\*\/\s*)?$/.test(rest);
}

/** Whether the variable exists only if the call has returned: a `const` or `let` that is not in a `try`. */
function isDeclared(parents: readonly Fields[]): boolean {
  const declaration = fields(parents.at(-2));
  return (
    typeOf(fields(parents.at(-1))) === 'VariableDeclarator' &&
    (declaration['kind'] === 'const' || declaration['kind'] === 'let') &&
    !parents.some((parent) => typeOf(parent) === 'TryStatement')
  );
}

const CALLS: ReadonlySet<string> = new Set([
  'CallExpression',
  'OptionalCallExpression',
  'NewExpression',
]);

function nameOf(callee: Fields): string | undefined {
  const named = callee['computed'] === true ? {} : fields(callee['property'] ?? callee);
  if (typeOf(named) === 'PrivateName') return textOf(fields(named['id'])['name']);
  return typeOf(named) === 'Identifier' ? textOf(named['name']) : undefined;
}

function assignedIn(parent: Fields, node: Fields): string | undefined {
  const isInitial = typeOf(parent) === 'VariableDeclarator' && parent['init'] === node;
  const isAssigned =
    typeOf(parent) === 'AssignmentExpression' &&
    parent['operator'] === '=' &&
    parent['right'] === node;
  if (!isInitial && !isAssigned) return undefined;
  const target = fields(isInitial ? parent['id'] : parent['left']);
  return typeOf(target) === 'Identifier' ? textOf(target['name']) : undefined;
}
