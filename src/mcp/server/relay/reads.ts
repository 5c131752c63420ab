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

/** DAP requests that change no state and have no frame or variable reference in their arguments. */
const PASSED: ReadonlySet<string> = new Set([
  'threads',
  'exceptionInfo',
  'loadedSources',
  'modules',
  'breakpointLocations',
]);

/** A variable container that was sent to a viewer. */
interface Given {
  readonly place: Place;
  /** The frame id, if the container is a scope. */
  readonly scopeOf: number | undefined;
  /** Whether reading the container runs code of the program. DAP "VariablePresentationHint" `lazy`. */
  readonly isLazy: boolean;
}

/**
 * The read requests of one viewer on a stopped session. A viewer can read only frames and values that it received at
 * this stop, because adapters reuse their ids, and some adapters use the same ids for the scopes of all frames.
 */
export class RelayReads {
  private readonly frames = new Map<number, Place>();
  private readonly containers = new Map<number, Given>();

  constructor(private readonly inspector: ToolServices['inspector']) {}

  static has(command: string): boolean {
    return PASSED.has(command) || ['stackTrace', 'scopes', 'variables', 'source'].includes(command);
  }

  /** @throws DebuggerError, Superseded; Error for a frame or a value that the viewer did not receive at this stop */
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
    for (const frame of listOf(body['stackFrames'])) {
      const id = wholeOf(fields(frame)['id']);
      if (id !== undefined) this.frames.set(id, place);
    }
    return body;
  }

  private async scopes(session: SessionState, args: Fields, signal: AbortSignal): Promise<Fields> {
    const frameId = numberOf(args['frameId']) ?? Number.NaN;
    const place = this.frames.get(frameId);
    if (place === undefined)
      throw new Error('The frame does not belong to this stop. Request the stack again.');
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
    if (given === undefined)
      throw new Error('The value does not belong to this stop. Request its scope again.');
    if (given.isLazy) throw new Error('Reading this value would run code of the program.');
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

  /** Removes the frames and values of earlier stops. */
  private forgetOthers(): void {
    for (const [id, place] of this.frames)
      if (!this.inspector.stillHolds(place)) this.frames.delete(id);
    for (const [reference, { place }] of this.containers)
      if (!this.inspector.stillHolds(place)) this.containers.delete(reference);
  }
}

/**
 * The arguments for a source by its `sourceReference`. With a path, an adapter might read any file on this machine.
 * @throws Error if there is no reference
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
  const filter = (['indexed', 'named'] as const).find((kind) => kind === args['filter']);
  return defined({ start: countOf(args['start']), count: countOf(args['count']), filter });
}
