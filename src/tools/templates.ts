import { listOf } from '../debugger/protocol';

/** One `${…}` as VS Code reads it: the name stands before the first colon, and braces inside are counted. */
export interface TemplateVariable {
  /** All of it, `${name:argument}`. */
  readonly text: string;
  readonly name: string;
  readonly argument: string | undefined;
}

/** What VS Code 1.139 replaces (`ConfigurationResolverExpression`). It leaves all other names as they are. */
const REPLACED: ReadonlySet<string> = new Set([
  'env',
  'config',
  'command',
  'input',
  'extensionInstallFolder',
  'taskVar',
  'defaultBuildTask',
  'workspaceRoot',
  'workspaceFolder',
  'workspaceRootFolderName',
  'workspaceFolderBasename',
  'cwd',
  'userHome',
  'execPath',
  'execInstallFolder',
  'pathSeparator',
  '/',
  'file',
  'fileWorkspaceFolder',
  'fileWorkspaceFolderBasename',
  'relativeFile',
  'relativeFileDirname',
  'fileDirname',
  'fileExtname',
  'fileBasename',
  'fileBasenameNoExtension',
  'fileDirnameBasename',
  'lineNumber',
  'columnNumber',
  'selectedText',
]);

/** The beginning of a variable, also of one inside another, and of one that nothing closes. */
const BEGINNING = /\$\{(?<name>[^:{}$]*)(?:[:}]|$)/gu;

/**
 * Something in a text that VS Code would replace, by its beginning; undefined where it leaves the text as it is. VS
 * Code knows no escape for it.
 */
export function replacedIn(text: string): string | undefined {
  for (const found of text.matchAll(BEGINNING)) {
    if (!REPLACED.has(found.groups?.['name'] ?? '')) continue;
    return variableAt(text, found.index, closingBraces(text))?.text ?? found[0];
  }
  return undefined;
}

/** The variables of a text, those inside of others aside: VS Code reads none there. */
export function variablesIn(text: string): readonly TemplateVariable[] {
  const found: TemplateVariable[] = [];
  replaceVariables(text, (variable) => {
    found.push(variable);
    return undefined;
  });
  return found;
}

/** The text with values in the place of its variables; those without a value stay. */
export function replaceVariables(
  text: string,
  valueOf: (variable: TemplateVariable) => string | undefined,
): string {
  if (!text.includes('${')) return text;
  const closing = closingBraces(text);
  if (closing.size === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (let begin = text.indexOf('${'); begin !== -1; begin = text.indexOf('${', at)) {
    const variable = variableAt(text, begin, closing);
    parts.push(
      text.slice(at, begin),
      variable === undefined ? '${' : (valueOf(variable) ?? variable.text),
    );
    at = begin + (variable?.text ?? '${').length;
  }
  return parts.join('') + text.slice(at);
}

function variableAt(
  text: string,
  begin: number,
  closing: ReadonlyMap<number, number>,
): TemplateVariable | undefined {
  const end = closing.get(begin + 1);
  if (end === undefined) return undefined;
  const inner = text.slice(begin + 2, end);
  const colon = inner.indexOf(':');
  return {
    text: text.slice(begin, end + 1),
    name: colon === -1 ? inner : inner.slice(0, colon),
    argument: colon === -1 ? undefined : inner.slice(colon + 1),
  };
}

/** Where each brace is closed, found in one pass: the text may be made of nothing but braces. */
function closingBraces(text: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') open.push(at);
    if (text[at] !== '}') continue;
    const opened = open.pop();
    if (opened !== undefined) closing.set(opened, at);
  }
  return closing;
}

/** A value with each of its texts changed, the names of properties included: VS Code replaces variables there, too. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element: unknown) => mapTexts(element, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [change(key), mapTexts(member, change)]),
  );
}

/** All texts of a value, the names of properties included. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return listOf(value).flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}
