import type { Fields } from './protocol';
import type { SessionState } from './state';

/** The whole of what js-debug itself prints. */
const NODE_EXIT = /^Process exited with code (\d{1,10})\s*$/;

/** js-debug sends no `exited`: how a Node program ended, where that was not with 0, it prints, through the session that started it. */
export function withPrintedExit(session: SessionState, { category, output }: Fields): SessionState {
  // What the program itself logs comes through a child.
  if (category !== 'stderr' || typeof output !== 'string' || !session.type.endsWith('node') || session.parentKey !== undefined) return session;
  const code = NODE_EXIT.exec(output)?.[1];
  return code === undefined ? session : { ...session, exitCode: Number(code) };
}
