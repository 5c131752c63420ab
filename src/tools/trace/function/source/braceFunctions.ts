import { shortPattern } from '../../../../util/shortPattern';
import type { Parameter } from '../callModel';
import { listedNames } from './parameters';
import { lineFinder, type SourceBody } from './sourceBody';
import type { SourceFunction } from './sourceFunction';

/** The function syntax of a language with braces. */
export interface BraceLanguage {
  /** Whether each call reaches a breakpoint on the line of a function's name exactly once. */
  readonly entersAtHeader: boolean;
  /** Whether a parameter's name precedes its type. */
  readonly namesFirst: boolean;
  /** The keyword before each function's name, in languages that have one. */
  readonly keyword?: 'func' | 'fn' | 'fun' | 'function';
  /** Whether a call gets copies of structs. The caller does not see changes to a copy. */
  readonly copiesArguments?: boolean;
  /** Reads additional data from a body. */
  readonly body?: (
    body: SourceBody,
  ) => Pick<
    SourceFunction,
    'locals' | 'returns' | 'results' | 'hasUnreadReturns' | 'loops' | 'deferred' | 'calls'
  >;
}

/**
 * Matches headers of blocks that are not functions. A function may return a struct (`struct node *make(int value) {`).
 * In a language with a keyword before functions, other words may be names (`func loop()`).
 */
const NO_FUNCTION =
  /(?:^|[^\w])(?:(?:if|for|while|switch|catch|do|else|try|namespace|interface|return|synchronized|new)\b|(?:class|struct|enum|union)\b(?!\s+[\w:]+(?:\s*[*&]+\s*|\s+)[\w:~]+\s*\())/;
/** Matches the header of a class or namespace, and its name. `impl Shape for Square` has the functions of a `Square`. */
const OWNER =
  /(?:^|[^\w])(?:class|struct|union|interface|namespace|record|object|trait|mod|impl(?:\s*<[^{}]{0,100}?>)?(?:\s[\w:<>,\s]{1,100}?\sfor)?)\s+(?:\[\[[^\]]{0,200}\]\]\s*)?([\p{L}_][\p{L}\p{N}_:.]*)/u;
/** Matches a name and its type parameters at the end of a text. */
const NAME = shortPattern(
  /(?<![\p{L}\p{N}_~])([\p{L}_~][\p{L}\p{N}_]*(?:\s*(?:::|\.)\s*~?[\p{L}_][\p{L}\p{N}_]*)*)\s*(?:<[^<>()]*>|\[[^()]*\])?$/u,
);
const RECEIVER = shortPattern(/(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?$/u);
const DECLARED = shortPattern(/(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\]\s*)*$/u);
const GO_METHOD = /^\s*func\s*\(([^()]*)\)\s*([\p{L}_][\p{L}\p{N}_]*)/u;

/**
 * Returns the functions of a file whose blocks have braces. The parser does not read types. It omits what it does not
 * understand.
 */
export function braceFunctions(text: string, language: BraceLanguage): readonly SourceFunction[] {
  const code = withoutTexts(text);
  const lineOf = lineFinder(code);
  const functions: SourceFunction[] = [];
  const open: { at: number; header: Header | undefined; owner?: string; next?: number }[] = [];
  let from = 0;
  for (let at = 0; at < code.length; at += 1) {
    const sign = code[at];
    if (sign === '{') {
      const begin = Math.max(from, at - MAX_OF_A_HEADER);
      const header = withoutTemplateHeads(code.slice(begin, at), language);
      if (isInitializer(header)) {
        open.push({ at, header: undefined, next: from });
        continue;
      }
      // Braces in an argument, such as an initializer or a lambda. The enclosing statement continues after them.
      const isArgument = count(header, '(') > count(header, ')');
      if (isArgument) open.push({ at, header: undefined, next: from });
      else open.push({ at, header: headerOf(header, begin, language), ...ownerOf(header) });
      from = at + 1;
    } else if (sign === '}') {
      const block = open.pop();
      if (block?.header !== undefined) {
        const found = functionOf({ code, text, lineOf }, block.header, block.at, at, language);
        const owners = open.flatMap(({ owner }) => owner ?? []);
        functions.push(owners.length === 0 ? found : { ...found, owners });
      }
      from = block?.next ?? at + 1;
    } else if (sign === ';') from = at + 1;
  }
  return functions.sort((one, other) => one.start - other.start);
}

/** Returns the name of the class or namespace whose block a header begins. */
function ownerOf(header: string): { readonly owner?: string } {
  const owner = OWNER.exec(header)?.[1]?.split(/::|\./).at(-1);
  return owner === undefined ? {} : { owner };
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** Whether the brace after a header begins the value of a member, before the body of a C++ constructor. */
function isInitializer(header: string): boolean {
  if (!/[\w>]/.test(header.at(-1) ?? '')) return false;
  const from = Math.max(...['{', '}', ';'].map((sign) => header.lastIndexOf(sign)));
  return /\)[^()]*:(?!:)/.test(header.slice(from + 1));
}

/** Whether a header up to the `(` of its list begins a block that is not a function. */
function isOtherBlock(header: string): boolean {
  return header.split(/(?<=[()])/).some((part) => !part.endsWith(')') && NO_FUNCTION.test(part));
}

/** Whether a name follows a text in an expression. A type may also end with `&`, as in `int &first() {`. */
function isInExpression(before: string): boolean {
  const text = before.trimEnd();
  const last = text.at(-1) ?? ' ';
  if (last !== '&') return '=.,|!?+'.includes(last);
  const assigned = text.lastIndexOf('=') > Math.max(text.lastIndexOf('<'), text.lastIndexOf('>'));
  return assigned || /(?:^|[^\w>*&\s])\s*&{1,2}$/.test(text);
}

const MAX_OF_A_HEADER = 2000;

interface Header {
  readonly name: string;
  readonly container: string | undefined;
  readonly parameters: readonly Parameter[];
  /** The offset of the name. */
  readonly at: number;
}

function headerOf(text: string, start: number, language: BraceLanguage): Header | undefined {
  const [header, from] = withoutLists(text, start, language);
  const method = GO_METHOD.exec(header);
  const first = method === null ? firstList(header) : header.indexOf('(', method[0].length);
  // `operator()(int x)`: the first pair of parentheses is the name.
  const call = language.keyword === undefined ? CALL_OPERATOR.exec(header) : null;
  const isCall = call !== null && call.index + call[0].indexOf('(') === first;
  const list = isCall ? header.indexOf('(', call.index + call[0].length) : first;
  if (list < 0) return undefined;
  const name = isCall ? call : NAME.atEnd(header.slice(0, list).trimEnd());
  const whole = name?.[1]?.replace(/\s/g, '');
  if (whole === undefined || name === null) return undefined;
  const before = header.slice(0, name.index);
  const { keyword } = language;
  const isFunction =
    keyword === undefined
      ? !isOtherBlock(header.slice(0, list + 1)) && !isInExpression(before)
      : endsWithWord(before, keyword);
  if (method === null && !isFunction) return undefined;
  const parts = whole.split(/::|\./);
  const receiver = RECEIVER.atEnd((method?.[1] ?? '').trimEnd())?.[1];
  return {
    name: parts.at(-1) ?? whole,
    container: receiver ?? parts.at(-2),
    parameters: [
      ...(method === null ? [] : parametersIn(`(${method[1] ?? ''})`, language)),
      ...parametersIn(header.slice(list), language),
    ],
    at: from + name.index,
  };
}

/** Matches the name of the operator for calls, with the name of its class. */
const CALL_OPERATOR = /(?<![\w:])((?:\w{1,200}::){0,9}operator\s*\(\s*\))(?=\s*\()/;

/** The same text, with blanks instead of the heads of templates, which may contain classes, calls and comparisons. */
function withoutTemplateHeads(header: string, { keyword }: BraceLanguage): string {
  if (keyword !== undefined || !header.includes('template')) return header;
  let [shown, from] = ['', 0];
  for (const { index, 0: begin } of header.matchAll(/\btemplate\s*</g)) {
    if (index < from) continue;
    const end = endOfTemplateHead(header, index + begin.length);
    if (end === undefined) break;
    shown += header.slice(from, index) + header.slice(index, end).replace(/[^\n]/g, ' ');
    from = end;
  }
  return shown + header.slice(from);
}

/** Returns the offset behind the `>` of a template head. A `>` in parentheses compares. */
function endOfTemplateHead(header: string, from: number): number | undefined {
  let [angles, parentheses] = [1, 0];
  for (let at = from; at < header.length; at += 1) {
    const sign = header[at];
    if (sign === '(') parentheses += 1;
    else if (sign === ')') parentheses -= 1;
    else if (parentheses > 0) continue;
    else if (sign === '<') angles += 1;
    else if (sign === '>' && header[at - 1] !== '-') angles -= 1;
    if (angles === 0) return at + 1;
  }
  return undefined;
}

/** Matches lists in brackets before a function that are not its parameters. */
const OTHER_LISTS =
  /\b(?:__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|(?:__declspec|alignas|pub)\s*\([^()]*\))/g;

/**
 * Leaves out the lists before a function: attributes, visibility, and the declarations of a Go file, which end without a
 * sign. @returns the header, and its offset
 */
function withoutLists(
  text: string,
  start: number,
  { keyword }: BraceLanguage,
): readonly [header: string, from: number] {
  const header = text.replace(OTHER_LISTS, (list) => ' '.repeat(list.length));
  if (keyword !== 'func') return [header, start];
  // The declaration of a type may follow a function without a body.
  const at = [...header.matchAll(/^[ \t]*(?:func|type)\b/gm)].at(-1)?.index ?? 0;
  return [header.slice(at), start + at];
}

function endsWithWord(text: string, word: string): boolean {
  const before = text.trimEnd();
  return (
    before !== text && before.endsWith(word) && !/[\w$]/.test(before.at(-word.length - 1) ?? ' ')
  );
}

/** Returns the offset of a function's parameter list. The list of an attribute before the function is skipped. */
function firstList(header: string): number {
  const attribute = /^\s*(?:#\[[^\]]*\]\s*|\[\[[^\]]*\]\]\s*|@[\w.]+(?:\([^()]*\))?\s*)+/.exec(
    header,
  )?.[0];
  return header.indexOf('(', attribute?.length ?? 0);
}

function parametersIn(list: string, { namesFirst }: BraceLanguage): readonly Parameter[] {
  return listedNames(list).flatMap((entry): Parameter[] => {
    const declared = entry.replace(/=.*$/s, '').trim();
    if (namesFirst) {
      const name = /^(?:mut\s+|&\s*(?:mut\s+)?)*([\p{L}_][\p{L}\p{N}_]*)/u.exec(declared)?.[1];
      return name === undefined ? [] : [{ name }];
    }
    const name = DECLARED.atEnd(declared)?.[1];
    if (name === undefined || name === declared) return [];
    return [
      { name, ...(/&\s*[\p{L}_][\p{L}\p{N}_]*$/u.test(declared) ? { isReference: true } : {}) },
    ];
  });
}

interface SourceText {
  /** The text with comments, string literals and directives replaced by blanks. */
  readonly code: string;
  readonly text: string;
  readonly lineOf: (at: number) => number;
}

function functionOf(
  { code, text, lineOf }: SourceText,
  { name, container, parameters, at }: Header,
  open: number,
  close: number,
  { entersAtHeader, copiesArguments, body: readBody }: BraceLanguage,
): SourceFunction {
  const body = code.slice(open + 1, close);
  const lineAt = (offset: number): number => lineOf(open + 1 + offset);
  const first = body.search(/[^\s{}]/);
  const firstLine = lineOf(first < 0 ? close : open + 1 + first);
  return {
    name,
    container,
    start: lineOf(at),
    end: lineOf(close),
    entry: { line: entersAtHeader ? lineOf(at) : firstLine },
    entryRepeats: !entersAtHeader && /^\s*(?:for|while|do|loop)\b/.test(body),
    parameters,
    copiesArguments,
    ...readBody?.({
      header: code.slice(at, open),
      text: text.slice(open + 1, close),
      code: body,
      lineAt,
    }),
  };
}

const NO_CODE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.){1,12}'|`[^`]*`|^[ \t]*#[ \t]*(?:define|include|if|ifdef|ifndef|else|elif|endif|pragma|undef|error)(?:[^\n\\]|\\[\s\S])*/gm;

/** The text with comments, string literals and directives replaced by blanks, of the same length. */
function withoutTexts(text: string): string {
  return text.replace(NO_CODE, (found) => found.replace(/[^\n]/g, ' '));
}
