/**
 * How clearly a name says that its value is a credential: `password` always does, `token` may also be a word that a
 * parser has read, `session_id` is a credential if its value looks random, and `code` only in an address.
 */
export type NameStrength = 'certain' | 'possible' | 'random' | 'inQuery';

/** The maximum number of characters of a name, counted from its end, which is its specific part. */
const MAX_OF_A_NAME = 100;

const CERTAIN =
  /(?:pass(?:word|wd|phrase|code)|(?<![a-z])pwd|passwort|secret|(?:api|private|access|secret|encryption|signing|shared|account|master)key|(?:access|refresh|id|auth|bearer|session|csrf|xsrf|api|oauth|security|secret|private|personal)token|credentials?|authorization|xauth|cookies?|jwt)(?:hash|digest|confirm(?:ation)?|repeat|again|value|string|plain(?:text)?|old|new)?\d{0,2}$/;
const POSSIBLE = /(?:token|auth|signature|hmac|assertion|otp)\d{0,2}$/;
const RANDOM = /(?:session|sess|connects?)id$/;
const IN_QUERY = /(?:sig|sid|session|ticket|key|code|pin|nonce)\d{0,2}$/;

/** Headers whose values are credentials. */
const HEADER =
  /^(?:authorization|proxyauthorization|cookie2?|setcookie2?|xauth|x[a-z]{0,40}(?:key|token|secret|auth|authorization|signature)|(?:api|auth|private|access)(?:key|token)|(?:private|job|deploy)token)$/;

/** A name in lower case without separators: `access-token`, `accessToken` and `ACCESS_TOKEN` are the same. */
function plainName(name: string): string {
  return name
    .slice(-MAX_OF_A_NAME)
    .replace(/[^a-zA-Z\d]/g, '')
    .toLowerCase();
}

/** Whether a value under this name is a credential; undefined if the name does not say so. */
export function strengthOf(name: string): NameStrength | undefined {
  const plain = plainName(name);
  if (CERTAIN.test(plain)) return 'certain';
  if (POSSIBLE.test(plain)) return 'possible';
  if (RANDOM.test(plain)) return 'random';
  return IN_QUERY.test(plain) ? 'inQuery' : undefined;
}

/** Whether a header of this name carries a credential. */
export function isSecretHeader(name: string): boolean {
  return HEADER.test(plainName(name));
}
