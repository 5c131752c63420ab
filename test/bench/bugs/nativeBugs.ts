import { EACH_HIT, SYMPTOM, type Bug, type OneCall } from './bug';

const native = (file: string, bug: Omit<Bug, 'language' | 'file'>): Bug => ({
  language: 'C++',
  file: `native/${file}.cpp`,
  ...bug,
});

/** Probes at the suspected line and a later one with the value. Without an assignment none can be read in between. */
function around(before: readonly string[], after: readonly string[]): OneCall {
  return {
    tool: 'collect_values',
    probes: [
      { at: 'cause', expressions: before },
      { at: 'after', expressions: after },
    ],
  };
}

export const NATIVE_BUGS: readonly Bug[] = [
  native('readings', {
    title: 'mutation while iterating',
    shows: /\b6900\b/,
    runs: [SYMPTOM, EACH_HIT, { at: 'after', condition: 'lookedAt == 6453', until: 'over' }],
    calls: [around(['lookedAt'], ['lookedAt'])],
  }),
  native('tanks', {
    title: 'unsigned underflow',
    shows: /\b4294967236\b/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [around(['litres_', 'wanted'], ['left'])],
  }),
  native('blocks', {
    title: 'off by one in the last round',
    shows: /\b1279\b/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [{ tool: 'trace_function', name: 'blocksOf' }],
  }),
  native('accounts', {
    title: 'a copy instead of an alias',
    shows: /\b3600\b/,
    runs: [SYMPTOM, EACH_HIT, { at: 'cause', condition: 'transfer.amount == 2305', until: 'over' }],
    calls: [around(['transfer.to', 'transfer.amount'], ['balance'])],
  }),
  native('offers', {
    title: 'stale index after a sort',
    shows: /\b1890\b/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [around(['cheapest'], ['paid'])],
  }),
  native('parcels', {
    title: 'a case that falls through',
    shows: /\b4381\b/,
    runs: [SYMPTOM, EACH_HIT, { at: 'begin', condition: 'parcel.id == 80', until: 'over' }],
    calls: [
      {
        tool: 'collect_values',
        probes: [{ at: 'after', expressions: ['parcel.id', 'parcel.kind', 'fee'] }],
      },
      { tool: 'trace_function', name: 'feeOf', condition: 'parcel.id == 80' },
    ],
  }),
  native('levels', {
    title: 'too few bits',
    shows: /-32386\b/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [around(['level', 'millimetres'], ['now'])],
  }),
  native('stock', {
    title: 'a lookup that inserts',
    shows: /\b1200\b/,
    runs: [SYMPTOM, EACH_HIT, { at: 'cause', condition: 'article == 8110', until: 'over' }],
    calls: [around(['article'], ['article', 'share'])],
  }),
];
