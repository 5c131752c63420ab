import { listOf } from '../debugger/protocol';

/** One `${…}` variable, as VS Code parses it. The name ends at the first colon, and nested braces are counted. */
export interface TemplateVariable {
  /** The whole variable, `${name:argument}`. */
  readonly text: string;
  readonly name: string;
  readonly argument: string | undefined;
}

/**
 * The variables that VS Code 1.139 replaces (`ConfigurationResolverExpression`). VS Code does not change other names.
 */
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

/** Matches the beginning of a variable, including nested and unclosed ones. */
const BEGINNING = /\$\{(?<name>[^:{}$]*)(?:[:}]|$)/gu;

/**
 * Returns the first variable in a text that VS Code would replace. It is identified by its beginning. Returns undefined
 * if VS Code would not change the text. VS Code has no escape syntax for variables.
 */
export function replacedIn(text: string): string | undefined {
  for (const found of text.matchAll(BEGINNING)) {
    if (!REPLACED.has(found.groups?.['name'] ?? '')) continue;
    return variableAt(text, found.index, closingBraces(text))?.text ?? found[0];
  }
  return undefined;
}

/** Returns the variables of a text, without nested ones, which VS Code does not read. */
export function variablesIn(text: string): readonly TemplateVariable[] {
  const found: TemplateVariable[] = [];
  replaceVariables(text, (variable) => {
    found.push(variable);
    return undefined;
  });
  return found;
}

/** Replaces the variables of a text with their values. Variables without a value are not changed. */
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

/**
 * Returns the position at which each brace is closed. One pass finds all of them, because the text may consist only of
 * braces.
 */
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

/**
 * Returns a value with all its texts changed, including property names, because VS Code replaces variables there too.
 */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element: unknown) => mapTexts(element, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [change(key), mapTexts(member, change)]),
  );
}

/** Returns all texts of a value, including property names. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return listOf(value).flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}
