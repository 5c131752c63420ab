import type { Parameter } from '../callModel';
import { listedNames } from './parameters';
import { pythonYields } from './pythonYields';
import type { SourceFunction } from './sourceFunction';

const HEADER = /^(\s*)(async\s+)?def\s+([\p{L}_][\p{L}\p{N}_]*)/u;
const CLASS = /^(\s*)class\s+([\p{L}_][\p{L}\p{N}_]*)/u;
const TEXT = /[rbuf]{0,2}("""|'''|"|')/iy;

/** Returns the functions of a Python file. They are found by the indentation. */
export function pythonFunctions(text: string): readonly SourceFunction[] {
  const lines = text.split(/\r\n|\r|\n/);
  const code = withoutTexts(text).split(/\r\n|\r|\n/);
  const functions: SourceFunction[] = [];
  code.forEach((line, index) => {
    const [, indent = '', isAsync, name = ''] = HEADER.exec(line) ?? [];
    if (name === '') return;
    const close = signatureEnd(code, index);
    const end = blockEnd(code, close, indent.length);
    const onOneLine = /:\s*\S/.test(afterSignature(code, index, close));
    const first = onOneLine ? close : firstStatement(lines, code, close + 1, end);
    const body = code.slice(first, end + 1);
    const generator = yields(body, index, code) ? 'generator' : undefined;
    functions.push({
      name,
      container: containerOf(code, index, indent.length),
      start: index + 1,
      end: end + 1,
      entry: { line: firstExecuted(code, first, end) + 1 },
      entryRepeats: /^\s*(?:async\s+)?(?:for|while)\b/.test(code[first] ?? ''),
      parameters: parametersOf(code.slice(index, close + 1).join('\n')),
      suspends: isAsync === undefined ? generator : 'async',
      yields: pythonYields(lines, code, index, end),
    });
  });
  return functions;
}

/** Returns the text with comments and the contents of string literals replaced by blanks. The length stays the same. */
function withoutTexts(text: string): string {
  let code = '';
  for (let at = 0; at < text.length;) {
    const end = text[at] === '#' ? lineEnd(text, at) : textEnd(text, at);
    if (end === at) {
      code += text.charAt(at);
      at += 1;
    } else {
      // A string literal is a value, so a character stays in its place.
      code += (text[at] === '#' ? ' ' : '_') + text.slice(at + 1, end).replace(/[^\r\n]/g, ' ');
      at = end;
    }
  }
  return code;
}

function lineEnd(text: string, at: number): number {
  const end = text.slice(at).search(/[\r\n]/);
  return end < 0 ? text.length : at + end;
}

/** Returns the end of a string literal that begins at this offset. Returns `at` if none begins there. */
function textEnd(text: string, at: number): number {
  if (/[\p{L}\p{N}_]/u.test(text[at - 1] ?? '')) return at;
  TEXT.lastIndex = at;
  const quotes = TEXT.exec(text)?.[1];
  if (quotes === undefined) return at;
  for (let end = TEXT.lastIndex; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text.startsWith(quotes, end)) return end + quotes.length;
    else if (quotes.length === 1 && /[\r\n]/.test(text[end] ?? '')) return end;
  }
  return text.length;
}

/** Returns the line on which a signature ends, for a signature that begins on the line `from`. */
function signatureEnd(code: readonly string[], from: number): number {
  let depth = 0;
  for (let line = from; line < code.length; line += 1) {
    for (const sign of code[line] ?? '') {
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth -= 1;
      else if (sign === ':' && depth === 0) return line;
    }
  }
  return from;
}

function afterSignature(code: readonly string[], from: number, close: number): string {
  const signature = code.slice(from, close + 1).join(' ');
  let depth = 0;
  for (let at = 0; at < signature.length; at += 1) {
    const sign = signature[at] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    else if (sign === ':' && depth === 0) return signature.slice(at);
  }
  return '';
}

/** Returns the last line of a block that is indented more deeply than its header. */
function blockEnd(code: readonly string[], header: number, indent: number): number {
  let end = header;
  for (let line = header + 1; line < code.length; line += 1) {
    const text = code[line] ?? '';
    if (text.trim() === '') continue;
    if (indentOf(text) <= indent) break;
    end = line;
  }
  return end;
}

/**
 * Returns the line of the first statement that is executed. Docstrings, comments and declarations of global names are
 * not executed.
 */
function firstStatement(
  lines: readonly string[],
  code: readonly string[],
  from: number,
  end: number,
): number {
  for (let line = from; line <= end; line += 1) {
    if (/^\s*(?:$|(?:global|nonlocal)\b)/.test(code[line] ?? '')) continue;
    const isText =
      /^\s*[rbu]{0,2}["']/i.test(lines[line] ?? '') && (code[line] ?? '').trim() === '_';
    const hasMore = code.slice(line + 1, end + 1).some((text) => text.trim() !== '');
    if (!isText || !hasMore) return line;
  }
  return from;
}

/** Matches a line that only opens brackets, after a keyword or the target of an assignment. */
const OPENS =
  /^\s*(?:(?:return|assert|yield|await|not|if|elif|while|in)\b\s*|[\p{L}_][\p{L}\p{N}_.]*\s*(?::[^=]*)?[+\-*/|&]?=\s*)*[([{]+\s*$/u;

/**
 * Returns the line of a statement that is executed first. If the statement begins with an open bracket, it is the line
 * of the first operand in it, except for a comprehension, whose code is created on the statement's line.
 */
function firstExecuted(code: readonly string[], statement: number, end: number): number {
  if (!OPENS.test(code[statement] ?? '')) return statement;
  const close = bracketsEnd(code, statement, end);
  if (code.slice(statement, close + 1).some((line) => /\bfor\b/.test(line))) return statement;
  for (let line = statement + 1; line <= close; line += 1)
    if (!/^[\s([{]*$/.test(code[line] ?? ''))
      return /^\s*[)\]}]/.test(code[line] ?? '') ? statement : line;
  return statement;
}

/** Returns the line on which the brackets close that a line opens. */
function bracketsEnd(code: readonly string[], from: number, end: number): number {
  let depth = 0;
  for (let line = from; line <= end; line += 1) {
    for (const sign of code[line] ?? '')
      if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth -= 1;
    if (depth === 0) return line;
  }
  return from;
}

function yields(body: readonly string[], header: number, code: readonly string[]): boolean {
  const inner = body.findIndex((line) => HEADER.test(line) && line !== code[header]);
  return (inner < 0 ? body : body.slice(0, inner)).some((line) => /\byield\b/.test(line));
}

function containerOf(code: readonly string[], index: number, indent: number): string | undefined {
  let own = indent;
  for (let line = index - 1; line >= 0 && own > 0; line -= 1) {
    const text = code[line] ?? '';
    // The last line of a multi-line signature has the same indentation as its first line.
    if (/^\s*(?:$|[)\]}])/.test(text) || indentOf(text) >= own) continue;
    own = indentOf(text);
    const name = CLASS.exec(text)?.[2] ?? HEADER.exec(text)?.[3];
    if (name !== undefined) return name;
  }
  return undefined;
}

function indentOf(text: string): number {
  return (/^\s*/.exec(text)?.[0] ?? '').length;
}

function parametersOf(signature: string): readonly Parameter[] {
  return listedNames(signature).flatMap((entry) => {
    const [, stars, name] = /^(\**)\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(entry) ?? [];
    if (name === undefined) return [];
    return stars === '' ? [{ name }] : [{ name, isCollected: true }];
  });
}
