import { RegExpParser, type AST } from '@eslint-community/regexpp';
import type { FoundPattern } from './found';

/** A text that repeats a part until it has a given length. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** What a class of characters may stand for, besides the characters that a pattern names. */
const COMMON = Array.from(' \t\n\r\u00a0aZe0_.,:;"\'`()[]{}<>/\\=@-*+#&|!?$%~é\u0001\ufffd');

/** What follows the repeated part: nothing, or what a pattern cannot match at the end of a line or of the text. */
const ENDS = ['', '\n\u0001', '\u0001'];

/** More of them, such as the parts of a long alternative, add time but no new attack. */
const MAX_PUMPS = 48;
const MAX_MEMBERS = 6;

/** The attacks on a pattern, which are derived from its parts. */
export function attacksOn({ source, flags }: Pick<FoundPattern, 'source' | 'flags'>): Attack[] {
  return new Attacker(source, flags).attacks();
}

type Repeated = AST.Quantifier;

class Attacker {
  private readonly tree: AST.Pattern;
  private readonly letters: readonly string[];
  private readonly signs: readonly string[];
  private readonly repeated: { readonly node: Repeated; readonly before: readonly string[] }[] = [];
  private readonly words = new Set<string>();
  private readonly membersOf = new Map<string, readonly string[]>();

  constructor(
    source: string,
    private readonly flags: string,
  ) {
    this.tree = new RegExpParser().parsePattern(source, undefined, undefined, {
      unicode: /[uv]/.test(flags),
      unicodeSets: flags.includes('v'),
    });
    const named = new Set<string>();
    eachNode(this.tree, (node) => {
      if (node.type === 'Character') named.add(String.fromCodePoint(node.value));
    });
    this.signs = [...named]
      .filter((each) => /[^\w\s]/.test(each))
      .slice(0, 4)
      .map((each) => (each === '\\' ? each : `${each}\u0001`));
    this.letters = [...new Set([...named, ...COMMON])];
    this.visit(this.tree.alternatives, ['']);
  }

  attacks(): Attack[] {
    const whole = this.samples(this.tree);
    const pumps = new Set<string>([...whole, ...this.words]);
    for (const { before } of this.repeated) for (const word of before) pumps.add(word);
    // A word may need a boundary.
    for (const word of [...pumps]) if (/^\w.*\w$/.test(word)) pumps.add(`${word}&`);
    const alone = [...pumps].filter((word) => word !== '').slice(0, MAX_PUMPS);
    const known = new Set<string>();
    const all: Attack[] = [];
    const add = (prefix: string, pump: string, ends: readonly string[]): void => {
      if (pump === '' || known.has(JSON.stringify([prefix, pump]))) return;
      known.add(JSON.stringify([prefix, pump]));
      for (const suffix of ends) all.push({ prefix, pump, suffix });
    };
    for (const pump of [...alone, ...this.letters.slice(0, MAX_PUMPS)]) add('', pump, ENDS);
    for (const { node, before } of this.repeated) {
      const inside = this.samples(node.element);
      for (const word of before)
        for (const pump of [...inside, inside.join('')]) {
          add(word, pump, [...ENDS, ...this.signs]);
          add('', word + pump, ENDS);
        }
    }
    return all;
  }

  /** Notes what is repeated in a part, with the texts that lead there, and returns the texts that match the part. */
  private visit(alternatives: readonly AST.Alternative[], before: readonly string[]): string[] {
    const ends: string[] = [];
    for (const { elements } of alternatives) {
      let texts = [...before];
      for (const element of elements) {
        this.visitElement(element, texts);
        const next = this.samples(element);
        // One way through each part is enough; the last part also comes with its other ways.
        texts = [
          ...new Set(
            texts.slice(0, 2).flatMap((text) => next.slice(0, 2).map((each) => text + each)),
          ),
        ];
      }
      ends.push(...texts);
    }
    return ends;
  }

  private visitElement(element: AST.Element, before: readonly string[]): void {
    if (element.type === 'Quantifier') {
      if (element.max >= LONG) this.repeated.push({ node: element, before: [...before] });
      for (const word of this.samples(element.element)) this.words.add(word);
      this.visitElement(element.element, before);
    } else if ('alternatives' in element) this.visit(element.alternatives, before);
  }

  /** Some texts that match a node, the shortest first. */
  private samples(node: AST.Node): string[] {
    switch (node.type) {
      case 'Character':
        return [String.fromCodePoint(node.value)];
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        return this.members(node.raw).slice(0, MAX_MEMBERS);
      case 'Quantifier':
        return this.repeatedSamples(node);
      case 'Alternative':
        return node.elements.reduce<string[]>(
          (texts, element) => combined(texts, this.samples(element)),
          [''],
        );
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return [...new Set(node.alternatives.flatMap((each) => this.samples(each).slice(0, 2)))];
      case 'Backreference':
        return Array.isArray(node.resolved) ? [''] : this.samples(node.resolved).slice(0, 1);
      default:
        return [''];
    }
  }

  private repeatedSamples({ element, min, max }: Repeated): string[] {
    const inside = this.samples(element);
    const once = inside.map((each) => each.repeat(Math.max(min, 1)));
    return max === 0 ? [''] : min === 0 ? ['', ...once] : once;
  }

  /** The letters that a class of characters contains. */
  private members(raw: string): readonly string[] {
    const known = this.membersOf.get(raw);
    if (known !== undefined) return known;
    const one = new RegExp(`^${raw}$`, this.flags.replace(/[gym]/g, ''));
    const found = this.letters.filter((letter) => one.test(letter));
    this.membersOf.set(raw, found);
    return found;
  }
}

/** A part that may be repeated this often counts as one without a limit. */
const LONG = 100;

/** The first texts with each continuation, and each text with the first continuation. */
function combined(texts: readonly string[], next: readonly string[]): string[] {
  const [first = ''] = texts;
  return [
    ...new Set([
      ...texts.map((text) => text + (next[0] ?? '')),
      ...next.map((each) => first + each),
    ]),
  ].slice(0, 2 * MAX_MEMBERS);
}

function eachNode(node: AST.Node, visit: (node: AST.Node) => void): void {
  visit(node);
  if ('alternatives' in node) for (const each of node.alternatives) eachNode(each, visit);
  if ('elements' in node) for (const each of node.elements) eachNode(each, visit);
  if (node.type === 'Quantifier') eachNode(node.element, visit);
  if (node.type === 'CharacterClassRange') {
    eachNode(node.min, visit);
    eachNode(node.max, visit);
  }
}
