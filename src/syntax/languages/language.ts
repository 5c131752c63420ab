import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '../grammars';

/**
 * How the functions of a language are found. The captures of its query:
 * - `@scope`: the block of a class or namespace, with its name as `@owner`.
 * - `@function`: a function with a body, with `@name`, `@parameters` and `@body`. In C++, `@declarator` contains the
 *   name and the parameters. `@receiver` is the list of a Go method's receiver.
 * - `@tokens`: the argument of a macro, which is not parsed. Functions in it are found by a second parse.
 * - `@text`: a comment, or a literal that is no code.
 */
export interface FunctionGrammar extends Grammar {
  /** Changes a text before it is parsed. Its length and its lines stay the same. */
  readonly prepare?: (text: string) => string;
  /** Whether each call reaches a breakpoint on the line of a function's name exactly once. */
  readonly entersAtHeader: boolean;
  /** Whether a call gets copies of structs. The caller does not see changes to a copy. */
  readonly copiesArguments?: boolean;
  /** The nodes at the beginning of a body at which a call does not stop. Comments are among them for every language. */
  readonly noStatements?: readonly string[];
  /** The statements at which each round of a loop stops again. */
  readonly loops?: readonly string[];
  /** Whether a statement can be in the same line as its block, whose calls stop there, too (Ruby). */
  readonly hasInlineBlocks?: boolean;
  /** The nodes that are names of parameters. */
  readonly names: readonly string[];
  /** Whether one type can have several names, all in front of it (Go). */
  readonly hasSeveralNames?: boolean;
  /** Parameters that have no name node, such as Rust's `&self`, and their names. */
  readonly unnamed?: Readonly<Record<string, string>>;
}

/** The fields that lead from a parameter or a declarator to its name. */
const TO_NAME = ['declarator', 'pattern', 'name'] as const;

/** The nodes that lead to a name without a field. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'array_declarator',
  'attributed_declarator',
  'mut_pattern',
  'parenthesized_declarator',
  'pointer_declarator',
  'ref_pattern',
  'reference_declarator',
  'reference_pattern',
  'spread_parameter',
  'variable_declarator',
  'variadic_declarator',
]);

/** Visits the nodes that lead from a parameter or a declarator to its name, with the first one. */
export function* towardsName(from: Node): Generator<Node> {
  let node: Node | null = from;
  for (let depth = 0; node !== null && depth < MAX_DEPTH; depth += 1) {
    yield node;
    node = innerOf(node);
  }
}

const MAX_DEPTH = 30;

function innerOf(node: Node): Node | null {
  for (const field of TO_NAME) {
    const inner = node.childForFieldName(field);
    if (inner !== null) return inner;
  }
  return WRAPPERS.has(node.type) ? (node.namedChildren.at(-1) ?? null) : null;
}
