/** A fenced block whose fence is longer than any fence in the text. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** One line of plain text, escaped so that it contains no link, emphasis or element. */
export function plainLine(text: string, most = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const cut = line.length > most ? `${line.slice(0, most)}…` : line;
  return withoutAddresses(cut.replace(/[\\`*_{}[\]<>#|!~@]/g, '\\$&'));
}

/** Viewers of Markdown make links of addresses, even in plain text. An escaped sign in them prevents that. */
function withoutAddresses(text: string): string {
  return text.replace(/:(?=\/\/)/g, '\\:').replace(/\b(www)\./gi, '$1\\.');
}

/** Code within a line. */
export function inlineCode(text: string, most = 300): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const cut = line.length > most ? `${line.slice(0, most)}…` : line;
  if (!cut.includes('`')) return `\`${cut}\``;
  const longest = Math.max(...(cut.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${cut} ${fence}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The text of a table cell. A bar ends a cell, even inside code, unless it is escaped. */
function cell(text: string): string {
  return text.replace(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|');
}

/** A time in a readable form. */
export function timeText(ts: number): string {
  return new Date(ts).toISOString().replace('T', ' ').slice(0, 19);
}

export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}
