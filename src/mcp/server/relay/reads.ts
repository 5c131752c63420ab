import type { Place } from '../../../debugger/inspection/handles';
import {
  countOf,
  fields,
  listOf,
  numberOf,
  wholeOf,
  type Fields,
} from '../../../debugger/protocol';
import type { SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../../tools/services';
import { defined } from '../../../util/defined';

/** DAP requests that change nothing and name no frame or value. */
const PASSED: ReadonlySet<string> = new Set([
  'threads',
  'exceptionInfo',
  'loadedSources',
  'modules',
  'breakpointLocations',
]);

/** A container that a viewer was given. */
interface Given {
  readonly place: Place;
  /** The frame, where it is one of its scopes. */
  readonly scopeOf: number | undefined;
  /** Reading it runs code of the program. DAP "VariablePresentationHint" `lazy`. */
  readonly isLazy: boolean;
}

/**
 * What one viewer reads of a stopped session. Frames and values are those that it was given at this stop: adapters use
 * their numbers again, and some give the scopes of all frames the same ones.
 */
export class RelayReads {
  private readonly frames = new Map<number, Place>();
  private readonly containers = new Map<number, Given>();

  constructor(private readonly inspector: ToolServices['inspector']) {}

  static has(command: string): boolean {
    return PASSED.has(command) || ['stackTrace', 'scopes', 'variables', 'source'].includes(command);
  }

  /** @throws DebuggerError, Superseded; Error for a frame or a value that the viewer was not given */
  async read(
    session: SessionState,
    command: string,
    args: Fields,
    signal: AbortSignal,
  ): Promise<Fields> {
    switch (command) {
      case 'stackTrace':
        return await this.stack(session, args, signal);
      case 'scopes':
        return await this.scopes(session, args, signal);
      case 'variables':
        return await this.variables(session, args, signal);
      case 'source':
        return await this.inspector.send(session, command, sourceIn(args), signal);
      default:
        return await this.inspector.send(session, command, args, signal);
    }
  }

  private async stack(session: SessionState, args: Fields, signal: AbortSignal): Promise<Fields> {
    const place = this.inspector.placeOf(session, numberOf(args['threadId']) ?? Number.NaN);
    const body = await this.inspector.read(session, place, 'stackTrace', args, signal);
    this.forgetOthers();
    for (const each of listOf(body['stackFrames'])) {
      const id = wholeOf(fields(each)['id']);
      if (id !== undefined) this.frames.set(id, place);
    }
    return body;
  }

  private async scopes(session: SessionState, args: Fields, signal: AbortSignal): Promise<Fields> {
    const frameId = numberOf(args['frameId']) ?? Number.NaN;
    const place = this.frames.get(frameId);
    if (place === undefined) throw new Error('That frame is not of this stop: request the stack.');
    const body = await this.inspector.scopesBody(session, place, frameId, signal);
    this.give(place, listOf(body['scopes']), frameId);
    return body;
  }

  private async variables(
    session: SessionState,
    args: Fields,
    signal: AbortSignal,
  ): Promise<Fields> {
    const reference = numberOf(args['variablesReference']) ?? Number.NaN;
    const given = this.containers.get(reference);
    if (given === undefined) throw new Error('That value is not of this stop: request its scope.');
    if (given.isLazy) throw new Error('To read that value runs code of the program.');
    const variables = await this.inspector.variables(
      session,
      given.place,
      reference,
      pagingIn(args),
      signal,
      given.scopeOf,
    );
    this.give(given.place, variables, undefined);
    return { variables };
  }

  private give(place: Place, entries: readonly unknown[], scopeOf: number | undefined): void {
    for (const entry of entries.map(fields)) {
      const reference = countOf(entry['variablesReference']) ?? 0;
      const isLazy = fields(entry['presentationHint'])['lazy'] === true;
      if (reference > 0) this.containers.set(reference, { place, scopeOf, isLazy });
    }
  }

  /** Frames and values of stops that are over. */
  private forgetOthers(): void {
    for (const [id, place] of this.frames)
      if (!this.inspector.stillHolds(place)) this.frames.delete(id);
    for (const [reference, { place }] of this.containers)
      if (!this.inspector.stillHolds(place)) this.containers.delete(reference);
  }
}

/**
 * The source by the adapter's reference to it. By its path, an adapter might read any file of this machine.
 * @throws Error where there is no reference
 */
function sourceIn(args: Fields): Fields {
  const sourceReference =
    countOf(fields(args['source'])['sourceReference']) ?? countOf(args['sourceReference']) ?? 0;
  if (sourceReference === 0)
    throw new Error('The relay shows only sources that have a sourceReference.');
  return { source: { sourceReference }, sourceReference };
}

interface Paging {
  readonly start?: number;
  readonly count?: number;
  readonly filter?: 'indexed' | 'named';
}

function pagingIn(args: Fields): Paging {
  const filter = (['indexed', 'named'] as const).find((each) => each === args['filter']);
  return defined({ start: countOf(args['start']), count: countOf(args['count']), filter });
}
