/**
 * Hit counts as the founding documents write them (`> 5`, `== 3`, `% 2 == 0`), and as debug adapters understand them:
 * DAP leaves the text of `hitCondition` to the adapter.
 */

type Operator = '==' | '!=' | '>' | '>=' | '<' | '<=' | '%';

export interface HitCount {
  readonly operator: Operator;
  readonly count: number;
}

const SPELLINGS: Readonly<Record<string, Operator>> = {
  '': '==',
  '=': '==',
  '==': '==',
  '===': '==',
  '!=': '!=',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
};

const COMPARED = /^\s*(={1,3}|!=|>=?|<=?)?\s*(\d{1,9})\s*$/;
const EVERY = /^\s*%\s*(\d{1,9})\s*(?:={2,3}\s*0\s*)?$/;

/** Undefined for what is no hit count. A number alone means that hit. */
export function readHitCount(text: string): HitCount | undefined {
  const every = EVERY.exec(text);
  if (every !== null)
    return Number(every[1]) === 0 ? undefined : { operator: '%', count: Number(every[1]) };
  const compared = COMPARED.exec(text);
  const operator = compared === null ? undefined : SPELLINGS[compared[1] ?? ''];
  return operator === undefined ? undefined : { operator, count: Number(compared?.[2]) };
}

/** What an adapter of a debug type understands: operators, or a number with a meaning of its own. */
type Dialect = (hits: HitCount) => string | undefined;

/** `> 5`, `== 3`, `% 2`: delve, and what is not known. */
const operators: Dialect = ({ operator, count }) => `${operator} ${count}`;

/** js-debug, debugpy and CodeLLDB know no `!=`. */
const withoutUnequal: Dialect = (hits) => (hits.operator === '!=' ? undefined : operators(hits));

/** lldb-dap takes a number: from this hit on, each one (`SBBreakpoint.SetIgnoreCount`); 0 would be never. */
const fromHitOn: Dialect = ({ operator, count }) =>
  operator === '>=' ? String(Math.max(1, count)) : operator === '>' ? String(count + 1) : undefined;

/** java-debug takes a number: this hit and no other (JDI `EventRequest.addCountFilter`). */
const onlyHit: Dialect = ({ operator, count }) => (operator === '==' ? String(count) : undefined);

const DIALECTS: Readonly<
  Record<string, { readonly dialect: Dialect; readonly understands: string }>
> = {
  'lldb-dap': { dialect: fromHitOn, understands: '">= n" and "> n"' },
  java: { dialect: onlyHit, understands: '"== n"' },
  ...Object.fromEntries(
    [
      'node',
      'pwa-node',
      'chrome',
      'pwa-chrome',
      'msedge',
      'pwa-msedge',
      'extensionHost',
      'pwa-extensionHost',
      'node-terminal',
      'debugpy',
      'python',
      'lldb',
    ].map((type) => [
      type,
      {
        dialect: withoutUnequal,
        understands: '"== n", "> n", ">= n", "< n", "<= n" and "% n == 0"',
      },
    ]),
  ),
};

/** The hit count in the words of a debug type; where it has none, what it does understand. */
export function hitConditionFor(
  type: string | undefined,
  hits: HitCount,
): { readonly text: string } | { readonly understands: string } {
  const known = type === undefined ? undefined : DIALECTS[type];
  const text = (known?.dialect ?? operators)(hits);
  return text === undefined ? { understands: known?.understands ?? '' } : { text };
}
