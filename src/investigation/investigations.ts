import * as l10n from '@vscode/l10n';
import { Failure } from '../results/failure';
import { Listeners, type Subscription } from '../util/listeners';
import { SerialQueue } from '../util/serialQueue';
import type { FileEntry, SessionFiles } from './files';
import { logLines, vdtLine } from './logLines';
import { checkPath, dayOf, isSessionId, newSessionId, type Place } from './paths';
import { META, record, type FailureRecord, type InvestigationRecord } from './record';
import type { Scrub } from './scrub';

export interface InvestigationOptions {
  readonly timeToLiveDays: () => number;
  /** Adds an entry to the person's log. */
  readonly log?: (line: string) => void;
  readonly now?: () => Date;
  readonly random?: () => number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_ERRORS = 100;
const MAX_META_BYTES = 4 * 1024 * 1024;
const MAX_READ_BYTES = 1024 * 1024;

/**
 * The investigations of a workspace: their records and files. All data is on the disk, so an investigation survives a
 * reload of the window. Changes of one record are executed one after another.
 */
export class Investigations {
  private readonly changed = new Listeners();
  private readonly queues = new Map<string, SerialQueue>();
  private readonly now: () => Date;
  private readonly random: () => number;
  private changes = 0;

  constructor(
    readonly files: SessionFiles,
    readonly scrub: Scrub,
    private readonly options: InvestigationOptions,
  ) {
    this.now = options.now ?? (() => new Date());
    this.random = options.random ?? Math.random;
  }

  /** A number that increases with each change. */
  get version(): number {
    return this.changes;
  }

  onDidChange(listener: () => void): Subscription {
    return this.changed.add(listener);
  }

  async start(title: string): Promise<InvestigationRecord> {
    const taken = new Set(await this.files.sessions());
    let sid = this.newId();
    while (taken.has(sid)) sid = this.newId();
    const createdAt = this.now();
    const expiresAt = new Date(createdAt.getTime() + this.options.timeToLiveDays() * DAY_MS);
    const started: InvestigationRecord = record.parse({
      version: 1,
      sid,
      title: await this.scrub.text(title),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    });
    await this.save(started);
    this.log(logLines(undefined, started));
    return started;
  }

  /** The investigations that have not expired, newest first. */
  async list(): Promise<readonly InvestigationRecord[]> {
    const all = await Promise.all(
      (await this.files.sessions()).filter(isSessionId).map(async (sid) => await this.load(sid)),
    );
    return all
      .filter((found) => found !== undefined)
      .filter((found) => !this.isExpired(found))
      .sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  }

  /** @throws Failure `investigation_not_found` for an id that is unknown, expired or of another workspace */
  async find(sid: string): Promise<InvestigationRecord> {
    const found = isSessionId(sid) ? await this.load(sid) : undefined;
    if (found === undefined || this.isExpired(found)) throw await this.notFound(sid, found);
    return found;
  }

  /** An investigation that has not ended. @throws Failure `investigation_not_found`, `session_ended` */
  async findOpen(sid: string): Promise<InvestigationRecord> {
    const found = await this.find(sid);
    if (found.endedAt !== undefined) throw hasEnded(sid);
    return found;
  }

  /** Changes a record. @throws Failure `investigation_not_found` */
  async update(
    sid: string,
    change: (current: InvestigationRecord) => Partial<InvestigationRecord>,
  ): Promise<InvestigationRecord> {
    return await this.queueOf(sid).run(async () => {
      const current = await this.find(sid);
      const next = { ...current, ...change(current) };
      await this.save(next);
      this.log(logLines(current, next));
      return next;
    });
  }

  /** Writes a document of an investigation, without credentials. */
  async writeText(sid: string, path: string, text: string): Promise<void> {
    checkPath(path);
    await this.files.write(sid, path, await this.scrub.text(text));
    this.notify();
  }

  /** Writes JSON of an investigation, without credentials. */
  async writeJson(sid: string, path: string, value: object): Promise<void> {
    checkPath(path);
    await this.files.write(
      sid,
      path,
      `${JSON.stringify(await this.scrub.value(value), null, 2)}\n`,
    );
    this.notify();
  }

  async writeBytes(sid: string, path: string, data: Uint8Array): Promise<void> {
    checkPath(path);
    await this.files.write(sid, path, data);
    this.notify();
  }

  /** The beginning of a file, or the requested lines of it. @throws Failure */
  async read(place: Place, mostBytes = MAX_READ_BYTES): Promise<ReadFile> {
    checkPath(place.path);
    await this.find(place.sid);
    const { lines } = place;
    if (lines !== undefined)
      return await readLines(this.files.pieces(place.sid, place.path), lines, mostBytes);
    const data = await this.files.read(place.sid, place.path, mostBytes + 1);
    if (data === undefined) throw fileNotFound(place);
    return { data: data.subarray(0, mostBytes), isCut: data.byteLength > mostBytes };
  }

  /** @throws Failure `investigation_not_found` */
  async entries(sid: string): Promise<readonly FileEntry[]> {
    await this.find(sid);
    return await this.files.entries(sid);
  }

  /** Records an error of a tool. If the id does not exist, nothing is recorded. */
  async recordError(sid: string, error: Omit<FailureRecord, 'at' | 'isError'>): Promise<void> {
    const at = this.now().toISOString();
    const message = await this.scrub.text(error.message);
    await this.update(sid, ({ errors }) => ({
      errors: [...errors, { ...error, message, at, isError: true as const }].slice(-MAX_ERRORS),
    })).catch((failure: unknown) => {
      if (!(failure instanceof Failure)) throw failure;
    });
  }

  async remove(sid: string): Promise<void> {
    await this.queueOf(sid).run(async () => await this.files.remove(sid));
    this.queues.delete(sid);
    this.log([vdtLine(sid, 'removed')]);
    this.notify();
  }

  /**
   * Removes expired investigations, and equally old folders without a readable record.
   * @returns the number of removed ones
   */
  async purge(): Promise<number> {
    let removed = 0;
    for (const sid of (await this.files.sessions()).filter(isSessionId)) {
      const found = await this.load(sid);
      if (found === undefined ? !(await this.isOld(sid)) : !this.isExpired(found)) continue;
      await this.remove(sid);
      removed += 1;
    }
    return removed;
  }

  /**
   * Ends the records of captures from before a reload of the window, because the process that ran them no longer
   * exists.
   */
  async closeAbandoned(isRunning: (sid: string, capture: string) => boolean): Promise<void> {
    for (const { sid, captures } of await this.list()) {
      const isAbandoned = (id: string, endedAt: string | undefined): boolean =>
        endedAt === undefined && !isRunning(sid, id);
      if (!captures.some((capture) => isAbandoned(capture.id, capture.endedAt))) continue;
      await this.update(sid, (current) => ({
        captures: current.captures.map((capture) =>
          isAbandoned(capture.id, capture.endedAt)
            ? { ...capture, endedAt: this.now().toISOString(), endedBy: 'window_closed' as const }
            : capture,
        ),
      }));
    }
  }

  private newId(): string {
    return newSessionId(this.now(), [1, 2, 3, 4].map(this.random));
  }

  private isExpired({ expiresAt }: InvestigationRecord): boolean {
    return this.now().getTime() >= Date.parse(expiresAt);
  }

  /** Whether a folder without a readable record has not changed for as long as records are kept. */
  private async isOld(sid: string): Promise<boolean> {
    const entries = await this.files.entries(sid);
    const newest = Math.max(dayOf(sid), ...entries.map(({ changedAt }) => changedAt));
    return this.now().getTime() >= newest + this.options.timeToLiveDays() * DAY_MS;
  }

  private async load(sid: string): Promise<InvestigationRecord | undefined> {
    const data = await this.files.read(sid, META, MAX_META_BYTES);
    if (data === undefined) return undefined;
    try {
      const parsed = record.safeParse(JSON.parse(new TextDecoder().decode(data)));
      return parsed.success && parsed.data.sid === sid ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  private async save(value: InvestigationRecord): Promise<void> {
    // A command line or a title may also contain a credential.
    const shown = await this.scrub.value(value);
    await this.files.write(value.sid, META, `${JSON.stringify(shown, null, 2)}\n`);
    this.notify();
  }

  private log(lines: readonly string[]): void {
    for (const line of lines) this.options.log?.(line);
  }

  private notify(): void {
    this.changes += 1;
    this.changed.notify();
  }

  private queueOf(sid: string): SerialQueue {
    const queue = this.queues.get(sid) ?? new SerialQueue();
    this.queues.set(sid, queue);
    return queue;
  }

  private async notFound(sid: string, found: InvestigationRecord | undefined): Promise<Failure> {
    const others = (await this.list()).slice(0, 5).map((investigation) => investigation.sid);
    const message =
      found === undefined
        ? l10n.t('There is no investigation {0} in this workspace.', sid.slice(0, 40))
        : l10n.t('Investigation {0} has expired.', sid);
    return new Failure(
      'investigation_not_found',
      message,
      others.length > 0
        ? 'Use one of investigations, or call start_session for a new one.'
        : 'Call start_session, and use the sid that it returns.',
      others.length > 0 ? { investigations: others } : {},
    );
  }
}

export interface ReadFile {
  readonly data: Uint8Array;
  /** Whether the file has more content than was read. */
  readonly isCut: boolean;
}

async function readLines(
  pieces: AsyncIterable<Uint8Array>,
  { from, to }: { readonly from: number; readonly to: number },
  mostBytes: number,
): Promise<ReadFile> {
  const decoder = new TextDecoder();
  const selected: string[] = [];
  let [open, index, characters] = ['', 0, 0];
  for await (const piece of pieces) {
    const lines = (open + decoder.decode(piece, { stream: true })).split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) {
      if (index >= from && index <= to) {
        selected.push(line);
        characters += line.length;
      }
      index += 1;
    }
    if (index > to || characters > mostBytes) break;
  }
  if (open !== '' && index >= from && index <= to) selected.push(open);
  const data = new TextEncoder().encode(selected.join('\n'));
  return { data: data.subarray(0, mostBytes), isCut: data.byteLength > mostBytes };
}

/** The error of a call for an investigation whose summary has been written. */
export function hasEnded(sid: string): Failure {
  return new Failure(
    'session_ended',
    l10n.t('Investigation {0} has ended.', sid),
    'Call start_session for a new one. Nothing was done.',
  );
}

function fileNotFound({ sid, path }: Place): Failure {
  return new Failure(
    'file_not_found',
    l10n.t('Investigation {0} has no file {1}.', sid, path),
    'Read meta.json, or list the resources.',
  );
}
