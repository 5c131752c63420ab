import { adapterOf } from '../../debugger/adapters/registry';
import type { DebugModel } from '../../debugger/state/debugModel';
import type { SessionState } from '../../debugger/state/state';

/** Matches the last line that js-debug itself prints. */
const LAST_LINE = /^Process exited with code /;

/**
 * Returns a hint if a Node program failed and none of its output was seen. Unless js-debug is configured to read the
 * program's streams, it reports only the output of `console`. Test runners write to the streams directly.
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
          category === 'stdout' || (category === 'stderr' && !LAST_LINE.test(text)),
      ),
  );
  return isSeen ? undefined : hint;
}

/** Returns a hint if js-debug does not read a program's streams. */
export function aboutUnreadStreams({ type, configuration }: SessionState): string | undefined {
  const isUnread = adapterOf(type).leavesStreamsUnread?.(configuration) === true;
  return isUnread
    ? 'Output to stdout and stderr that does not come from console.log, such as a test runner\'s report, is not read. Set "outputCapture": "std" in the configuration and start it again.'
    : undefined;
}
