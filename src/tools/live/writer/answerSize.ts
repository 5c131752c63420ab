/**
 * Estimates the number of tokens that a model reads in a text of JSON. The estimate is high rather than low: a word has
 * one token for five letters, a number one for three digits, and each other sign one.
 */
export function estimatedTokens(json: string): number {
  let [tokens, signs, letters, digits] = [0, 0, 0, 0];
  let before = '';
  for (const sign of json) {
    const isLetter = /[a-z]/i.test(sign);
    const isDigit = sign >= '0' && sign <= '9';
    if (isLetter) letters += 1;
    else if (letters > 0) {
      tokens += Math.ceil(letters / 5);
      letters = 0;
    }
    if (isDigit) digits += 1;
    else if (digits > 0) {
      tokens += Math.ceil(digits / 3);
      digits = 0;
    }
    // A space belongs to the word behind it, but not to a number.
    if (isDigit && before === ' ') tokens += 1;
    before = sign;
    if (isLetter || isDigit || sign === ' ') continue;
    if (sign.charCodeAt(0) < 128) signs += 1;
    else tokens += 1;
  }
  return tokens + Math.ceil(letters / 5) + Math.ceil(digits / 3) + signs;
}
