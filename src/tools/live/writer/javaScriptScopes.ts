import { fields, isFields, listOf, textOf, type Fields } from '../../../debugger/protocol';
import { isFunctionNode, SCOPES, startOf, typeOf, walk } from '../../../syntax/javascriptTree';
import { namesIn } from '../../trace/function/source/javascriptNames';

/** Returns the innermost node that declares a name, from the nodes around a place. Undefined for a global name. */
export function declaringNode(name: string, parents: readonly Fields[]): Fields | undefined {
  return parents.findLast((node) => declares(node, name));
}

/** A text that distinguishes a scope from the others of its file. */
export function idOf(node: Fields | undefined): string {
  if (node === undefined) return 'global';
  const { line, column } = startOf(node);
  return `${typeOf(node)} ${line}:${column}`;
}

function declares(node: Fields, name: string): boolean {
  if (isFunctionNode(node)) {
    const isParameter = listOf(node['params']).some((each) => namesIn(fields(each)).includes(name));
    return isParameter || (!isArrow(node) && name === 'arguments') || hasVar(node, name);
  }
  switch (typeOf(node)) {
    case 'Program':
      return (
        listOf(node['body']).some((each) => declaresIn(fields(each), name)) || hasVar(node, name)
      );
    case 'CatchClause':
      return namesIn(fields(node['param'])).includes(name);
    case 'ForStatement':
      return declaresIn(fields(node['init']), name);
    case 'ForInStatement':
    case 'ForOfStatement':
      return declaresIn(fields(node['left']), name);
    case 'SwitchStatement':
      return listOf(node['cases']).some((each) =>
        listOf(fields(each)['consequent']).some((inner) => declaresIn(fields(inner), name)),
      );
    default:
      return (
        SCOPES.has(typeOf(node)) &&
        listOf(node['body']).some((each) => declaresIn(fields(each), name))
      );
  }
}

function isArrow(node: Fields): boolean {
  return typeOf(node) === 'ArrowFunctionExpression';
}

/** Whether a statement itself declares a name in its block. */
function declaresIn(statement: Fields, name: string): boolean {
  switch (typeOf(statement)) {
    case 'VariableDeclaration':
      return statement['kind'] !== 'var' && declaratorsOf(statement).includes(name);
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return textOf(fields(statement['id'])['name']) === name;
    case 'ImportDeclaration':
      return listOf(statement['specifiers']).some(
        (each) => textOf(fields(fields(each)['local'])['name']) === name,
      );
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return isFields(statement['declaration']) && declaresIn(statement['declaration'], name);
    default:
      return false;
  }
}

function declaratorsOf(declaration: Fields): readonly string[] {
  return listOf(declaration['declarations']).flatMap((each) => namesIn(fields(fields(each)['id'])));
}

/** Whether a function or program declares a name by `var`, at any depth but in other functions. */
function hasVar(node: Fields, name: string): boolean {
  let found = false;
  const visit = (inner: Fields): boolean => {
    if (found || isFunctionNode(inner)) return false;
    if (typeOf(inner) === 'VariableDeclaration' && inner['kind'] === 'var')
      found ||= declaratorsOf(inner).includes(name);
    return true;
  };
  const { body } = node;
  if (Array.isArray(body)) for (const each of listOf(body)) walk(fields(each), [], visit);
  else walk(fields(body), [], visit);
  return found;
}
