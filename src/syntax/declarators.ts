import type { Node } from '@vscode/tree-sitter-wasm';
import { towardsName, type FunctionGrammar } from './languages/language';
import { partsOf } from './names';

export interface DeclaredParameter {
  readonly name: string;
  readonly isReference?: true;
}

interface Head {
  readonly name: string;
  readonly container: string | undefined;
  /** The offset and the line of the name. */
  readonly at: number;
  readonly line: number;
}

type Captures = ReadonlyMap<string, Node>;

/** Returns the name of a function from the captures of its query. */
export function declared(captures: Captures): Head | undefined {
  const declarator = captures.get('declarator');
  if (declarator !== undefined) return declaredBy(declarator);
  const name = captures.get('name');
  if (name === undefined) return undefined;
  const isDestructor = captures.get('function')?.type === 'destructor_declaration';
  const receiver = captures.get('receiver') ?? captures.get('object');
  return {
    name: `${isDestructor ? '~' : ''}${name.text}`,
    container: receiver === undefined ? undefined : ownerOf(receiver),
    ...placeOf(name),
  };
}

function placeOf({ startIndex, startPosition }: Node): Pick<Head, 'at' | 'line'> {
  return { at: startIndex, line: startPosition.row + 1 };
}

/** Returns the type of a Go receiver, such as `Cart` of `(c *Cart[T])`; or the object of a method in Ruby. */
function ownerOf(receiver: Node): string | undefined {
  if (receiver.type === 'self') return undefined;
  if (receiver.type !== 'parameter_list') return receiver.text;
  return receiver.descendantsOfType('type_identifier')[0]?.text;
}

/** Reads a declarator of C++, such as `*shop::Cart::total(int tax)`. */
function declaredBy(declarator: Node): Head | undefined {
  const path = [...towardsName(declarator)];
  const cast = path.find(({ type }) => type === 'operator_cast');
  const own = cast ?? path.at(-1);
  const first = path.find(({ type }) => type === 'qualified_identifier') ?? own;
  if (own === undefined || first === undefined || listOf(path) === undefined) return undefined;
  const scopes = path.flatMap((node) =>
    node.type === 'qualified_identifier' ? (node.childForFieldName('scope')?.text ?? []) : [],
  );
  return {
    name: nameOf(own),
    container: scopes.flatMap(partsOf).at(-1),
    ...placeOf(first),
  };
}

function nameOf(own: Node): string {
  if (own.type === 'operator_cast')
    return `operator ${own.childForFieldName('type')?.text ?? ''}`.trim();
  if (own.type === 'operator_name') return own.text.replace(/\s+(?=\W)/g, '');
  return own.text.replace(/\s/g, '');
}

/** Returns the list of parameters of the function that is declared: the last one on the way to its name. */
function listOf(path: readonly Node[]): Node | undefined {
  const list = path.findLast(({ type }) => type.endsWith('function_declarator'));
  return list?.childForFieldName('parameters') ?? undefined;
}

/** Returns the named parameters of a function, with its receiver first. */
export function parametersOf(
  captures: Captures,
  grammar: FunctionGrammar,
): readonly DeclaredParameter[] {
  const declarator = captures.get('declarator');
  const list =
    declarator === undefined ? captures.get('parameters') : listOf([...towardsName(declarator)]);
  return [captures.get('receiver'), list].flatMap((each) =>
    (each?.namedChildren ?? []).flatMap((child) =>
      child === null ? [] : parametersIn(child, grammar),
    ),
  );
}

/** Returns the parameters of one entry of a list. */
function parametersIn(
  entry: Node,
  { names, unnamed, hasSeveralNames }: FunctionGrammar,
): readonly DeclaredParameter[] {
  const fixed = unnamed?.[entry.type];
  if (fixed !== undefined) return [{ name: fixed }];
  if (names.includes(entry.type)) return [{ name: entry.text }];
  if (hasSeveralNames === true) return severalIn(entry, names);
  const path = [...towardsName(entry)];
  const name = path.at(-1);
  if (name === undefined || !names.includes(name.type)) return [];
  const isReference = path.some(({ type }) => type === 'reference_declarator');
  return [{ name: name.text, ...(isReference && { isReference }) }];
}

/** Returns the names that share one type. The grammar takes the first of ten or more names for types without names. */
function severalIn(entry: Node, names: readonly string[]): readonly DeclaredParameter[] {
  const children = entry.namedChildren.filter((child) => child !== null);
  const own = children.filter(({ type }) => names.includes(type));
  const isName = own.length === 0 && children[0]?.type === 'type_identifier' && hasNames(entry);
  return (isName ? children : own).map(({ text }) => ({ name: text }));
}

/** Whether a later entry of the list has names. Either all have them, or none. */
function hasNames(entry: Node): boolean {
  for (let next = entry.nextNamedSibling; next !== null; next = next.nextNamedSibling)
    if (next.childForFieldName('name') !== null) return true;
  return false;
}
