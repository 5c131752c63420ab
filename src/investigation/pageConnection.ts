import type { Fields } from '../debugger/protocol';

/** A connection to a page. Chrome DevTools Protocol. */
export interface PageConnection {
  send(method: string, params?: Fields): Promise<Fields>;
}

/** Thrown if the page has not answered in time. */
export class NotAnswered extends Error {
  constructor(method: string) {
    super(`${method} was not answered`);
  }
}
