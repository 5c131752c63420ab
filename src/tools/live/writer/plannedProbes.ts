import type { RecordingPoint } from '../../../recording/recordingPlan';
import { valueOf, type Expressions } from './probeExpressions';
import type { Asked } from './valuePath';
import { mayWrite, type Facts, type Language, type Scope, type Write } from './writes';

/** A write in a file. */
export interface FileWrite {
  readonly path: string;
  readonly write: Write;
}

/** A write that a probe watches. The numbers are the indexes of its values among those of its point. */
export interface Candidate extends FileWrite {
  readonly point: number;
  /** The identity of the changed object. Undefined if it cannot be read. */
  readonly identity?: number | undefined;
  /** The changed key, if it is no constant. */
  readonly key?: number | undefined;
  /** The value of what was asked about, if the changed object is its owner or if it is a variable. */
  readonly value?: number | undefined;
  /** The changed object, if the value that was asked about can be this object. */
  readonly object?: number | undefined;
}

export interface PlaceOfStop {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
}

export interface PlannedProbes {
  readonly asked: Asked;
  readonly language: Language;
  /** The scope of a variable. */
  readonly scope: Scope | undefined;
  /** The id of the point at the beginning of each call. */
  readonly entry: number | undefined;
  /** The id of the point at the stop. */
  readonly place: number;
  /** The indexes of the values at the stop. */
  readonly at: {
    readonly value: number;
    readonly owner: number | undefined;
    readonly object: number | undefined;
    /** The identity of the class or prototype from which the owner has the member. */
    readonly holder?: number | undefined;
    /** The variables by which two runs are compared. */
    readonly names: readonly { readonly name: string; readonly index: number }[];
  };
  readonly candidates: readonly Candidate[];
  readonly points: readonly RecordingPoint[];
}

export interface PlanInput {
  readonly asked: Asked;
  readonly language: Language;
  readonly scope: Scope | undefined;
  readonly facts: Facts;
  readonly place: PlaceOfStop;
  readonly names: readonly string[];
  readonly writes: readonly FileWrite[];
  readonly expressions: Expressions;
}

/** Plans the probes of a second run. */
export function planProbes(input: PlanInput): PlannedProbes {
  const { asked, language, scope, facts, place } = input;
  const points: RecordingPoint[] = [];
  const entry = scope?.entry === undefined ? undefined : add(points, place.path, scope.entry, []);
  const { values, at } = placeValues(input);
  const atPlace = add(points, place.path, place.line, values, place.column);
  const candidates = input.writes
    .filter(({ write }) => mayWrite(write, asked, scope?.id, facts, language))
    .map((each) => candidate(input, points, each));
  return { asked, language, scope, entry, place: atPlace, at, candidates, points };
}

function add(
  points: RecordingPoint[],
  path: string,
  line: number,
  values: readonly string[],
  column?: number,
): number {
  const id = points.length + 1;
  points.push({ id, path, line, column, values });
  return id;
}

/** The values that are read at the stop, in both runs. */
export function placeValues({
  asked,
  facts,
  names,
  expressions,
}: Pick<PlanInput, 'asked' | 'facts' | 'names' | 'expressions'>): {
  readonly values: readonly string[];
  readonly at: PlannedProbes['at'];
} {
  const value = valueOf(asked, expressions);
  const values = [value];
  const owner =
    asked.kind === 'member' ? values.push(expressions.identity(asked.owner)) - 1 : undefined;
  const at = names.map((name) => ({ name, index: values.push(name) - 1 }));
  const from = asked.kind === 'member' ? expressions.holder(asked.owner, asked.key) : undefined;
  const holder = from === undefined ? undefined : values.push(expressions.identity(from)) - 1;
  // It comes last, because it is known only from the others whether it is needed.
  const object = facts.isMutable ? values.push(expressions.identity(value)) - 1 : undefined;
  return { values, at: { value: 0, owner, object, holder, names: at } };
}

function candidate(
  { asked, facts, expressions, language, scope }: PlanInput,
  points: RecordingPoint[],
  { path, write }: FileWrite,
): Candidate {
  const values: string[] = [];
  const read = (expression: string): number => values.push(expression) - 1;
  const indexes: { identity?: number; key?: number; value?: number; object?: number } = {};
  if (write.kind === 'variable') indexes.value = read(write.name);
  else if (write.receiver !== undefined) {
    indexes.identity = read(expressions.identity(write.receiver));
    const isOwner =
      asked.kind === 'member' && mayWrite(write, asked, scope?.id, { isMutable: false }, language);
    if (isOwner) {
      if (write.key !== undefined && write.key.constant === undefined)
        indexes.key = read(write.key.text);
      indexes.value = read(expressions.member(write.receiver, asked.key));
    }
    if (facts.isMutable) indexes.object = read(write.receiver);
  }
  return { path, write, point: add(points, path, write.line, values, write.column), ...indexes };
}
