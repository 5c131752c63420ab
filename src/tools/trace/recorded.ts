import type { Collection } from './collect/collections';
import type { CallHistory } from './function/callModel';

/** What a call of a tool has recorded, for the views of the person. The result for the agent is shorter. */
export type Recorded = RecordedTrace | RecordedCollection;

export interface RecordedTrace {
  readonly kind: 'trace';
  readonly history: CallHistory;
  /** The first line of the function, if its source is known. */
  readonly firstLine: number | undefined;
}

export interface RecordedCollection {
  readonly kind: 'collection';
  readonly collection: Collection;
  /** The earlier collection that the call compared with this one. */
  readonly compared: Collection | undefined;
  /** Whether hits are known to be missing, or may be missing. */
  readonly mayMissHits: boolean;
}
