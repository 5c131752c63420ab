import { fields, isFields, listOf, textOf, type Fields } from '../../../../debugger/protocol';
import { namesIn } from './javascriptNames';
import { isFunctionNode, typeOf, walk } from '../../../../syntax/javascriptTree';
import type { SourceFunction } from './sourceFunction';

/**
 * Returns the variables outside of a function that it may change: variables of the file and of the functions around it,
 * and private fields. A variable may be changed if the function assigns it or a member of it, calls a method of it, or
 * passes it on.
 * @param parents the nodes around the function
 * @param declared the names that the function itself declares
 */
export function capturedBy(
  node: Fields,
  parents: readonly Fields[],
  declared: ReadonlySet<string>,
): Required<Pick<SourceFunction, 'captured' | 'capturedLeftOut'>> {
  const touched = new Set<string>();
  const privateFields = new Set<string>();
  walk(fields(node['body']), [], (inner) => {
    for (const name of changedBy(inner)) touched.add(name);
    const field = privateFieldOf(inner, parents);
    if (field !== undefined) privateFields.add(field);
    return true;
  });
  const isAround = (name: string): boolean =>
    parents.some((parent) => variablesIn(parent).has(name));
  const captured = [...touched].filter((name) => !declared.has(name) && isAround(name));
  const fieldsOfOthers = [...privateFields].filter((field) => !declared.has(ownerOf(field)));
  const all = [...fieldsOfOthers, ...captured];
  return {
    captured: all.slice(0, MAX_VARIABLES),
    capturedLeftOut: Math.max(0, all.length - MAX_VARIABLES),
  };
}

/** The maximum number of variables. Each one is read at each place. */
const MAX_VARIABLES = 12;

function ownerOf(field: string): string {
  return field.replace(/\.#[^]*/, '');
}

/** Returns the variables that a node itself may change. */
function changedBy(node: Fields): readonly string[] {
  switch (typeOf(node)) {
    case 'AssignmentExpression':
      return basesIn(fields(node['left']));
    case 'UpdateExpression':
      return basesIn(fields(node['argument']));
    case 'UnaryExpression':
      return node['operator'] === 'delete' ? basesIn(fields(node['argument'])) : [];
    case 'ForOfStatement':
    case 'ForInStatement':
      return basesIn(fields(node['left']));
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression': {
      const callee = fields(node['callee']);
      const called = isMember(callee) ? basesIn(callee) : [];
      return [...called, ...listOf(node['arguments']).flatMap((each) => passedIn(fields(each)))];
    }
    default:
      return [];
  }
}

/** Returns the variables of an assigned pattern, and the variable in front of members: `cache` in `cache.items[0]`. */
function basesIn(node: Fields): readonly string[] {
  if (isMember(node)) return basesIn(fields(node['object']));
  if (WRAPPERS.has(typeOf(node))) return basesIn(fields(node['expression']));
  return namesIn(node);
}

/** Returns the variables that an argument passes on, also in lists and objects. */
function passedIn(node: Fields): readonly string[] {
  switch (typeOf(node)) {
    case 'SpreadElement':
      return passedIn(fields(node['argument']));
    case 'ArrayExpression':
      return listOf(node['elements']).flatMap((element) => passedIn(fields(element)));
    case 'ObjectExpression':
      return listOf(node['properties']).flatMap((property) => {
        const { value, argument } = fields(property);
        return passedIn(fields(value ?? argument));
      });
    default:
      return basesIn(node);
  }
}

/** The nodes around an expression that do not change its value. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSTypeAssertion'],
  ...['ParenthesizedExpression', 'TSInstantiationExpression'],
]);

function isMember(node: Fields): boolean {
  return typeOf(node) === 'MemberExpression' || typeOf(node) === 'OptionalMemberExpression';
}

/** Returns the expression that reads a private field: `this.#total`, or `Cart.#count` for a static one. */
function privateFieldOf(node: Fields, parents: readonly Fields[]): string | undefined {
  const property = fields(node['property']);
  if (!isMember(node) || typeOf(property) !== 'PrivateName') return undefined;
  const name = textOf(fields(property['id'])['name']) ?? '';
  const object = fields(node['object']);
  const owner = typeOf(object) === 'ThisExpression' ? 'this' : textOf(object['name']);
  // Methods and accessors have such names, too.
  const isField = parents
    .filter((parent) => typeOf(parent) === 'ClassBody')
    .flatMap((body) => listOf(body['body']).map(fields))
    .some(
      (member) =>
        typeOf(member) === 'ClassPrivateProperty' &&
        fields(fields(member['key'])['id'])['name'] === name &&
        (member['static'] === true || owner === 'this'),
    );
  return isField && owner !== undefined ? `${owner}.#${name}` : undefined;
}

/** The variables of nodes that contain functions. A file may have thousands of functions. */
const known = new WeakMap<Fields, ReadonlySet<string>>();

/**
 * Returns the parameters of a function, and the variables that a block of a program, a function or a statement declares,
 * without functions, classes and imports.
 */
function variablesIn(node: Fields): ReadonlySet<string> {
  const before = known.get(node);
  if (before !== undefined) return before;
  const parameters = isFunctionNode(node) ? listOf(node['params']).map(fields) : [];
  const names = new Set([
    ...parameters.flatMap(namesIn),
    ...listOf(node['body']).map(fields).flatMap(variablesOf),
  ]);
  known.set(node, names);
  return names;
}

function variablesOf(statement: Fields): readonly string[] {
  const declaration = isFields(statement['declaration'])
    ? fields(statement['declaration'])
    : statement;
  if (typeOf(declaration) !== 'VariableDeclaration') return [];
  return listOf(declaration['declarations'])
    .map(fields)
    .filter((declarator) => !isCode(fields(declarator['init'])))
    .flatMap((declarator) => namesIn(fields(declarator['id'])));
}

/** Whether a value is a function, a class, or a module. */
function isCode(value: Fields): boolean {
  if (isFunctionNode(value) || typeOf(value) === 'ClassExpression') return true;
  return typeOf(value) === 'CallExpression' && fields(value['callee'])['name'] === 'require';
}
