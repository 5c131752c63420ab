import { EACH_HIT, SYMPTOM, type Bug } from './bug';

const python = (file: string, test: string, bug: Omit<Bug, 'language' | 'file' | 'test'>): Bug => ({
  language: 'Python',
  file: `python/test_${file}.py`,
  test: `test_${test}`,
  ...bug,
});

export const PYTHON_BUGS: readonly Bug[] = [
  python('notes', 'a_label_has_the_lines_of_its_order', {
    title: 'wrong default',
    shows: /K-1044.{1,12}express K-2071|K-2071\W+express K-1044/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [{ tool: 'collect_values', probes: [{ at: 'cause', expressions: ['code', 'notes'] }] }],
  }),
  python('queue', 'long_jobs_are_deferred', {
    title: 'mutation while iterating',
    shows: /\b5158\b/,
    // The symptom names the day: only its queue has such a long job.
    runs: [SYMPTOM, { at: 'begin', condition: '6200 in queue', until: 'over' }],
    calls: [{ tool: 'trace_function', name: 'defer_long_jobs', condition: '6200 in queue' }],
  }),
  python('bands', 'parcels_are_insured_by_their_band', {
    title: 'late binding',
    shows: /\b1200\b[^]*0\.0775|0\.0775[^]*\b1200\b/,
    runs: [SYMPTOM, { at: 'cause', until: 'next' }],
    calls: [
      {
        tool: 'collect_values',
        probes: [{ at: 'cause', expressions: ['locals().get("value")', 'rate'] }],
      },
    ],
  }),
  python('shifts', 'shifts_count_for_the_day_in_kyiv', {
    title: 'time zones',
    shows: /2026, 3, 31, 23, 30|2026-03-31 23:30:00\+02:00/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [
          {
            at: 'cause',
            expressions: ['text', 'str(datetime.fromisoformat(text).replace(tzinfo=KYIV))'],
          },
        ],
      },
    ],
  }),
  python('shares', 'a_party_pays_its_share', {
    title: 'precision',
    shows: /\b1062\b(?!\.)/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [{ at: 'cause', expressions: ['amount / parties', 'round(amount / parties)'] }],
      },
    ],
  }),
  python('rates', 'a_year_has_the_rates_of_its_months', {
    title: 'stale cache',
    shows: /2026-07[^]*1650|1650[^]*2026-07/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [{ at: 'cause', expressions: ['month', 'rate_of(region)', 'TABLE[region]'] }],
      },
    ],
  }),
  python('departments', 'the_report_has_all_costs', {
    title: 'a generator read twice',
    shows: /\b7013\b/,
    runs: [
      SYMPTOM,
      EACH_HIT,
      { at: 'begin', condition: 'department == "logistics"', until: 'over' },
    ],
    calls: [
      {
        tool: 'collect_values',
        probes: [
          { at: 'cause', expressions: ['department'] },
          { at: 'after', expressions: ['department', 'rows', 'cost'] },
        ],
      },
    ],
  }),
  python('branches', 'no_branch_has_more_than_it_received', {
    title: 'shared state',
    shows: /\b3550\b/,
    runs: [SYMPTOM, EACH_HIT],
    calls: [
      {
        tool: 'collect_values',
        probes: [
          {
            at: 'cause',
            expressions: ['self.name', 'sku', 'count', 'self.stock.get(sku, 0) + count'],
          },
        ],
      },
    ],
  }),
];
