import { parse } from '@babel/parser';

interface Position {
  readonly line: number;
  /** 0-based, as the parser counts. */
  readonly column: number;
}

interface Node {
  readonly type: string;
  readonly loc?: { readonly start: Position; readonly end: Position };
  readonly [property: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'loc' || key.endsWith('Comments')) return [];
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
  });
}

function isFunction({ type }: Node): boolean {
  return (
    /Function|^ObjectMethod$|^ClassMethod$|^ClassPrivateMethod$/.test(type) &&
    type !== 'TSFunctionType'
  );
}

/**
 * Returns the variables that a line uses and that the innermost function around a place has declared before it.
 * @param column 1-based, as stacks have it: a line may begin functions of its own
 */
export function localsOfJavaScript(text: string, line: number, column: number): readonly string[] {
  const file = parse(text, {
    sourceType: 'unambiguous',
    errorRecovery: true,
    allowReturnOutsideFunction: true,
    plugins: ['typescript', 'jsx'],
  });
  if (!isNode(file)) return [];
  const around = innermostFunction(file, { line, column: column - 1 });
  if (around === undefined) return [];
  const declared = new Set<string>();
  collectDeclared(around, line, declared, true);
  const used = new Set<string>();
  collectUsed(around, line, used);
  return [...used].filter((name) => declared.has(name));
}

function contains({ loc }: Node, { line, column }: Position): boolean {
  if (loc === undefined) return true;
  const { start, end } = loc;
  const begins = start.line < line || (start.line === line && start.column <= column);
  return begins && (line < end.line || (line === end.line && column < end.column));
}

function innermostFunction(node: Node, place: Position): Node | undefined {
  for (const child of childrenOf(node)) {
    if (!contains(child, place)) continue;
    const found = innermostFunction(child, place);
    if (found !== undefined) return found;
  }
  return isFunction(node) ? node : undefined;
}

function collectDeclared(node: Node, line: number, names: Set<string>, isTop = false): void {
  if (isTop) for (const parameter of listOf(node['params'])) collectPattern(parameter, names);
  for (const child of childrenOf(node)) {
    const { start, end } = child.loc ?? {};
    if (start !== undefined && start.line > line) continue;
    if (isFunction(child)) continue;
    const isBlock = /^(?:BlockStatement|For\w*Statement|SwitchStatement|CatchClause)$/.test(
      child.type,
    );
    // The variables of a block that ended before the line are gone.
    if (isBlock && end !== undefined && end.line < line) continue;
    if (
      child.type === 'VariableDeclarator' &&
      (end?.line ?? line) < line &&
      !isFunctionValue(child)
    )
      collectPattern(child['id'], names);
    if (/^For(?:Of|In)Statement$/.test(child.type) && isNode(child['left']))
      for (const declarator of listOf(child['left']['declarations']))
        if (isNode(declarator)) collectPattern(declarator['id'], names);
    collectDeclared(child, line, names);
  }
}

/** Functions and classes do not help to explain a failure, and may be left out. */
function isFunctionValue({ init }: Node): boolean {
  return isNode(init) && (isFunction(init) || init.type === 'ClassExpression');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function collectPattern(pattern: unknown, names: Set<string>): void {
  if (!isNode(pattern)) return;
  switch (pattern.type) {
    case 'Identifier':
      names.add(String(pattern['name']));
      break;
    case 'ObjectProperty':
      collectPattern(pattern['value'], names);
      break;
    case 'AssignmentPattern':
      collectPattern(pattern['left'], names);
      break;
    case 'ObjectPattern':
    case 'ArrayPattern':
    case 'RestElement':
      for (const child of childrenOf(pattern)) collectPattern(child, names);
  }
}

function collectUsed(node: Node, line: number, names: Set<string>): void {
  for (const child of childrenOf(node)) {
    const { start, end } = child.loc ?? {};
    if (start !== undefined && end !== undefined && (start.line > line || end.line < line))
      continue;
    const isKey =
      (/^(?:Optional)?MemberExpression$/.test(node.type) &&
        node['property'] === child &&
        node['computed'] !== true) ||
      (node.type === 'ObjectProperty' &&
        node['key'] === child &&
        node['computed'] !== true &&
        node['shorthand'] !== true);
    if (child.type === 'Identifier' && start?.line === line && !isKey)
      names.add(String(child['name']));
    if (!isFunction(child)) collectUsed(child, line, names);
  }
}
