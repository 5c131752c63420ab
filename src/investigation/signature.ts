/** The kind of a message: its text without numbers, times, addresses and ids. */
export function signatureOf(msg: string): string {
  const head = msg.length > MAX_CHARACTERS ? msg.slice(0, MAX_CHARACTERS) : msg;
  // Ids are rare, and the search for them takes most of the time.
  const withoutIds = ID_LIKE.test(head) ? head.replace(ID, '#') : head;
  const shown = withoutIds.replace(NUMBER, '#');
  return (TWO_BLANKS.test(shown) ? shown.replace(BLANKS, ' ') : shown).trim();
}

const MAX_CHARACTERS = 300;

const ID_LIKE = /[0-9a-f]{8}/;
const ID = /\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{8,}\b/g;
const NUMBER = /\d[\d.:,T]*(?:[xZ][0-9a-fA-F]*)?/g;
const TWO_BLANKS = /\s\s|[\t\n]/;
const BLANKS = /\s+/g;
