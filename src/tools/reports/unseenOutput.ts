import { adapterOf } from '../../debugger/adapters/registry';
import type { DebugModel } from '../../debugger/state/debugModel';
import type { SessionState } from '../../debugger/state/state';

/** What js-debug itself says at the end. */
const LAST_WORDS = /^Process exited with code /;

/**
 * What to change where a Node program failed and nothing of it was seen: unless js-debug is told to read the program's
 * streams, it shows what `console` prints, and test runners write past that.
 */
export function aboutUnseenOutput(
  model: DebugModel,
  root: SessionState,
  members: readonly SessionState[],
  exitCode: number | undefined,
): string | undefined {
  const hint = aboutUnreadStreams(root);
  if (hint === undefined || exitCode === undefined || exitCode === 0) return undefined;
  const isSeen = members.some((session) =>
    model
      .output(session)
      .read({ since: 0 })
      .some(
        ({ category, text }) =>
          category === 'stdout' || (category === 'stderr' && !LAST_WORDS.test(text)),
      ),
  );
  return isSeen ? undefined : hint;
}

/** What to change where js-debug does not read a program's streams. */
export function aboutUnreadStreams({ type, configuration }: SessionState): string | undefined {
  const isUnread = adapterOf(type).leavesStreamsUnread?.(configuration) === true;
  return isUnread
    ? 'What the program writes to stdout and stderr other than by console.log is not read, such as a test runner\'s report: set "outputCapture": "std" in the configuration and start it again.'
    : undefined;
}
