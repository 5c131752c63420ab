/** What tells one kind of message from others: the message without its numbers, times, addresses and ids. */
export function signatureOf(msg: string): string {
  const head = msg.length > MOST_CHARACTERS ? msg.slice(0, MOST_CHARACTERS) : msg;
  // Ids are rare, and looking for them takes most of the time.
  const known = ID_LIKE.test(head) ? head.replace(ID, '#') : head;
  const shown = known.replace(NUMBER, '#');
  return (TWO_BLANKS.test(shown) ? shown.replace(BLANKS, ' ') : shown).trim();
}

const MOST_CHARACTERS = 300;

const ID_LIKE = /[0-9a-f]{8}/;
const ID = /\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{8,}\b/g;
const NUMBER = /\d[\d.:,T]*(?:[xZ][0-9a-fA-F]*)?/g;
const TWO_BLANKS = /\s\s|[\t\n]/;
const BLANKS = /\s+/g;
