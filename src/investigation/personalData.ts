/**
 * E-mail addresses and telephone numbers, which the founding document excludes from captures. A line of a stack trace
 * (`draw@board.js:12`) and a package (`left-pad@1.2.3`) look like addresses but are not.
 */
const MAIL =
  /(?<![\w.+-])[\w.+-]{1,64}@(?=[a-z\d])[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,5}\.[a-z]{2,24}(?![\w:/])/gi;

/**
 * A Chinese mobile number, numbers that begin with `+`, and numbers of North America as they are written: with an area
 * code in parentheses, or in groups of three, three and four digits. Plain digits are no such number, because most of
 * them are ids.
 */
const PHONE =
  /(?<![\w.+-])(?:1[3-9]\d{9}|\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{2,4}(?:[ -]?\d{2,4}){2,3}|\+\d{1,3}[ -]?\(\d{1,4}\)[ -]?\d{2,4}[ -]?\d{2,8}|(?:1[ -])?\([2-9]\d{2}\)[ -]?\d{3}[ .-]\d{4}|(?:1[ .-])?[2-9]\d{2}([.-])\d{3}\1\d{4})(?![\w.-]?\d)/g;

/** Replaces personal data in a text by a marker of its kind. */
export function withoutPersonalData(text: string): string {
  let shown = text;
  if (shown.includes('@')) shown = shown.replace(MAIL, '[redacted: email]');
  return HAS_NUMBER.test(shown) ? shown.replace(PHONE, '[redacted: phone number]') : shown;
}

const HAS_NUMBER = /1[3-9]\d{9}|\+\d|\d\)[ -]?\d{2}|\d{3}[.-]\d{3}[.-]\d{4}/;
