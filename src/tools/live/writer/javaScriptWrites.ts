import { fields, isFields, listOf, textOf, type Fields } from '../../../debugger/protocol';
import {
  endOf,
  isFunctionNode,
  parsedJavaScript,
  startOf,
  typeOf,
  walk,
  type Position,
} from '../../../syntax/javascriptTree';
import { declaringNode, idOf } from './javaScriptScopes';
import { constantOf, readPath, type Key } from './valuePath';
import type { Scope, SourceWrites, Write } from './writes';

/** Methods of the language's own collections that change them. */
const CHANGING: ReadonlySet<string> = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add delete clear append'.split(
    ' ',
  ),
);

/** Functions that change their first argument. */
const CHANGERS: ReadonlySet<string> = new Set([
  ...['assign', 'defineProperty', 'defineProperties'].map((name) => `Object.${name}`),
  ...['set', 'defineProperty', 'deleteProperty'].map((name) => `Reflect.${name}`),
]);

/**
 * Returns the places of a JavaScript or TypeScript file at which variables and objects may change. Returns undefined if
 * the file cannot be parsed.
 */
export function javaScriptWrites(text: string, file: string): SourceWrites | undefined {
  const program = parsedJavaScript(text, file);
  if (program === undefined) return undefined;
  const reader = new Reader(text);
  walk(program, [], (node, parents) => {
    reader.visit(node, parents);
    return true;
  });
  return {
    writes: reader.writes,
    scopeOf: (name, line) => scopeAt(program, name, line, text),
  };
}

/** Returns the writes of a file alone, which can be copied between threads. */
export function writesOfJavaScript(text: string, file: string): SourceWrites['writes'] | undefined {
  return javaScriptWrites(text, file)?.writes;
}

/** Returns the scope of a name at a line of a file (see `SourceWrites.scopeOf`). */
export function javaScriptScope(
  text: string,
  file: string,
  name: string,
  line: number,
): Scope | undefined {
  const program = parsedJavaScript(text, file);
  return program && scopeAt(program, name, line, text);
}

/** Returns the scope of a name at the first code of a line. */
function scopeAt(program: Fields, name: string, line: number, text: string): Scope {
  const code = text.split('\n')[line - 1] ?? '';
  const place = { line, column: code.length - code.trimStart().length + 1 };
  let parents: readonly Fields[] = [program];
  walk(program, [], (node, above) => {
    if (!isInside(node, place)) return false;
    parents = [...above, node];
    return true;
  });
  const found = declaringNode(name, parents);
  const owner = found && functionOf(parents, found);
  if (owner === undefined) return { id: idOf(found), calls: 'single' };
  const entry = owner === parents.findLast(isFunctionNode) ? entryOf(owner) : undefined;
  return { id: idOf(found), calls: entry === undefined ? 'unclear' : 'own', entry };
}

/** Returns the innermost function that contains a node, or is it. */
function functionOf(parents: readonly Fields[], node: Fields): Fields | undefined {
  return parents.slice(0, parents.indexOf(node) + 1).findLast(isFunctionNode);
}

/**
 * Returns the line at which each call of a function begins. Undefined if a call may reach it again, if it is not the
 * first code of its line, or if the call may pause.
 */
function entryOf(owner: Fields): number | undefined {
  const body = fields(owner['body']);
  const first = fields(listOf(body['body'])[0]);
  if (owner['async'] === true || owner['generator'] === true) return undefined;
  if (typeOf(body) !== 'BlockStatement' || !ONCE.test(typeOf(first))) return undefined;
  const { line } = startOf(first);
  return line === startOf(body).line ? undefined : line;
}

const ONCE = /^(?:VariableDeclaration|(?:Expression|If|Return|Try|Switch|Throw)Statement)$/;

function isInside(node: Fields, place: Position): boolean {
  return !isBefore(place, startOf(node)) && isBefore(place, endOf(node));
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

class Reader {
  readonly writes: Write[] = [];
  private readonly lines: readonly string[];

  constructor(private readonly text: string) {
    this.lines = text.split('\n');
  }

  visit(node: Fields, parents: readonly Fields[]): void {
    const around = [...parents, node];
    switch (typeOf(node)) {
      case 'AssignmentExpression':
        this.pattern(fields(node['left']), around);
        break;
      case 'UpdateExpression':
        this.pattern(fields(node['argument']), around);
        break;
      case 'UnaryExpression':
        if (node['operator'] === 'delete') this.pattern(fields(node['argument']), around);
        break;
      case 'VariableDeclarator':
        if (isFields(node['init'])) this.pattern(fields(node['id']), around);
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        this.loop(fields(node['left']), around);
        break;
      case 'ClassProperty':
        if (isFields(node['value']) && node['static'] !== true) this.field(node, around);
        break;
      case 'CallExpression':
      case 'OptionalCallExpression':
        this.call(node, around);
        break;
    }
  }

  private loop(left: Fields, around: readonly Fields[]): void {
    if (typeOf(left) !== 'VariableDeclaration') this.pattern(left, around);
    else
      for (const each of listOf(left['declarations']))
        this.pattern(fields(fields(each)['id']), around);
  }

  private field(node: Fields, around: readonly Fields[]): void {
    const name = textOf(fields(node['key'])['name']);
    if (name === undefined || node['computed'] === true) return;
    const key: Key = { kind: 'attribute', text: name, constant: JSON.stringify(name) };
    this.member('this', key, [...around, fields(node['value'])]);
  }

  /** Adds what an assignment to a pattern changes. */
  private pattern(target: Fields, around: readonly Fields[]): void {
    switch (typeOf(target)) {
      case 'Identifier': {
        const name = textOf(target['name']);
        if (name !== undefined) this.variable(name, around);
        break;
      }
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        this.member(this.source(fields(target['object'])), this.keyOf(target), around);
        break;
      case 'ObjectPattern':
        for (const each of listOf(target['properties'])) {
          const property = fields(each);
          this.pattern(fields(property['value'] ?? property['argument']), around);
        }
        break;
      case 'ArrayPattern':
        for (const each of listOf(target['elements'])) this.pattern(fields(each), around);
        break;
      case 'AssignmentPattern':
        this.pattern(fields(target['left']), around);
        break;
      case 'RestElement':
        this.pattern(fields(target['argument']), around);
        break;
      case 'ParenthesizedExpression':
      case 'TSNonNullExpression':
      case 'TSAsExpression':
        this.pattern(fields(target['expression']), around);
        break;
    }
  }

  private variable(name: string, around: readonly Fields[]): void {
    const found = declaringNode(name, around);
    const owner = found && functionOf(around, found);
    const isInner = owner !== around.findLast(isFunctionNode);
    const place = this.placeOf(around);
    this.writes.push({ kind: 'variable', name, scope: idOf(found), isInner, ...place });
  }

  private call(node: Fields, around: readonly Fields[]): void {
    const callee = fields(node['callee']);
    if (!/^(?:Optional)?MemberExpression$/.test(typeOf(callee)) || callee['computed'] === true)
      return;
    const method = textOf(fields(callee['property'])['name']) ?? '';
    const object = this.source(fields(callee['object']));
    if (CHANGERS.has(`${object}.${method}`)) {
      const [first, second] = listOf(node['arguments']);
      const constant = /^(?:set|defineProperty|deleteProperty)$/.test(method)
        ? constantOf(this.source(fields(second)))
        : undefined;
      const key = constant === undefined ? undefined : keyFor(constant);
      this.member(this.source(fields(first)), key, around);
    } else if (CHANGING.has(method)) this.member(object, undefined, around);
  }

  private keyOf(member: Fields): Key | undefined {
    const property = fields(member['property']);
    const text = this.source(property);
    if (member['computed'] !== true)
      return { kind: 'attribute', text, constant: JSON.stringify(text) };
    const constant = constantOf(text);
    if (constant !== undefined) return keyFor(constant);
    return readPath(text) === undefined ? undefined : { kind: 'element', text, constant };
  }

  private member(receiver: string, key: Key | undefined, around: readonly Fields[]): void {
    const path = readPath(receiver) === undefined ? undefined : receiver.trim();
    this.writes.push({ kind: 'member', receiver: path, key, ...this.placeOf(around) });
  }

  private source(node: Fields): string {
    const [from, to] = [node['start'], node['end']];
    return typeof from === 'number' && typeof to === 'number' ? this.text.slice(from, to) : '';
  }

  /** Returns the place at which the innermost statement begins. */
  private placeOf(around: readonly Fields[]): { line: number; column?: number } {
    const at = around.findLastIndex((node, index) => isStatement(node, around[index - 1]));
    const { line, column } = startOf(around[at] ?? fields(around.at(-1)));
    const isFirst = (this.lines[line - 1] ?? '').slice(0, column - 1).trim() === '';
    return isFirst ? { line } : { line, column };
  }
}

function keyFor(constant: string): Key {
  return { kind: 'element', text: constant, constant };
}

/** Whether V8 stops at the beginning of a node: a statement, or the expression that an arrow function or field has. */
function isStatement(node: Fields, parent: Fields | undefined): boolean {
  const type = typeOf(node);
  if (/Statement$|^VariableDeclaration$/.test(type)) return type !== 'BlockStatement';
  if (parent === undefined) return false;
  if (typeOf(parent) === 'ClassProperty') return parent['value'] === node;
  return typeOf(parent) === 'ArrowFunctionExpression' && parent['body'] === node;
}
