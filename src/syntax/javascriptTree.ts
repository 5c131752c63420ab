import { createHash } from 'node:crypto';
import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser';
import { BoundedSet } from '../util/boundedSet';
import { stoppedAfter } from '../util/stopped';
import { MAX_PARSED } from '../util/projectText';
import { fields, isFields, listOf, numberOf, textOf, type Fields } from '../debugger/protocol';

/** A position in a file. Line and column are 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * The time of the processor in milliseconds after which a parse is given up. The time of Babel is exponential for some texts: fifty times
 * `async <T>(` would take years.
 */
const MAX_TIME = 400;

/** The time in milliseconds that one attempt may take on a machine that is busy with others. */
const LONGEST = 16 * MAX_TIME;

/**
 * A parse that had less time of the processor than this, in milliseconds, is tried again for twice as long: an attempt
 * then blocks the host for less than twice `MAX_TIME`, because a busy machine gives it at most half of the time.
 */
const TOO_LITTLE = MAX_TIME / 2;

/** The hashes of the texts whose parse was given up, so that they cost the time once. */
const givenUp = new BoundedSet<string>(100);

/**
 * Returns the syntax tree of a file in Babel's format (ESTree with differences). Returns undefined if the file cannot
 * be parsed, or not in time.
 */
export function parsedJavaScript(text: string, file: string): Fields | undefined {
  if (text.length > MAX_PARSED) return undefined;
  const isTypeScript = /\.[cm]?tsx?$/i.test(file);
  const plugins: ParserPlugin[] = [
    ...(isTypeScript ? (['typescript'] as const) : []),
    ...(isTypeScript && !/x$/i.test(file) ? [] : (['jsx'] as const)),
    'decorators',
  ];
  const hash = createHash('sha256').update(text).digest('hex');
  if (givenUp.has(hash)) return undefined;
  for (let most = MAX_TIME; ; most *= 2) {
    const begin = performance.now();
    const before = process.cpuUsage();
    try {
      const tree: unknown = stoppedAfter(most, () => parsed(text, plugins));
      return fields(fields(tree)['program']);
    } catch {
      if (performance.now() - begin < most) return undefined;
      // On a busy machine, the time may pass without the parser.
      const { user, system } = process.cpuUsage(before);
      if (most < LONGEST && (user + system) / 1000 < TOO_LITTLE) continue;
      givenUp.add(hash);
      return undefined;
    }
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
