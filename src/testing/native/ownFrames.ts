import { samePath } from '../../debugger/sourcePath';
import type { LibraryLine, ReportedFrame } from '../runReport';

/** The sources of GoogleTest, wherever a project keeps them. Its own tests are not meant. */
const LIBRARY_FILE = /(?:^|[\\/])(?:gtest|gmock)(?:[-_][\w-]+)?\.(?:h|hpp|cc|cpp)$/;
const LIBRARY_TEST = /(?:unit|[-_])test_?\.(?:cc|cpp)$/;

/** Whether a frame is code of GoogleTest, whose sources may be in the workspace. */
export function isLibrary({ name, path }: Pick<ReportedFrame, 'name' | 'path'>): boolean {
  return name.includes('testing::') && LIBRARY_FILE.test(path) && !LIBRARY_TEST.test(path);
}

/**
 * Returns the frames from a failure to its test, innermost first, without those of the runner around them.
 * @param place the place of the failure, as the runner names it. Debug information may name another line of a macro.
 */
export function framesToTest(
  frames: readonly ReportedFrame[],
  place: LibraryLine | undefined,
): readonly ReportedFrame[] {
  const begin = frames.findIndex((frame) => !isLibrary(frame));
  if (begin < 0) return [];
  const [first, ...others] = withoutWrapper(frames.slice(begin)).map(asForeign);
  if (first === undefined) return [];
  const isThere = place !== undefined && samePath(first.path, place.path);
  return [isThere ? { ...first, line: place.line, column: undefined } : first, ...others];
}

/** A frame of the library between the person's own ones is no code of the person's, although its file may be. */
function asForeign(frame: ReportedFrame): ReportedFrame {
  return isLibrary(frame) ? { ...frame, path: frame.path.replace(/^.*[\\/]/, '') } : frame;
}

const CLOSURE = /::\{+closure(?:#\d+)?\}+$/;

/** Removes the closure that Rust's library calls, and that calls the test. */
function withoutWrapper(frames: readonly ReportedFrame[]): readonly ReportedFrame[] {
  const at = frames.findIndex(
    ({ name }, index) =>
      index > 0 && CLOSURE.test(name) && name.replace(CLOSURE, '') === frames[index - 1]?.name,
  );
  return at < 0 ? frames : frames.slice(0, at);
}
