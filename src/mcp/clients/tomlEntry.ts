import * as l10n from '@vscode/l10n';
import type { parse as parseToml, TomlTable } from 'smol-toml' with { 'resolution-mode': 'import' };
import { REACHING, type ClientEntry, type EntryValue } from './client';
import { UnusableSettings, type EntryFormat, type EntryPlace } from './entryFormat';

/*
 * Edits of our table in a person's TOML. The parser finds the boundaries of statements, and all other lines stay
 * unchanged. Writers that keep comments are not used, because they reformat whole documents or write syntax that older
 * readers reject.
 */

type Parse = (text: string) => TomlTable;

export async function tomlFormat(): Promise<EntryFormat> {
  const { parse } = await import(/* webpackChunkName: "clients" */ 'smol-toml');
  return new TomlFormat((text) => withBigIntegers(parse, text));
}

const withBigIntegers = (parse: typeof parseToml, text: string): TomlTable =>
  parse(text, { integersAsBigInt: 'asNeeded' });

class TomlFormat implements EntryFormat {
  constructor(private readonly parse: Parse) {}

  /** The entry. Undefined if there is none. @throws UnusableSettings */
  read(text: string, { container, name }: EntryPlace): unknown {
    const servers = this.parsed(text)[container];
    return isTable(servers) ? servers[name] : undefined;
  }

  /** Sets our table and nothing else. @throws UnusableSettings */
  set(text: string, place: EntryPlace, entry: ClientEntry): string {
    const eol = /\r\n|\n/.exec(text)?.[0] ?? '\n';
    const ours = Object.entries(entry).map(([name, value]) => `${key(name)} = ${render(value)}`);
    if (this.read(text, place) === undefined) {
      const before = text === '' ? '' : `${text}${text.endsWith('\n') ? '' : eol}${eol}`;
      return `${before}${[`[${place.container}.${key(place.name)}]`, ...ours].join(eol)}${eol}`;
    }
    const statements = this.split(text, place);
    const header = statements.findIndex(({ path, isHeader }) => isHeader && path.length === 2);
    if (header < 0) throw elsewhere(place);
    return statements
      .flatMap((statement, index) => {
        if (index === header)
          return [
            statement.text.endsWith('\n') ? statement.text : statement.text + eol,
            ...ours.map((line) => line + eol),
          ];
        return REACHING.has(statement.path[2] ?? '') ? [] : [statement.text];
      })
      .join('');
  }

  /** Removes our table and nothing else. Undefined if there is none. @throws UnusableSettings */
  remove(text: string, place: EntryPlace): string | undefined {
    if (this.read(text, place) === undefined) return undefined;
    const statements = this.split(text, place);
    if (!statements.some(({ isHeader, path }) => isHeader && path.length >= 2))
      throw elsewhere(place);
    const isOurs = statements.map((statement, index) =>
      statement.isComment ? isWithinOurs(statements, index) : statement.path.length > 0,
    );
    // Our table was written with an empty line before it.
    const first = isOurs.indexOf(true);
    const follows = isOurs.indexOf(false, first);
    const isBlank = (index: number): boolean => statements[index]?.text.trim() === '';
    if (first > 0 && isBlank(first - 1) && (follows < 0 || isBlank(follows)))
      isOurs[first - 1] = true;
    return statements
      .flatMap(({ text: kept }, index) => (isOurs[index] === true ? [] : [kept]))
      .join('');
  }

  /** Always true, because a table needs no container. */
  hasContainer(): boolean {
    return true;
  }

  /** The content of the file except our entry. An edit must not change it. */
  others(text: string, { container, name }: EntryPlace): object {
    const { [container]: servers, ...rest } = this.parsed(text);
    if (!isTable(servers)) return servers === undefined ? rest : { ...rest, [container]: servers };
    const others = Object.entries(servers).filter(([other]) => other !== name);
    return others.length === 0 ? rest : { ...rest, [container]: Object.fromEntries(others) };
  }

  /** Splits the text into statements. The joined statements equal the text. */
  private split(text: string, place: EntryPlace): readonly Statement[] {
    const statements: Statement[] = [];
    let pending = '';
    let table: readonly string[] = [];
    for (const line of text.split(/(?<=\n)/)) {
      pending += line;
      const statement = this.attempt(pending);
      if (statement === undefined) continue;
      const isHeader = pending.trimStart().startsWith('[');
      const path = pathOf(statement);
      if (isHeader) table = path;
      const whole = isHeader || path.length === 0 ? path : [...table, ...path];
      statements.push({
        text: pending,
        isHeader,
        isComment: !isHeader && path.length === 0 && Object.keys(statement).length === 0,
        path: whole[0] === place.container && whole[1] === place.name ? whole : [],
      });
      pending = '';
    }
    return pending === ''
      ? statements
      : [...statements, { text: pending, isHeader: false, isComment: false, path: [] }];
  }

  /** @throws UnusableSettings */
  private parsed(text: string): TomlTable {
    try {
      return this.parse(text);
    } catch (error) {
      if (!(error instanceof Error && 'line' in error && 'column' in error)) throw error;
      const offset =
        text
          .split(/(?<=\n)/)
          .slice(0, Number(error.line) - 1)
          .join('').length +
        Number(error.column) -
        1;
      throw new UnusableSettings(
        l10n.t(
          'The file is not valid TOML: {0}',
          (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, ''),
        ),
        offset,
      );
    }
  }

  private attempt(statement: string): TomlTable | undefined {
    try {
      return this.parse(statement);
    } catch {
      return undefined;
    }
  }
}

interface Statement {
  /** The text of the statement, including its line break. */
  readonly text: string;
  /** The path of our statements: the container, our name, and names inside. Empty for other statements. */
  readonly path: readonly string[];
  readonly isHeader: boolean;
  /** Whether the statement is a comment or an empty line. */
  readonly isComment: boolean;
}

/**
 * Whether a comment is inside our table, or an empty line between two of our tables. They are removed with the tables.
 */
function isWithinOurs(statements: readonly Statement[], index: number): boolean {
  const last = statements.slice(0, index).findLast((statement) => !statement.isComment);
  const next = statements.slice(index).find((statement) => !statement.isComment);
  if (last === undefined || last.path.length === 0) return false;
  if (next === undefined || next.path.length === 0) return false;
  return !next.isHeader || statements[index]?.text.trim() === '';
}

/** The path down to the first value that is not a table with exactly one member. */
function pathOf(table: TomlTable): readonly string[] {
  const [[name, value] = [], second] = Object.entries(table);
  if (name === undefined || second !== undefined) return [];
  const inner = Array.isArray(value) ? value[0] : value;
  return [name, ...(isTable(inner) ? pathOf(inner) : [])];
}

function elsewhere({ container, name }: EntryPlace): UnusableSettings {
  return new UnusableSettings(
    l10n.t(
      '“{0}” is not written as a separate table [{1}]. Change it by hand.',
      name,
      `${container}.${name}`,
    ),
  );
}

function isTable(value: unknown): value is TomlTable {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

const key = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** Writes a value in TOML. JSON strings are valid TOML basic strings, except for one control character. */
function render(value: EntryValue): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  if (Array.isArray(value))
    return `[${value.map((item) => render(item as EntryValue)).join(', ')}]`;
  if (typeof value === 'object')
    return `{ ${Object.entries(value)
      .map(([name, item]) => `${key(name)} = ${render(item)}`)
      .join(', ')} }`;
  return String(value);
}
