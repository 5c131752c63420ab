import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { claimResult } from '../../tools/trace/collect/collectResult';
import type { Collection } from '../../tools/trace/collect/collections';
import type { Hit } from '../../tools/trace/collect/collector';
import type { Probe } from '../../tools/trace/collect/probes';
import { sameness } from '../../tools/trace/collect/sameness';
import { shownValue } from '../../tools/trace/collect/table';
import type { RecordedCollection } from '../../tools/trace/recorded';
import { shown } from './notes';
import type { Cell, Remark, Row, Table } from './table';

const MAX_OF_A_VALUE = 300;
const MAX_ROWS = 20_000;

/** Returns the tables of a collection, one for each probe, and those that compare it with an earlier collection. */
export function collectionTables(recorded: RecordedCollection): readonly Table[] {
  const { collection, compared } = recorded;
  return collection.probes.flatMap((probe) => {
    const table = probeTable(recorded, probe);
    return compared === undefined ? [table] : [comparedTable(compared, collection, probe), table];
  });
}

function probeTable({ collection, mayMissHits }: RecordedCollection, probe: Probe): Table {
  const own = hitsOf(collection, probe);
  const callers = new Set(own.map(({ caller }) => caller)).size > 1;
  const threads = new Set(own.map(({ thread }) => thread)).size > 1;
  const { expressions, expect } = probe;
  return {
    title: `${collection.id} · ${placeOf(probe)}`,
    columns: [
      l10n.t('Hit'),
      ...(threads ? [l10n.t('Thread')] : []),
      ...(callers ? [l10n.t('Caller')] : []),
      ...expressions.map((text) => shown(text, MAX_OF_A_VALUE)),
      ...(expect === undefined ? [] : [shown(expect, MAX_OF_A_VALUE)]),
    ],
    rows: own.slice(0, MAX_ROWS).map((hit) => ({
      cells: [
        { text: `${hit.number}` },
        ...(threads ? [{ text: shown(hit.thread, MAX_OF_A_VALUE) }] : []),
        ...(callers ? [{ text: shown(hit.caller ?? '', MAX_OF_A_VALUE) }] : []),
        ...expressions.map((_, index) => valueCell(hit, index)),
        ...(expect === undefined ? [] : [claimCell(hit)]),
      ],
      place: probe,
    })),
    remarks: [
      ...(expect === undefined ? [] : [verdict(probe, own, !mayMissHits)]),
      ...(mayMissHits ? [{ text: l10n.t('Some hits may be missing.') }] : []),
      ...cutRemarks(own.length),
    ],
  };
}

/** Returns the verdict on a claim. It is that of the result for the agent. */
function verdict(probe: Probe, hits: readonly Hit[], isSure: boolean): Remark {
  const claim = shown(probe.expect ?? '', MAX_OF_A_VALUE);
  const { expect, refuted_hits: refuted } = claimResult(probe, hits, isSure);
  switch (expect) {
    case 'refuted':
      return {
        text: l10n.t('Refuted at {0} of {1} hits: {2}', Number(refuted), hits.length, claim),
        isBad: true,
      };
    case 'confirmed':
      return { text: l10n.t('Confirmed at all {0} hits: {1}', hits.length, claim) };
    case 'not_refuted':
      return { text: l10n.t('Not refuted at the {0} recorded hits: {1}', hits.length, claim) };
    case 'not_evaluated':
      return { text: l10n.t('Not evaluated at some hits: {0}', claim) };
    case 'unknown':
      return { text: l10n.t('Unknown, because hits may have been missed: {0}', claim) };
    default:
      return { text: l10n.t('Never reached: {0}', claim) };
  }
}

/** Returns the hits of two collections side by side, aligned by their numbers. */
function comparedTable(before: Collection, now: Collection, probe: Probe): Table {
  const [old, fresh] = [sideOf(before, probe), sideOf(now, probe)];
  const numbers = [...new Set([...old.hits.keys(), ...fresh.hits.keys()])];
  const rows = numbers
    .sort((one, other) => one - other)
    .slice(0, MAX_ROWS)
    .map((number): Row => {
      const cells = pairedCells(probe, number, old, fresh);
      return { cells: [{ text: `${number}` }, ...cells], place: probe };
    });
  return {
    title: `${before.id} ↔ ${now.id} · ${placeOf(probe)}`,
    columns: [
      l10n.t('Hit'),
      ...probe.expressions.flatMap((text) =>
        [before.id, now.id].map((id) => `${shown(text, MAX_OF_A_VALUE)} (${id})`),
      ),
      l10n.t('Difference'),
    ],
    rows,
    remarks: cutRemarks(numbers.length),
  };
}

/** The hits of one collection at a probe, by their numbers, with their positions among all hits. */
interface Side {
  readonly collection: Collection;
  readonly hits: ReadonlyMap<number, { readonly hit: Hit; readonly at: number }>;
}

function sideOf(collection: Collection, { id }: Probe): Side {
  const own = collection.hits.flatMap((hit, at) => (hit.probe === id ? [{ hit, at }] : []));
  return { collection, hits: new Map(own.map((each) => [each.hit.number, each])) };
}

function pairedCells(probe: Probe, number: number, before: Side, now: Side): readonly Cell[] {
  const [old, fresh] = [before.hits.get(number), now.hits.get(number)];
  const states = probe.expressions.map((_, index) => stateOf(old?.hit, fresh?.hit, index));
  const cells = probe.expressions.flatMap((_, index) =>
    [old, fresh].map((found): Cell => {
      if (found === undefined) return { text: '', state: 'missing' };
      return { text: valueCell(found.hit, index).text, state: states[index] };
    }),
  );
  if (old !== undefined && fresh !== undefined)
    return [...cells, differenceCell(states, old.hit, fresh.hit)];
  const [has, lacks] = old === undefined ? [now, before] : [before, now];
  return [...cells, missingCell((old ?? fresh)?.at ?? 0, has, lacks)];
}

/** A collection that ended before its program says nothing about the hits behind its end. */
function missingCell(at: number, has: Side, lacks: Side): Cell {
  return lacks.collection.isCut && at >= lacks.collection.hits.length
    ? { text: l10n.t('not compared'), state: 'unknown' }
    : { text: l10n.t('only in {0}', has.collection.id), state: 'different' };
}

function stateOf(old: Hit | undefined, fresh: Hit | undefined, index: number): Cell['state'] {
  if (old === undefined || fresh === undefined) return undefined;
  const found = sameness(old, fresh, index, 'twoRuns');
  return found === 'same' ? undefined : found;
}

function differenceCell(states: readonly Cell['state'][], old: Hit, fresh: Hit): Cell {
  if (states.includes('different') || old.claim !== fresh.claim)
    return { text: l10n.t('different'), state: 'different' };
  return states.includes('unknown')
    ? { text: l10n.t('unknown'), state: 'unknown' }
    : { text: l10n.t('same') };
}

function valueCell(hit: Hit, index: number): Cell {
  const value = hit.values[index];
  const text = shown(shownValue(value) ?? '', MAX_OF_A_VALUE);
  if (value === undefined) return { text, state: 'missing' };
  return typeof value === 'string' ? { text } : { text, state: 'error' };
}

function claimCell({ claim }: Hit): Cell {
  if (claim === true) return { text: l10n.t('holds') };
  if (claim === false) return { text: l10n.t('refuted'), state: 'refuted' };
  return { text: shown(`!${claim ?? ''}`, MAX_OF_A_VALUE), state: 'error' };
}

function cutRemarks(rows: number): readonly Remark[] {
  if (rows <= MAX_ROWS) return [];
  return [{ text: l10n.t('The first {0} of {1} hits are shown.', MAX_ROWS, rows) }];
}

function hitsOf({ hits }: Collection, { id }: Probe): readonly Hit[] {
  return hits.filter((hit) => hit.probe === id);
}

function placeOf({ path: file, line, functionName }: Probe): string {
  const at = `${path.basename(file)}:${line}`;
  return functionName === undefined ? at : `${at} ${shown(functionName, 100)}`;
}
