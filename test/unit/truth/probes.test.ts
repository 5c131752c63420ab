import { strict as assert } from 'node:assert';
import { followLinksBy } from '../../../src/debugger/sourcePath';
import {
  recordable,
  recordingBreakpoints,
  unrecordable,
  type RecordingPoint,
} from '../../../src/recording/recordingPlan';
import { launched } from '../support/events';
import { Random } from '../support/random';
import { bench } from '../support/services';

const FILES = ['/real/a.js', '/link/a.js', '/real/b.js'] as const;
const WRONG = ['a b', 'x)', '(', '1 + */'] as const;

type Point = RecordingPoint & { readonly values: readonly string[] };

function pointsOf(random: Random): readonly Point[] {
  return random.some(12, (index) => ({
    id: index + 1,
    path: random.of(FILES),
    line: 1 + random.below(3),
    column: random.of([undefined, 1, 5]),
    values: random.some(2, () => (random.once(5) ? random.of(WRONG) : `v${index}`)),
    claim: random.once(3) ? `c${index} > 0` : undefined,
  }));
}

describe('rule 9: a probe', () => {
  before(() => followLinksBy((file) => file.replace('/link/', '/real/')));
  after(() => followLinksBy((file) => file));

  for (const sessionType of ['debugpy', 'pwa-node'])
    it(`has a breakpoint at its place, one with the others there, whatever is wrong with others (${sessionType})`, () => {
      const on = bench();
      for (const event of launched('a', { sessionType })) on.model.dispatch(event);
      const session = on.session();
      const random = new Random(10);
      let shared = 0;
      for (let round = 0; round < 300; round += 1) {
        const points = pointsOf(random);
        const groups = recordable(session, { isIncluded: () => true, points, maxHits: 9 });
        const place = { name: 'n', folder: '/f' };
        const breakpoints = recordingBreakpoints(session, groups, place);
        const text = JSON.stringify([points, breakpoints]);
        const keys = breakpoints.map(({ path, line, column }) =>
          JSON.stringify([path.replace('/link/', '/real/'), line, column]),
        );
        // Of two breakpoints at one place, adapters use one.
        assert.equal(new Set(keys).size, keys.length, text);
        for (const point of points) {
          const isWrong =
            sessionType !== 'debugpy' &&
            point.values.some((value) => WRONG.some((wrong) => wrong === value));
          assert.equal(unrecordable(session, point) !== undefined, isWrong, text);
          const at = groups.filter((group) => group.includes(point));
          assert.equal(at.length, isWrong ? 0 : 1, text);
          const key = JSON.stringify([
            ...[point.path.replace('/link/', '/real/'), point.line, point.column],
          ]);
          const breakpoint = breakpoints[keys.indexOf(key)];
          if (isWrong) continue;
          const { condition = '' } = breakpoint ?? {};
          if (sessionType === 'debugpy') assert.match(condition, new RegExp(`\\b${point.id}\\b`));
          else for (const value of point.values) assert.ok(condition.includes(value), text);
          if ((at[0]?.length ?? 0) > 1) shared += 1;
        }
      }
      assert.ok(shared > 100, String(shared));
    });
});
