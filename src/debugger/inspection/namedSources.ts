import type { DebugModel } from '../state/debugModel';
import { fields, listOf, readMessage, textOf } from '../protocol';
import { comparable, personPath, shareOf } from '../sourcePath';
import { isLive, type DebugEvent, type SessionState } from '../state/state';

/** What debuggers have named of one session. */
interface SourcesOfSession {
  /** Sources that were loaded: there may be thousands, so they are kept as they were named. */
  readonly loaded: Set<string>;
  /** Sources of frames, with the real path that each had when it was named first. */
  readonly frames: Map<string, Promise<string>>;
}

/** A hostile adapter may name any number. */
const MOST_LOADED = 20_000;
const MOST_OF_FRAMES = 5000;

/**
 * The files that the debuggers of live sessions have named as sources: of frames, and loaded ones. These may be read
 * wherever they lie. Of a session that has ended it is still known what was named. A link that leads elsewhere since it was named does not make its new target one of them.
 */
export class NamedSources {
  /** The events that it has to see. */
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

  /** Sees what names sources, after the state has changed with it. */
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

  /** Whether the debugger of a live session has named this file. @param real its real path */
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

  /** Whether the debugger of one of these sessions, which may have ended, has named a file, by the path that it has there. */
  isNamedIn(sessions: readonly SessionState[], file: string): boolean {
    const sought = comparable(file);
    return sessions.some(({ key }) => {
      const named = this.sessions.get(key);
      return (
        named !== undefined &&
        (named.loaded.has(sought) ||
          [...named.frames.keys()].some((each) => comparable(each) === sought))
      );
    });
  }

  private nameFrame(key: string, path: string | undefined): void {
    const { frames } = this.of(key);
    if (path === undefined || frames.has(path) || frames.size >= MOST_OF_FRAMES) return;
    frames.set(
      path,
      this.realPath(path).catch(() => path),
    );
  }

  private nameLoaded(key: string, path: string | undefined): void {
    const { loaded } = this.of(key);
    if (path !== undefined && loaded.size < MOST_LOADED) loaded.add(comparable(path));
  }

  private of(key: string): SourcesOfSession {
    const known = this.sessions.get(key);
    if (known !== undefined) return known;
    const made: SourcesOfSession = { loaded: new Set(), frames: new Map() };
    this.sessions.set(key, made);
    return made;
  }
}

/** Undefined for a source without a file, and for one on a network share: it is not even looked for. */
function pathIn(source: unknown): string | undefined {
  const named = textOf(fields(source)['path']);
  if (named === undefined || named.length > MOST_OF_A_PATH) return undefined;
  const path = personPath(named);
  return /^(?:[\\/]|[a-z]:[\\/])/i.test(path) && shareOf(path) === undefined ? path : undefined;
}

/** Longer than any file system allows. */
const MOST_OF_A_PATH = 4096;
