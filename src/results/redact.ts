import * as l10n from '@vscode/l10n';
import { Failure } from './failure';
import type { Fields } from '../debugger/protocol';
import { credentialsOfNoVendor } from './credentialForms';
import { cutText } from './fit';
import { merged, type FoundCredential } from './found';
import { LinearPattern, PatternClock, PatternError } from './linearPattern';
import { namedSecrets, secretsAcrossLines } from './namedSecrets';
import type { SchemaNode } from './places';
import { changed, textsOf, type ResultText } from './resultTexts';
import { isSecretHeader, strengthOf } from './secretNames';
import { looksRandom, secretPart } from './secretValues';
import { Turns } from './turns';
import { keysOfVendors } from './vendorKeys';

export interface RedactionSettings {
  readonly enabled: boolean;
  /**
   * The person's own regular expressions, whose matches are replaced. They are from a settings file, so they may be any
   * values.
   */
  readonly patterns: readonly unknown[];
  /**
   * Whether a value under a name such as `token`, which is not always a credential, is removed. This is for what leaves
   * the machine.
   */
  readonly isStrict?: boolean;
}

/** One of the person's patterns that cannot be used. */
export interface UnusablePattern {
  readonly number: number;
  readonly pattern: unknown;
  readonly error: PatternError;
}

/**
 * The maximum number of characters that are checked in total, and the minimum and maximum number in one text. The rest
 * of a text is cut off and not shown.
 */
const MAX_IN_ALL = 2_000_000;
const MIN_CHARACTERS = 2_000;
const MAX_CHARACTERS = 50_000;

/** The time that one of the person's patterns may take for one result, in milliseconds. */
const MAX_FOR_A_PATTERN = 2000;

const ONLY_THE_ANSWER = 'The request was carried out; only its result is withheld.';

/** One of the person's patterns, and its number in their list. */
interface OwnPattern {
  readonly number: number;
  readonly pattern: LinearPattern;
}

interface OwnPatterns {
  readonly usable: readonly OwnPattern[];
  readonly unusable: UnusablePattern | undefined;
}

/**
 * Replaces credentials in results by a marker with their kind: keys of vendors (`vendorKeys.ts`), other forms
 * (`credentialForms.ts`), values under the name of a credential (`namedSecrets.ts`), and matches of the person's own patterns. VS Code's own views are not affected.
 */
export class Redactor {
  private own: Promise<OwnPatterns> | undefined;
  private ownKey: string | undefined;

  /**
   * @param report reports an unusable pattern to the person, once for each list of patterns
   * @param mostForAPattern the time that one of the person's patterns may take for one result, in milliseconds
   */
  constructor(
    private readonly settings: () => RedactionSettings,
    private readonly report: (unusable: UnusablePattern) => void = () => undefined,
    private readonly mostForAPattern = MAX_FOR_A_PATTERN,
  ) {}

  /**
   * @throws Failure `redaction_failed` while one of the person's patterns cannot be used, because then no result may be
   * shown
   */
  async check(): Promise<void> {
    const { enabled, patterns } = this.settings();
    if (enabled) await this.ownPatterns(patterns, 'Nothing was done.');
  }

  /**
   * Returns the result, or a copy of it without credentials.
   * @param expression the expression of a top-level `result`, which counts as its name: `process.env.API_KEY`
   * @param schema the schema of the result, which declares our own keywords and ids. They are not changed
   * @throws Failure or Error if the result cannot be checked and so must not be shown
   */
  async redact<Result extends Fields>(
    result: Result,
    expression?: string,
    schema?: SchemaNode,
  ): Promise<Result> {
    const { enabled, patterns, isStrict = false } = this.settings();
    if (!enabled) return result;
    const own = await this.ownPatterns(patterns, ONLY_THE_ANSWER);
    const copy = structuredClone(result);
    const texts = textsOf(copy, expression, schema);
    const limit = Math.min(
      MAX_CHARACTERS,
      Math.max(MIN_CHARACTERS, Math.floor(MAX_IN_ALL / Math.max(1, texts.length))),
    );
    const pieces = texts.map((piece) => ({ ...piece, text: cutText(piece.text, limit) }));
    const found = await this.foundIn(pieces, own, isStrict);
    const shown = pieces.map(({ text, prefix }, index) =>
      replaced(text, found[index] ?? [], prefix.length),
    );
    return shown.every((text, index) => text === texts[index]?.text)
      ? result
      : changed(copy, texts, shown);
  }

  /** The credentials in each piece. Their positions include the prefix of the piece. */
  private async foundIn(
    pieces: readonly ResultText[],
    own: readonly OwnPattern[],
    isStrict: boolean,
  ): Promise<readonly (readonly FoundCredential[])[]> {
    const turns = new Turns();
    const clocks = own.map((entry) => ({
      ...entry,
      clock: new PatternClock(this.mostForAPattern),
    }));
    const wholes = pieces.map(({ prefix, text }) => prefix + text);
    // A key or a form may continue on the next line, which is another text.
    const joined = wholes.join('\n');
    const vendors = merged([
      ...(await keysOfVendors(joined, turns)),
      ...secretsAcrossLines(joined),
    ]);
    const found: FoundCredential[][] = [];
    let [next, offset] = [0, 0];
    for (const [index, whole] of wholes.entries()) {
      const inside: FoundCredential[] = [
        ...credentialsOfNoVendor(whole),
        ...ofNames(pieces[index], isStrict),
      ];
      for (const { pattern, number, clock } of clocks)
        inside.push(...this.matches(pattern, number, whole, clock));
      while ((vendors[next]?.end ?? Infinity) <= offset) next += 1;
      for (let at = next; (vendors[at]?.start ?? Infinity) < offset + whole.length; at += 1) {
        const key = vendors[at];
        if (key !== undefined)
          inside.push({ ...key, start: key.start - offset, end: key.end - offset });
      }
      found.push(inside);
      offset += whole.length + 1;
      await turns.next();
    }
    return found;
  }

  private matches(
    pattern: LinearPattern,
    number: number,
    text: string,
    clock: PatternClock,
  ): readonly FoundCredential[] {
    try {
      return pattern.matches(text, clock).map((match) => ({ ...match, kind: 'pattern' }));
    } catch (error) {
      if (error instanceof PatternError) throw unusable(number, error, ONLY_THE_ANSWER);
      throw error;
    }
  }

  /** @throws Failure `redaction_failed` */
  private async ownPatterns(
    patterns: readonly unknown[],
    whatWasDone: string,
  ): Promise<readonly OwnPattern[]> {
    const key = JSON.stringify(patterns);
    if (this.own === undefined || this.ownKey !== key) {
      this.ownKey = key;
      this.own = compiled(patterns);
      void this.own.then(({ unusable: problem }) =>
        problem === undefined ? undefined : this.report(problem),
      );
    }
    const { usable, unusable: problem } = await this.own;
    if (problem !== undefined) throw unusable(problem.number, problem.error, whatWasDone);
    return usable;
  }
}

/**
 * A text for the log without credentials, as far as they can be found at once: all forms but those of vendors and the
 * person's own.
 */
export function withoutKnownForms(text: string): string {
  const found = [...credentialsOfNoVendor(text), ...namedSecrets(text, true)];
  return replaced(text, [...found, ...secretsAcrossLines(text)], 0);
}

async function compiled(patterns: readonly unknown[]): Promise<OwnPatterns> {
  const usable: OwnPattern[] = [];
  for (const [index, pattern] of patterns.entries()) {
    if (pattern === '') continue;
    try {
      if (typeof pattern !== 'string') throw new PatternError('syntax', l10n.t('it is not text'));
      usable.push({ number: index + 1, pattern: await LinearPattern.of(pattern) });
    } catch (error) {
      if (error instanceof PatternError)
        return { usable, unusable: { number: index + 1, pattern, error } };
      throw error;
    }
  }
  return { usable, unusable: undefined };
}

/** The credentials in a piece that have the name of one: in the text itself, or the name under which it stands. */
function ofNames(piece: ResultText | undefined, isStrict: boolean): readonly FoundCredential[] {
  if (piece === undefined) return [];
  const { name, text, prefix } = piece;
  const inside = [...namedSecrets(text, isStrict), ...ofOwnName(name, text, isStrict)];
  return inside.map(({ start, end, kind }) => ({
    start: start + prefix.length,
    end: end + prefix.length,
    kind,
  }));
}

function ofOwnName(name: string, text: string, isStrict: boolean): readonly FoundCredential[] {
  const strength = isSecretHeader(name) ? 'certain' : strengthOf(name);
  const part = strength === undefined ? undefined : secretPart(text);
  if (part === undefined) return [];
  const isSure = strength === 'certain' || (strength === 'possible' && isStrict);
  if (strength === 'inQuery' || (!isSure && !looksRandom(text.slice(part.start, part.end))))
    return [];
  return [{ ...part, kind: 'secret' }];
}

/** The failure for an unusable pattern. It names the pattern by its number and does not show it. */
function unusable(number: number, { problem }: PatternError, whatWasDone: string): Failure {
  const message =
    problem === 'too_slow'
      ? l10n.t(
          'Pattern {0} of the setting agentDebugger.redactionPatterns takes too long on this result, so the result is withheld.',
          number,
        )
      : l10n.t(
          'Pattern {0} of the setting agentDebugger.redactionPatterns cannot be used, so no result is shown.',
          number,
        );
  return new Failure(
    'redaction_failed',
    message,
    `Ask the person to correct that setting. ${whatWasDone}`,
  );
}

/** The text with each part replaced. Overlapping parts are merged. */
function replaced(text: string, parts: readonly FoundCredential[], prefixLength: number): string {
  let shown = '';
  let at = 0;
  for (const { start, end, kind } of merged(parts)) {
    const [from, to] = [
      Math.max(0, start - prefixLength),
      Math.min(text.length, end - prefixLength),
    ];
    if (to <= at) continue;
    shown += `${text.slice(at, from)}[redacted: ${kind}]`;
    at = to;
  }
  return shown + text.slice(at);
}
