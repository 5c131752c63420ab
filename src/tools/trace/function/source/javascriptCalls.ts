import { fields, textOf, type Fields } from '../../../../debugger/protocol';
import { endOf, startOf, typeOf } from './javascriptTree';
import type { SourceCall } from './sourceFunction';

/** Returns the call that a node is. Returns undefined for other nodes, and for a function without a name. */
export function callOf(
  node: Fields,
  parents: readonly Fields[],
  body: Fields,
): SourceCall | undefined {
  if (!CALLS.has(typeOf(node))) return undefined;
  const name = nameOf(fields(node['callee']));
  if (name === undefined) return undefined;
  const statement = parents.findLast((parent) => /Statement$|Declaration$/.test(typeOf(parent)));
  const parent = fields(parents.at(-1));
  const assigned = assignedIn(parent, node);
  return {
    name,
    isNew: typeOf(node) === 'NewExpression',
    start: startOf(statement ?? node).line,
    end: endOf(node).line,
    assigned: assigned === undefined ? [] : [assigned],
    isDeclared: typeOf(parent) === 'VariableDeclarator',
    isReturned:
      node === body || (typeOf(parent) === 'ReturnStatement' && parent['argument'] === node),
  };
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
