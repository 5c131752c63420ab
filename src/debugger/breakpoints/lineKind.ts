import path from 'node:path';

export type LineKind = 'blank' | 'comment' | 'code';

interface CommentForm {
  readonly line: string;
  readonly block?: { readonly open: string; readonly close: string };
}

const HASH: CommentForm = { line: '#' };
const SLASHES: CommentForm = { line: '//', block: { open: '/*', close: '*/' } };
const DASHES: CommentForm = { line: '--' };

/** The comment syntax by file extension. For other extensions, comments are not recognized. */
const FORMS: ReadonlyMap<string, CommentForm> = new Map([
  ...['.py', '.pyi', '.pyw', '.rb', '.sh', '.bash', '.pl', '.r', '.jl', '.ex', '.exs'].map(
    (extension) => [extension, HASH] as const,
  ),
  ...[
    '.js',
    '.mjs',
    '.cjs',
    '.jsx',
    '.ts',
    '.mts',
    '.cts',
    '.tsx',
    '.c',
    '.h',
    '.cc',
    '.cpp',
    '.cxx',
    '.hh',
    '.hpp',
    '.go',
    '.java',
    '.kt',
    '.rs',
    '.swift',
    '.cs',
    '.scala',
    '.dart',
  ].map((extension) => [extension, SLASHES] as const),
  ...['.lua', '.sql', '.hs'].map((extension) => [extension, DASHES] as const),
]);

/** The number of lines above a line that are searched for the start of its comment. */
const MAX_LINES_ABOVE = 300;

/**
 * Classifies a line by its text, without the language's grammar. Text in a multi-line string may be classified as a
 * comment. Line numbers are 1-based.
 */
export function lineKind(lines: readonly string[], line: number, file: string): LineKind {
  const text = lines[line - 1]?.trim() ?? '';
  if (text === '') return 'blank';
  const form = FORMS.get(path.extname(file).toLowerCase());
  if (form === undefined) return 'code';
  if (text.startsWith(form.line)) return 'comment';
  const { block } = form;
  if (block === undefined) return 'code';
  if (!text.startsWith(block.open) && !isWithinBlock(lines, line, block)) return 'code';
  const end = text.indexOf(block.close, text.startsWith(block.open) ? block.open.length : 0);
  return end === -1 || text.slice(end + block.close.length).trim() === '' ? 'comment' : 'code';
}

/** Whether a block comment that began at the start of an earlier line is still open. */
function isWithinBlock(
  lines: readonly string[],
  line: number,
  { open, close }: { readonly open: string; readonly close: string },
): boolean {
  for (let above = line - 1; above > Math.max(0, line - MAX_LINES_ABOVE); above -= 1) {
    const text = lines[above - 1]?.trim() ?? '';
    if (text.includes(close)) return false;
    if (text.startsWith(open)) return true;
  }
  return false;
}

/** The next line that looks like code. */
export function nextCode(lines: readonly string[], line: number, file: string): number | undefined {
  for (let below = line + 1; below <= lines.length; below += 1)
    if (lineKind(lines, below, file) === 'code') return below;
  return undefined;
}
