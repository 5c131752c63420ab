import { fields, isFields, listOf, textOf, type Fields } from '../../../../debugger/protocol';
import { parsedJavaScript, positionOf, type Position } from '../../../../syntax/javascriptTree';

/**
 * Returns the start of the first executed statement at which a debugger can stop. Returns undefined if none is found.
 * Statements that only declare something are skipped.
 */
export function firstExecuted(text: string, file: string): Position | undefined {
  return firstPlaceIn(listOf(parsedJavaScript(text, file)?.['body']));
}

/** Returns the first place in a list of statements at which a debugger can stop. */
export function firstPlaceIn(statements: readonly unknown[]): Position | undefined {
  for (const statement of statements) {
    const found = isFields(statement) ? placeIn(statement) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the place at which the execution of a statement begins. In a compound statement, this place is in its first
 * part.
 */
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
      return firstPlaceIn(listOf(statement['body']));
    case 'TryStatement':
      return firstPlaceIn([statement['block'], statement['finalizer']]);
    case 'DoWhileStatement':
    case 'LabeledStatement':
      return firstPlaceIn([statement['body']]);
    case 'ExportNamedDeclaration':
      return firstPlaceIn([statement['declaration']]);
    default:
      return undefined;
  }
}

/** V8 can stop at the initializer of a variable, and at a `let` without an initializer, but not at such a `var`. */
function placeInDeclarations({ kind, declare, declarations }: Fields): Position | undefined {
  if (declare === true) return undefined;
  for (const declaration of listOf(declarations)) {
    const { init } = fields(declaration);
    if (isFields(init)) return startOf(init);
    if (kind !== 'var') return startOf(declaration);
  }
  return undefined;
}

function startOf(node: unknown): Position | undefined {
  const { loc } = fields(node);
  return isFields(loc) ? positionOf(loc['start']) : undefined;
}
