import { lineCounter, maskText, PYTHON } from '../../../testing/scan/maskText';
import { CHANGERS, CHANGING, ownerOfDictionary } from './pythonChangers';
import { Scopes } from './pythonScopes';
import { constantOf, readPath, type Key } from './valuePath';
import type { SourceWrites, Write } from './writes';

const HEADER = /^(?:async\s+)?(?:if|elif|else|for|while|with|try|except|finally|def|class)\b/;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** A part of the text. */
interface Part {
  readonly from: number;
  readonly to: number;
}

type Raw =
  | { readonly kind: 'variable'; readonly name: string; readonly at: number }
  | {
      readonly kind: 'member';
      readonly receiver: string | undefined;
      readonly key: Key | undefined;
      readonly at: number;
    };

/** Returns the places of a Python file at which variables and objects may change. */
export function pythonWrites(text: string): SourceWrites {
  const reader = new Reader(text);
  const lineOf = lineCounter(text);
  const scopes = new Scopes(text);
  for (const { kind, name, at } of reader.declared) scopes.declare(kind, name, lineOf(at));
  for (const raw of reader.raw)
    if (raw.kind === 'variable') scopes.assign(raw.name, lineOf(raw.at));
  const writes = reader.raw.flatMap((raw): readonly Write[] => {
    const line = lineOf(raw.at);
    if (raw.kind === 'member')
      return [{ kind: 'member', line, receiver: raw.receiver, key: raw.key }];
    if (scopes.isInClass(line)) return [];
    const { id, isInner } = scopes.of(raw.name, line);
    return [{ kind: 'variable', line, name: raw.name, scope: id, isInner }];
  });
  return { writes, scopeOf: (name, line) => scopes.of(name, line) };
}

class Reader {
  readonly raw: Raw[] = [];
  readonly declared: {
    readonly kind: 'global' | 'nonlocal';
    readonly name: string;
    readonly at: number;
  }[] = [];
  private readonly masked: string;

  constructor(private readonly text: string) {
    this.masked = maskText(text, PYTHON);
    for (const part of this.statements()) this.statement(part, part.from);
  }

  /** The logical lines, and the statements that semicolons separate. */
  private *statements(): Generator<Part> {
    let from = 0;
    let depth = 0;
    for (let at = 0; at <= this.masked.length; at += 1) {
      const sign = this.masked.charAt(at);
      if ('([{'.includes(sign) && sign !== '') depth += 1;
      else if (')]}'.includes(sign) && sign !== '') depth = Math.max(0, depth - 1);
      const isEnd = sign === '' || (sign === '\n' && this.masked.charAt(at - 1) !== '\\');
      if (!(isEnd && (depth === 0 || sign === '')) && !(sign === ';' && depth === 0)) continue;
      const part = this.trimmed({ from, to: at });
      if (part.from < part.to) yield part;
      from = at + 1;
    }
  }

  private trimmed({ from, to }: Part): Part {
    let [start, end] = [from, to];
    while (start < end && /[\s\\]/.test(this.masked.charAt(start))) start += 1;
    while (end > start && /[\s\\]/.test(this.masked.charAt(end - 1))) end -= 1;
    return { from: start, to: end };
  }

  private slice({ from, to }: Part): string {
    return this.masked.slice(from, to);
  }

  /** @param at the beginning of the line at which a breakpoint is reached */
  private statement(part: Part, at: number): void {
    const code = this.slice(part);
    const colon = HEADER.test(code) ? this.find(part, ':') : undefined;
    if (colon !== undefined) {
      const head = { from: part.from, to: colon };
      this.head(head, at);
      this.calls(head, at);
      const rest = this.trimmed({ from: colon + 1, to: part.to });
      if (rest.from < rest.to) this.statement(rest, at);
      return;
    }
    this.calls(part, at);
    const [keyword = ''] =
      /^(?:del|import|from|global|nonlocal|return|raise|assert|yield)\b/.exec(code) ?? [];
    const rest = this.trimmed({ from: part.from + keyword.length, to: part.to });
    if (keyword === 'del') this.targets(rest, at);
    else if (keyword === 'import' || keyword === 'from') this.imports(code, at);
    else if (keyword === 'global' || keyword === 'nonlocal')
      for (const name of this.slice(rest).split(','))
        this.declared.push({ kind: keyword, name: name.trim(), at });
    else if (keyword === '') this.assignment(part, at);
  }

  private head(head: Part, at: number): void {
    const code = this.slice(head);
    const loop = /^(?:async\s+)?for\b/.exec(code);
    if (loop !== null) {
      const end = /\sin\s/.exec(code)?.index;
      if (end !== undefined)
        this.targets(this.trimmed({ from: head.from + loop[0].length, to: head.from + end }), at);
      return;
    }
    if (!/^(?:async\s+)?(?:with|except)\b/.test(code)) return;
    for (const { index } of code.matchAll(/\sas\s/g)) {
      const from = head.from + index + 4;
      const comma = this.find({ from, to: head.to }, ',');
      this.targets(this.trimmed({ from, to: comma ?? head.to }), at);
    }
  }

  private imports(code: string, at: number): void {
    const names = code.replace(/^from\b.*?\bimport\b|^import\b/s, '').replace(/[()]/g, ' ');
    for (const each of names.split(',')) {
      const [first = '', as, alias] = each.trim().split(/\s+/);
      const name = as === 'as' ? (alias ?? '') : (first.split('.')[0] ?? '');
      if (NAME.test(name)) this.raw.push({ kind: 'variable', name, at });
    }
  }

  private assignment(part: Part, at: number): void {
    let { from } = part;
    let depth = 0;
    for (let place = part.from; place < part.to; place += 1) {
      const sign = this.masked.charAt(place);
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth -= 1;
      if (sign !== '=' || depth !== 0) continue;
      const before = this.masked.slice(Math.max(part.from, place - 2), place);
      if (this.masked.charAt(place + 1) === '=' || /(?:[=!]|(?<![<>])[<>])$/.test(before)) {
        place += 1;
        continue;
      }
      const to =
        place -
        (/(?:\*\*|\/\/|<<|>>)$/.exec(before)?.[0].length ?? (/[-+*/%&|^@]$/.test(before) ? 1 : 0));
      const target = { from, to };
      const type = this.find(target, ':');
      this.targets(this.trimmed({ from, to: type ?? to }), at);
      // A list is extended in place, whatever other names it has.
      if (to < place) this.add(this.text.slice(from, to), undefined, at);
      from = place + 1;
    }
  }

  /** Adds the targets of an assignment. */
  private targets(part: Part, at: number): void {
    const bare = this.trimmed(
      this.masked.charAt(part.from) === '*' ? { from: part.from + 1, to: part.to } : part,
    );
    if (bare.from >= bare.to) return;
    const comma = this.find(bare, ',');
    if (comma !== undefined) {
      this.targets(this.trimmed({ from: bare.from, to: comma }), at);
      this.targets(this.trimmed({ from: comma + 1, to: bare.to }), at);
      return;
    }
    const code = this.slice(bare);
    if (/^[([].*[)\]]$/s.test(code)) {
      this.targets(this.trimmed({ from: bare.from + 1, to: bare.to - 1 }), at);
      return;
    }
    if (NAME.test(code)) this.raw.push({ kind: 'variable', name: code, at });
    else this.member(bare, at);
  }

  private member(part: Part, at: number): void {
    const code = this.slice(part);
    const open = code.endsWith(']') ? this.openOf(part.to - 1) : undefined;
    const dot = /\.\s*([\p{L}_][\p{L}\p{N}_]*)$/u.exec(code);
    if (open !== undefined) {
      const index = this.text.slice(open + 1, part.to - 1);
      const receiver = this.text.slice(part.from, open);
      const constant = constantOf(index);
      const isPath = constant !== undefined || readPath(index) !== undefined;
      const key = isPath ? ({ kind: 'element', text: index.trim(), constant } as const) : undefined;
      this.add(receiver, key, at);
    } else if (dot?.[1] !== undefined) {
      const [, text] = dot;
      const receiver = this.text.slice(part.from, part.from + dot.index);
      this.add(receiver, { kind: 'attribute', text, constant: JSON.stringify(text) }, at);
    }
  }

  private add(receiver: string, key: Key | undefined, at: number): void {
    const path = readPath(receiver) === undefined ? undefined : receiver.trim();
    const owner = ownerOfDictionary(receiver);
    const isOwned = owner !== undefined && readPath(owner) !== undefined;
    if (path !== undefined || !isOwned) this.raw.push({ kind: 'member', receiver: path, key, at });
    if (!isOwned) return;
    const attribute = key === undefined ? undefined : ({ ...key, kind: 'attribute' } as const);
    this.raw.push({ kind: 'member', receiver: owner, key: attribute, at });
  }

  /** Adds the calls in a part that change an object, and the assignments in expressions. */
  private calls(part: Part, at: number): void {
    const code = this.slice(part);
    for (const { index, 1: name = '' } of code.matchAll(/\.([a-z_]{1,40})\s{0,20}\(/g))
      if (CHANGING.has(name))
        this.add(this.pathBefore(part.from + index, part.from), undefined, at);
    for (const { index, 0: call } of code.matchAll(CHANGERS)) this.changer(part, index, call, at);
    for (const { 1: name = '' } of code.matchAll(/(?<![\w.])([A-Za-z_]\w{0,100})\s{0,20}:=/g))
      this.raw.push({ kind: 'variable', name, at });
  }

  private changer(part: Part, index: number, call: string, at: number): void {
    const from = part.from + index + call.length;
    const end = this.find({ from, to: part.to }, ',') ?? this.closeOf(from, part.to);
    const receiver = this.text.slice(from, end);
    const second = this.text.slice(
      end + 1,
      this.find({ from: end + 1, to: part.to }, ',') ?? part.to,
    );
    const constant = /attr/.test(call) ? constantOf(second) : undefined;
    const key =
      constant === undefined
        ? undefined
        : ({ kind: 'attribute', text: constant.slice(1, -1), constant } as const);
    this.add(receiver, key, at);
  }

  /** Returns the path that ends at a position, or a text that is none. */
  private pathBefore(end: number, least: number): string {
    const call = /(?<![\w.])vars\s{0,20}\([^()]{1,100}\)$/.exec(this.masked.slice(least, end));
    if (call !== null) return this.text.slice(least + call.index, end);
    let at = end;
    for (;;) {
      if (this.masked.charAt(at - 1) === ']') {
        const open = this.openOf(at - 1);
        if (open === undefined || open < least) return '';
        at = open;
        continue;
      }
      const before = at;
      while (at > least && /[\p{L}\p{N}_]/u.test(this.masked.charAt(at - 1))) at -= 1;
      if (at === before) return '';
      if (at <= least || this.masked.charAt(at - 1) !== '.') return this.text.slice(at, end);
      at -= 1;
    }
  }

  /** Returns the first place of a sign in a part that is in no brackets. A walrus is no colon. */
  private find({ from, to }: Part, wanted: string): number | undefined {
    let depth = 0;
    for (let at = from; at < to; at += 1) {
      const sign = this.masked.charAt(at);
      if (sign === wanted && depth === 0 && !(sign === ':' && this.masked.charAt(at + 1) === '='))
        return at;
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth -= 1;
      if (depth < 0) return undefined;
    }
    return undefined;
  }

  private closeOf(from: number, to: number): number {
    let depth = 0;
    for (let at = from; at < to; at += 1) {
      const sign = this.masked.charAt(at);
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth -= 1;
      if (depth < 0) return at;
    }
    return to;
  }

  private openOf(close: number): number | undefined {
    let depth = 0;
    for (let at = close; at >= 0; at -= 1) {
      const sign = this.masked.charAt(at);
      if (sign === ']' || sign === ')') depth += 1;
      else if (sign === '[' || sign === '(') depth -= 1;
      if (depth === 0) return at;
      if (sign === '\n') return undefined;
    }
    return undefined;
  }
}
