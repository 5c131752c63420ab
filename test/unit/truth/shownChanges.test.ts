import { strict as assert } from 'node:assert';
import { cutText } from '../../../src/debugger/texts';
import { differences } from '../../../src/tools/trace/function/values';
import { Random } from '../support/random';

const SEEDS = 20;
const PAIRS = 200;

/** The text of a whole value, as Delve shows a struct: plain values and slices. */
function whole(random: Random): string {
  const field = (index: number): string => {
    const name = `field${index}`;
    if (random.once(2)) return `${name}: ${random.below(5)}`;
    return `${name}: []int len: 3, cap: 4, [${random.some(6, () => random.below(3)).join(',')}]`;
  };
  const fields = Array.from({ length: 3 + random.below(5) }, (_, index) => field(index));
  return `*main.Order {${fields.join(', ')}}`;
}

/** The text as an adapter or the extension shows it: whole, or only its beginning. */
function shown(text: string, random: Random): string {
  const limit = 45 + random.below(Math.max(1, text.length - 45));
  if (text.length <= limit) return text;
  switch (random.below(4)) {
    case 0:
      return text;
    case 1:
      return cutText(text, limit);
    case 2:
      return `${text.slice(0, limit)}...`;
    default:
      return cutText(`${text.slice(0, limit)}...`, limit - random.below(5));
  }
}

/** Changes a part of a text, mostly behind its beginning. */
function other(text: string, random: Random): string {
  const at = random.below(text.length);
  return `${text.slice(0, at)}${text.slice(at).replace(/\d(?=[\],}])/, '9')}`;
}

describe('rules 1 and 2: changes of values that are shown in part', () => {
  for (let seed = 1; seed <= SEEDS; seed += 1)
    it(`are told only if the values differ, and always if both are shown whole (${seed})`, () => {
      const random = new Random(seed);
      for (let pair = 0; pair < PAIRS; pair += 1) {
        const first = whole(random);
        const second = random.once(2) ? first : other(first, random);
        const [before, now] = [shown(first, random), shown(second, random)];
        const changes = differences(new Map([['order', before]]), new Map([['order', now]]));
        const text = `${before}\n${now}`;
        if (changes.length > 0) assert.notEqual(first, second, text);
        if (before === first && now === second)
          assert.equal(changes.length > 0, first !== second, text);
      }
    });
});
