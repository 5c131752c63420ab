/** Escapes external text for Markdown, so that it cannot close a fence or become a link, emphasis or HTML. */

/** A block of code with a fence that the text cannot close. */
export function block(text: string, language = ''): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

/** One line as code. */
export function inlineCode(text: string): string {
  const line = text.replace(INVISIBLE, ' ').trim();
  const fence = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** One line as plain text. */
export function plainText(text: string): string {
  return text
    .replace(INVISIBLE, ' ')
    .trim()
    .replace(SPECIAL, '\\$&')
    .replace(LINKED, '\\$&')
    .replace(/^[-=]/, '\\$&')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

/** A row of a table. `|` ends a cell even inside code, and a preceding backslash would undo its escape. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/(?<!\\)\\*\|/g, '\\|')).join(' | ')} |`;
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const SPECIAL = /[\\`*_{}[\]()#+!<>&~@]/gu;
/** Text that GitHub's Markdown turns into a link automatically. */
const LINKED = /:(?=\/\/)|(?<=www)\./giu;

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
}
