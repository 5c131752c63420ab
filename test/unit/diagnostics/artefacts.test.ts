import { strict as assert } from 'node:assert';
import {
  artefactName,
  kindOfArtefact,
  olderThan,
  sizeText,
  type Artefact,
} from '../../../src/diagnostics/artefacts';

describe('diagnostics files', () => {
  const DAY = 86_400_000;

  it('are recognized by their names; no other file is', () => {
    for (const kind of ['profile', 'heap', 'report'] as const)
      assert.equal(kindOfArtefact(artefactName(kind, new Date())), kind);
    assert.equal(
      artefactName('profile', new Date('2026-11-23T17:00:14.123Z')),
      'cpu-profile-2026-11-23T17-00-14-123Z.cpuprofile',
    );
    for (const name of [
      'notes.md',
      'report.zip',
      'cpu-profile-2026-11-23T17-00-14-123Z.zip',
      '../report-2026-11-23T17-00-14-123Z.zip',
      'report-2026-11-23T17-00-14-123Z.zip.bak',
      'constructor',
    ])
      assert.equal(kindOfArtefact(name), undefined, name);
  });

  it('are old after the given number of days', () => {
    const now = 100 * DAY;
    const files: Artefact[] = [0, 29.9, 30.1, 90].map((days) => ({
      name: `${days}`,
      kind: 'heap',
      bytes: 1,
      changedAt: now - days * DAY,
    }));
    const names = (days: number): string[] => olderThan(files, days, now).map((each) => each.name);
    assert.deepEqual(names(30), ['30.1', '90']);
    assert.deepEqual(names(0), ['29.9', '30.1', '90']);
    assert.deepEqual(names(100), []);
  });

  it('have sizes in readable units', () => {
    assert.deepEqual([999, 1500, 2_500_000].map(sizeText), ['999 B', '1.5 kB', '2.5 MB']);
  });
});
