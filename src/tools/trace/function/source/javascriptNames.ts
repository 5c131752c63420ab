import { fields, listOf, textOf, type Fields } from '../../../../debugger/protocol';
import { typeOf } from '../../../../syntax/javascriptTree';

/** Returns the names to which a pattern assigns values. */
export function namesIn(pattern: Fields): readonly string[] {
  switch (typeOf(pattern)) {
    case 'Identifier': {
      const name = textOf(pattern['name']);
      return name === undefined || name === 'this' ? [] : [name];
    }
    case 'ObjectPattern':
      return listOf(pattern['properties']).flatMap((entry) => {
        const property = fields(entry);
        return namesIn(fields(property['value'] ?? property['argument']));
      });
    case 'ArrayPattern':
      return listOf(pattern['elements']).flatMap((element) => namesIn(fields(element)));
    case 'AssignmentPattern':
      return namesIn(fields(pattern['left']));
    case 'RestElement':
      return namesIn(fields(pattern['argument']));
    case 'TSParameterProperty':
      return namesIn(fields(pattern['parameter']));
    default:
      return [];
  }
}

/** Returns the name of a function: its own name, or the name of the variable or property that contains it. */
export function nameOf(node: Fields, parents: readonly Fields[]): string {
  const own = nameIn(node['id']) ?? nameIn(node['key']);
  if (own !== undefined) return own;
  const parent = fields(parents.at(-1));
  switch (typeOf(parent)) {
    case 'VariableDeclarator':
      return nameIn(parent['id']) ?? '';
    case 'AssignmentExpression':
      return nameIn(parent['left']) ?? nameIn(fields(parent['left'])['property']) ?? '';
    case 'ObjectProperty':
    case 'ClassProperty':
    case 'ClassPrivateProperty':
      return nameIn(parent['key']) ?? '';
    default:
      return '';
  }
}

function nameIn(node: unknown): string | undefined {
  const { name, value, id } = fields(node);
  return textOf(name) ?? textOf(value) ?? textOf(fields(id)['name']);
}

/** Returns the name of the class that contains a node. */
export function classOf(parents: readonly Fields[]): string | undefined {
  const owner = [...parents]
    .reverse()
    .find((parent) => /^Class(?:Declaration|Expression)$/.test(typeOf(parent)));
  return owner === undefined ? undefined : nameIn(owner['id']);
}
