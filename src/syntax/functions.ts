import type { Node, QueryMatch } from '@vscode/tree-sitter-wasm';
import { foundIn, loadGrammar } from './grammars';
import { declared, parametersOf, type DeclaredParameter } from './declarators';
import type { FunctionGrammar } from './languages/language';
import { partsOf } from './names';

/** A function in a syntax tree. Lines are 1-based. */
export interface SyntaxFunction {
  readonly name: string;
  /** The class that its own name names, or the type of its receiver. */
  readonly container: string | undefined;
  /** The names of the classes and namespaces around it, the outermost first. */
  readonly owners: readonly string[];
  /** The line of its name, and its last line. */
  readonly start: number;
  readonly end: number;
  /** The line at which a call begins. */
  readonly entry: number;
  /** Whether the rounds of a loop also reach the entry. */
  readonly entryRepeats: boolean;
  readonly parameters: readonly DeclaredParameter[];
  /** The offsets of its name, and of the first and the last character of its body. */
  readonly at: number;
  readonly open: number;
  readonly close: number;
}

export interface SyntaxFunctions {
  readonly functions: readonly SyntaxFunction[];
  /** The text with blanks instead of comments and literals, if the grammar captures them. */
  readonly code: string;
}

/** Returns the functions of a text. Returns undefined if the grammar cannot be loaded, or the parse takes too long. */
export async function syntaxFunctions(
  grammar: FunctionGrammar,
  text: string,
): Promise<SyntaxFunctions | undefined> {
  const loaded = await loadGrammar(grammar);
  if (loaded === undefined) return undefined;
  const parsed = grammar.prepare?.(text) ?? text;
  const all: SyntaxFunctions[] = [];
  for (let part: string | undefined = parsed; part !== undefined && all.length < MAX_NESTED;) {
    const source: string = part;
    part = foundIn(loaded, source, (matches) => {
      const captured = matches.map(capturesOf);
      all.push(functionsOf(captured, grammar, text));
      return tokensIn(source, captured);
    });
  }
  const [first] = all;
  return first && { ...first, functions: all.flatMap(({ functions }) => functions).sort(byLine) };
}

function functionsOf(
  matches: readonly Captures[],
  grammar: FunctionGrammar,
  text: string,
): SyntaxFunctions {
  const scopes = matches.flatMap(scopeOf).sort(byStart);
  const nodes = matches.filter((captures) => captures.has('function'));
  const functions: SyntaxFunction[] = [];
  const around: Scope[] = [];
  let next = 0;
  for (const captures of nodes.sort((one, other) => byStart(rangeOf(one), rangeOf(other)))) {
    const { start, end } = rangeOf(captures);
    for (let scope = scopes[next]; scope !== undefined && scope.start <= start;) {
      around.push(scope);
      next += 1;
      scope = scopes[next];
    }
    while ((around.at(-1)?.end ?? end) < end) around.pop();
    const owners = around.flatMap((scope) => (scope.end >= end ? scope.names : []));
    const found = functionOf(captures, grammar, owners);
    if (found !== undefined) functions.push(found);
  }
  return { functions, code: withoutTexts(text, matches) };
}

/** The number of macros within macros whose functions are found. */
const MAX_NESTED = 3;

function byLine(one: SyntaxFunction, other: SyntaxFunction): number {
  return one.start - other.start;
}

/** Returns the arguments of macros that may contain functions, with blanks instead of all other code. */
function tokensIn(text: string, matches: readonly Captures[]): string | undefined {
  const parts: string[] = [];
  let done = 0;
  for (const captures of matches) {
    const tokens = captures.get('tokens');
    if (tokens === undefined || tokens.startIndex < done) continue;
    const [from, to] = [tokens.startIndex + 1, tokens.endIndex - 1];
    const inner = text.slice(from, to);
    if (!/\bfn\s/.test(inner)) continue;
    parts.push(blank(text.slice(done, from)), inner);
    done = to;
  }
  return done === 0 ? undefined : parts.join('') + blank(text.slice(done));
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

type Captures = ReadonlyMap<string, Node>;

function capturesOf({ captures }: QueryMatch): Captures {
  return new Map(captures.map(({ name, node }) => [name, node]));
}

interface Scope {
  readonly start: number;
  readonly end: number;
  readonly names: readonly string[];
}

function byStart(one: { readonly start: number }, other: { readonly start: number }): number {
  return one.start - other.start;
}

function rangeOf(captures: Captures): { readonly start: number; readonly end: number } {
  const node = captures.get('function');
  return { start: node?.startIndex ?? 0, end: node?.endIndex ?? 0 };
}

function scopeOf(captures: Captures): readonly Scope[] {
  const scope = captures.get('scope');
  const owner = captures.get('owner');
  if (scope === undefined || owner === undefined) return [];
  return [{ start: scope.startIndex, end: scope.endIndex, names: partsOf(owner.text) }];
}

function functionOf(
  captures: Captures,
  grammar: FunctionGrammar,
  owners: readonly string[],
): SyntaxFunction | undefined {
  const node = captures.get('function');
  const head = declared(captures);
  if (node === undefined || head === undefined) return undefined;
  const { name, container, at, line } = head;
  const body = captures.get('body');
  const first = body === undefined ? undefined : firstStatement(body, grammar);
  const end = node.endPosition.row + 1;
  const { entersAtHeader } = grammar;
  return {
    ...{ name, container, owners, at },
    start: line,
    end,
    entry: entersAtHeader ? line : (first?.startPosition.row ?? end - 1) + 1,
    entryRepeats: !entersAtHeader && first !== undefined && isRepeated(first, grammar),
    parameters: parametersOf(captures, grammar),
    open: body?.startIndex ?? node.endIndex,
    close: (body ?? node).endIndex - 1,
  };
}

const BLOCKS: ReadonlySet<string> = new Set([
  'arrow_expression_clause',
  'begin',
  'block',
  'body_statement',
  'compound_statement',
  'constructor_body',
]);

function firstStatement(body: Node, { noStatements }: FunctionGrammar): Node | undefined {
  let node: Node | null = body;
  while (node !== null && BLOCKS.has(node.type)) {
    let child: Node | null = node.firstNamedChild;
    while (child !== null && isNoStatement(child, noStatements)) child = child.nextNamedSibling;
    node = child;
  }
  return node ?? undefined;
}

function isNoStatement({ type }: Node, others: readonly string[] = []): boolean {
  return type.endsWith('comment') || others.includes(type);
}

/** Whether a call that is at a statement can be there again without another call. */
function isRepeated(first: Node, { loops, hasInlineBlocks }: FunctionGrammar): boolean {
  const statement =
    first.type === 'labeled_statement' ? (first.namedChildren.at(-1) ?? first) : first;
  if (loops?.includes(statement.type) === true) return true;
  if (hasInlineBlocks !== true) return false;
  const { row } = first.startPosition;
  return statement
    .descendantsOfType(['block', 'do_block'])
    .some((block) => block?.childForFieldName('body')?.startPosition.row === row);
}

/** Replaces comments and literals by blanks of the same length. */
function withoutTexts(text: string, matches: readonly Captures[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const captures of matches) {
    const found = captures.get('text');
    if (found === undefined || found.startIndex < from) continue;
    parts.push(
      text.slice(from, found.startIndex),
      blank(text.slice(found.startIndex, found.endIndex)),
    );
    from = found.endIndex;
  }
  return parts.join('') + text.slice(from);
}
