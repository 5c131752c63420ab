import type { DebugModel } from '../state/debugModel';
import { fields, listOf, readMessage, textOf } from '../protocol';
import { comparable, personPath, shareOf } from '../sourcePath';
import { isLive, type DebugEvent, type SessionState } from '../state/state';

/** The sources that the debugger of one session has named. */
interface SourcesOfSession {
  /** Loaded sources. There may be thousands, so their real paths are not resolved. */
  readonly loaded: Set<string>;
  /** The sources of frames, with the real path that each source had when it was first named. */
  readonly frames: Map<string, Promise<string>>;
}

/** Limits on the number of sources, because a malicious adapter may name any number of them. */
const MAX_LOADED = 20_000;
const MAX_OF_FRAMES = 5000;

/**
 * The files that debuggers have named as sources of frames or as loaded sources. Those of live sessions may be read,
 * regardless of their folder. The names are kept after the session's end. If the target of a link changes after the
 * link was named, the new target may not be read.
 */
export class NamedSources {
  /** The names of the events that `observe` needs. */
  readonly observes = [
    'stackTrace',
    'loadedSource',
    'loadedSources',
    'sessionCreated',
    'sessionEnded',
  ] as const;
  private readonly sessions = new Map<string, SourcesOfSession>();

  constructor(
    private readonly model: DebugModel,
    private readonly realPath: (file: string) => Promise<string>,
  ) {}

  /** Called with messages that name sources, after the state has been updated. */
  observe(event: DebugEvent): void {
    // A restart keeps the session's key.
    if (event.type === 'sessionCreated' && event.knowledge === 'full')
      this.sessions.delete(event.key);
    if (event.type === 'sessionEnded')
      for (const key of this.sessions.keys())
        if (!this.model.state.sessions.has(key)) this.sessions.delete(key);
    if (event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    if (message?.type === 'response' && message.success) {
      if (message.command === 'stackTrace')
        for (const frame of listOf(message.body['stackFrames']))
          this.nameFrame(event.key, pathIn(fields(frame)['source']));
      if (message.command === 'loadedSources')
        for (const source of listOf(message.body['sources']))
          this.nameLoaded(event.key, pathIn(source));
    }
    if (message?.type === 'event' && message.event === 'loadedSource')
      this.nameLoaded(event.key, pathIn(message.body['source']));
  }

  /** Whether the debugger of a live session has named this file. @param real the file's real path */
  async has(real: string): Promise<boolean> {
    const { state } = this.model;
    const sought = comparable(real);
    for (const [key, named] of this.sessions) {
      const session = state.sessions.get(key);
      if (session === undefined || !isLive(session)) continue;
      if (named.loaded.has(sought)) return true;
      const frames = await Promise.all(named.frames.values());
      if (frames.some((frame) => comparable(frame) === sought)) return true;
    }
    return false;
  }

  /** Whether the debugger of one of these sessions, live or ended, has named a file by this path. */
  isNamedIn(sessions: readonly SessionState[], file: string): boolean {
    const sought = comparable(file);
    return sessions.some(({ key }) => {
      const named = this.sessions.get(key);
      return (
        named !== undefined &&
        (named.loaded.has(sought) ||
          [...named.frames.keys()].some((path) => comparable(path) === sought))
      );
    });
  }

  private nameFrame(key: string, path: string | undefined): void {
    const { frames } = this.of(key);
    if (path === undefined || frames.has(path) || frames.size >= MAX_OF_FRAMES) return;
    frames.set(
      path,
      this.realPath(path).catch(() => path),
    );
  }

  private nameLoaded(key: string, path: string | undefined): void {
    const { loaded } = this.of(key);
    if (path !== undefined && loaded.size < MAX_LOADED) loaded.add(comparable(path));
  }

  private of(key: string): SourcesOfSession {
    const existing = this.sessions.get(key);
    if (existing !== undefined) return existing;
    const created: SourcesOfSession = { loaded: new Set(), frames: new Map() };
    this.sessions.set(key, created);
    return created;
  }
}

/** The path of a source; undefined if it has no file or is on a network share, which is never accessed. */
function pathIn(source: unknown): string | undefined {
  const named = textOf(fields(source)['path']);
  if (named === undefined || named.length > MAX_OF_A_PATH) return undefined;
  const path = personPath(named);
  return /^(?:[\\/]|[a-z]:[\\/])/i.test(path) && shareOf(path) === undefined ? path : undefined;
}

/** The maximum length of a path. It is longer than any file system allows. */
const MAX_OF_A_PATH = 4096;
