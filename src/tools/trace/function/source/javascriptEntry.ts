import { fields, isFields, listOf, textOf, type Fields } from '../../../../debugger/protocol';
import { parsedJavaScript, positionOf, type Position } from './javascriptFunctions';

/**
 * Where the first statement of a program begins that is executed and at which a debugger can stop; undefined where none
 * is found. What only declares comes before it.
 */
export function firstExecuted(text: string, file: string): Position | undefined {
  return firstOf(listOf(parsedJavaScript(text, file)?.['body']));
}

function firstOf(statements: readonly unknown[]): Position | undefined {
  for (const each of statements) {
    const found = isFields(each) ? placeIn(each) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where a statement begins to do something. Of a statement with others in it, that is in its first part. */
function placeIn(statement: Fields): Position | undefined {
  switch (textOf(statement['type'])) {
    case 'ExpressionStatement':
    case 'ThrowStatement':
    case 'ReturnStatement':
    case 'ForStatement':
      return startOf(statement);
    case 'VariableDeclaration':
      return placeInDeclarations(statement);
    case 'IfStatement':
    case 'WhileStatement':
      return startOf(statement['test']);
    case 'SwitchStatement':
      return startOf(statement['discriminant']);
    case 'ForOfStatement':
    case 'ForInStatement':
      return startOf(statement['right']);
    case 'BlockStatement':
      return firstOf(listOf(statement['body']));
    case 'TryStatement':
      return firstOf([statement['block'], statement['finalizer']]);
    case 'DoWhileStatement':
    case 'LabeledStatement':
      return firstOf([statement['body']]);
    case 'ExportNamedDeclaration':
      return firstOf([statement['declaration']]);
    default:
      return undefined;
  }
}

/** V8 can stop where a variable gets its first value, and at a `let` without one, but not at such a `var`. */
function placeInDeclarations({ kind, declare, declarations }: Fields): Position | undefined {
  if (declare === true) return undefined;
  for (const each of listOf(declarations)) {
    const { init } = fields(each);
    if (isFields(init)) return startOf(init);
    if (kind !== 'var') return startOf(each);
  }
  return undefined;
}

function startOf(node: unknown): Position | undefined {
  const { loc } = fields(node);
  return isFields(loc) ? positionOf(loc['start']) : undefined;
}
