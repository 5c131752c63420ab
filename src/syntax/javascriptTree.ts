import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser';
import { fields, isFields, listOf, numberOf, textOf, type Fields } from '../debugger/protocol';

/** A position in a file. Line and column are 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The trees of the last texts: an answer often reads one text several times. */
const trees = new Map<string, Fields | undefined>();
const MAX_TREES = 3;

/**
 * Returns the syntax tree of a file in Babel's format (ESTree with differences). Returns undefined if the file cannot
 * be parsed. The time of Babel is exponential for some texts: fifty times `async <T>(` would take years. So texts of
 * projects are parsed in the thread (see `inThread`).
 */
export function parsedJavaScript(text: string, file: string): Fields | undefined {
  const isTypeScript = /\.[cm]?tsx?$/i.test(file);
  const plugins: ParserPlugin[] = [
    ...(isTypeScript ? (['typescript'] as const) : []),
    ...(isTypeScript && !/x$/i.test(file) ? [] : (['jsx'] as const)),
    'decorators',
  ];
  const key = `${JSON.stringify(plugins)}\n${text}`;
  if (!trees.has(key)) {
    const [oldest] = trees.keys();
    if (oldest !== undefined && trees.size >= MAX_TREES) trees.delete(oldest);
    trees.set(key, programOf(text, plugins));
  }
  return trees.get(key);
}

function programOf(text: string, plugins: ParserPlugin[]): Fields | undefined {
  try {
    return fields(fields(parsed(text, plugins))['program']);
  } catch {
    return undefined;
  }
}

/** Each of many mistakes costs time, so only a short text with a mistake is parsed to its end. */
function parsed(text: string, plugins: ParserPlugin[]): unknown {
  const options: ParserOptions = {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    plugins,
  };
  try {
    return parse(text, options);
  } catch (error) {
    if (!(error instanceof SyntaxError) || text.length > MAX_WITH_MISTAKES) throw error;
    return parse(text, { ...options, errorRecovery: true });
  }
}

const MAX_WITH_MISTAKES = 12 * 1024;

/** Visits a node and its descendants. The descendants of a node for which `visit` returns false are skipped. */
export function walk(
  node: Fields,
  parents: readonly Fields[],
  visit: (node: Fields, parents: readonly Fields[]) => boolean,
): void {
  if (parents.length > MAX_NESTED) return;
  if (typeOf(node) !== '' && !visit(node, parents)) return;
  const inner = typeOf(node) === '' ? parents : [...parents, node];
  for (const [key, value] of Object.entries(node)) {
    if (NO_CHILDREN.has(key)) continue;
    if (Array.isArray(value)) {
      for (const child of listOf(value)) if (isFields(child)) walk(child, inner, visit);
    } else if (isFields(value) && typeOf(value) !== '') walk(value, inner, visit);
  }
}

/**
 * The maximum depth of nodes that are visited. The syntax tree of a long chain of calls is as deep as the chain is
 * long.
 */
const MAX_NESTED = 1000;
const NO_CHILDREN: ReadonlySet<string> = new Set([
  'loc',
  'extra',
  'errors',
  'comments',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'typeAnnotation',
  'returnType',
  'typeParameters',
]);

/** Whether a position is within a node. Nodes without a position, such as the root, contain all. */
export function contains(node: Fields, position: Position): boolean {
  if (!isFields(node['loc'])) return true;
  const [start, end] = [startOf(node), endOf(node)];
  return !isBefore(position, start) && isBefore(position, end);
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

/** Whether a node is a function or a method. */
export function isFunctionNode(node: Fields): boolean {
  return FUNCTIONS.has(typeOf(node));
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
]);

/** The nodes that are scopes for `let`, `const` and classes. */
export const SCOPES: ReadonlySet<string> = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'StaticBlock',
  'TSModuleBlock',
]);

export function typeOf(node: Fields): string {
  return textOf(node['type']) ?? '';
}

export function startOf(node: Fields): Position {
  return positionOf(fields(node['loc'])['start']);
}

export function endOf(node: Fields): Position {
  return positionOf(fields(node['loc'])['end']);
}

/** Converts a position of Babel, whose columns are 0-based. */
export function positionOf(position: unknown): Position {
  const { line, column } = fields(position);
  return { line: numberOf(line) ?? 1, column: (numberOf(column) ?? 0) + 1 };
}
