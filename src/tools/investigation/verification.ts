import { compare, ErrorCollector, type ComparedRun } from '../../investigation/comparison';
import { verifyDocument } from '../../investigation/documents';
import { uriOf } from '../../investigation/paths';
import { forEachEvent } from '../../investigation/readCapture';
import type { CaptureRecord } from '../../investigation/record';
import type { ToolServices } from '../services';

/** Compares a run with the capture before the fix, and stores the result. */
export async function compareRuns(
  services: ToolServices,
  id: string,
  before: CaptureRecord,
  record: CaptureRecord,
) {
  const { investigations } = services.investigation;
  const [one, other] = [await errorsOf(services, id, before), await errorsOf(services, id, record)];
  const comparison = compare(one, other, isOtherRun(before, await stored(services, id, record)));
  const number = record.id.slice(1);
  const file = `analysis/verify-${number}.md`;
  const at = new Date().toISOString();
  await investigations.writeText(id, file, verifyDocument(record, before, comparison));
  await investigations.writeJson(id, `snapshots/verify-${number}.json`, {
    at,
    run: record,
    against: before,
    ...comparison,
  });
  await investigations.update(id, ({ verifications }) => ({
    verifications: [
      ...verifications,
      {
        id: record.id,
        at,
        capture: record.id,
        against: before.id,
        verdict: comparison.verdict,
        file,
      },
    ],
  }));
  return { ...comparison, against: before.id, link: uriOf(id, file) };
}

/** Returns the record of a run as it is stored, without credentials. The capture's record is stored like that, too. */
async function stored(
  { investigation: { investigations } }: ToolServices,
  id: string,
  run: CaptureRecord,
): Promise<CaptureRecord> {
  const { captures } = await investigations.find(id);
  return captures.find((capture) => capture.id === run.id) ?? run;
}

/** Whether a run is another one than the captured run, and the person was not shown that it stands for it. */
function isOtherRun(before: CaptureRecord, run: CaptureRecord): boolean {
  if (run.standsForCapture === true) return false;
  return run.source !== before.source || run.what !== before.what || run.cwd !== before.cwd;
}

async function errorsOf(
  services: ToolServices,
  id: string,
  record: CaptureRecord,
): Promise<ComparedRun> {
  const collector = new ErrorCollector();
  const { files } = services.investigation.investigations;
  await forEachEvent(files, id, record.file, (event) => collector.add(event));
  return { record, errors: collector.finish() };
}
