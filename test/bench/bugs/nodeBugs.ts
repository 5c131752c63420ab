import { EACH_HIT, SYMPTOM, type Bug } from './bug';

const node = (file: string, test: string, bug: Omit<Bug, 'language' | 'file' | 'test'>): Bug => ({
  language: 'Node',
  file: `node/${file}.test.js`,
  test,
  ...bug,
});

export const NODE_BUGS: readonly Bug[] = [
  node('tenants', 'only tenants with a discount pay less', {
    title: 'shared state',
    shows: /hill[^]*2375|2375[^]*hill/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [{ at: 'cause', expressions: ['tenant.name', 'DEFAULTS.discount'] }],
      },
    ],
  }),
  node('screws', 'the orders of a day come to their amount', {
    title: 'aliasing',
    shows: /\b4730\b/,
    runs: [SYMPTOM, EACH_HIT, { at: 'cause', condition: 'wanted === 3330', until: 'over' }],
    calls: [
      {
        tool: 'collect_values',
        probes: [
          {
            at: 'cause',
            expressions: [
              'sku',
              'wanted',
              'CATALOGUE.get(sku).quantity',
              'CATALOGUE.get(sku).quantity + wanted',
            ],
          },
        ],
      },
    ],
  }),
  node('medians', 'the level is the mean of the medians', {
    title: 'ordering',
    shows: /1010.{1,9}997/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [{ at: 'cause', expressions: ['[...readings].sort().join()'] }],
      },
    ],
  }),
  node('batches', 'all items arrive', {
    title: 'off by one in the last round',
    shows: /end: 33 → 35|"end"[^}]*"35"/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [{ tool: 'trace_function', name: 'sendAll' }],
  }),
  node('deposits', 'all deposits of a day are booked', {
    title: 'async',
    shows: /\b8689\b/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [
          {
            at: 'cause',
            expressions: ['amount', 'before', 'account.balance', 'before + amount - fee'],
          },
        ],
      },
    ],
  }),
  node('quotes', 'a month has the prices of its days', {
    title: 'stale cache',
    shows: /2026-03-10[^]*1250|1250[^]*2026-03-10/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [
          {
            at: 'cause',
            expressions: ['day', 'cache.get(article)', 'priceOn(article, day)'],
          },
        ],
      },
    ],
  }),
  node('months', 'bookings count for their month', {
    title: 'time zones',
    shows: /Mar 31 2026 20:00/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [{ at: 'cause', expressions: ['booking.on', 'String(new Date(booking.on))'] }],
      },
    ],
  }),
  node('cents', 'a receipt comes to the sum of its rows', {
    title: 'precision',
    shows: /\b1998\b/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [{ at: 'cause', expressions: ['price', 'Math.trunc(price * 100)'] }],
      },
    ],
  }),
];
