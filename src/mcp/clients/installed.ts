import { isFields } from '../../debugger/protocol';
import { afterEarlier, type Undo } from './configurationFile';

/** Stores a text that others cannot read. */
export interface Keeper {
  read(): PromiseLike<string | undefined>;
  write(text: string): PromiseLike<void>;
}

/** The undos of changed settings files. They survive a restart. The replaced text may contain a key. */
export class Installed {
  constructor(private readonly keeper: Keeper) {}

  async find(file: string): Promise<Undo | undefined> {
    return (await this.all()).find((undo) => undo.file === file);
  }

  /** Adds a change. It is undone together with earlier changes of the same file. */
  async add(undo: Undo): Promise<void> {
    const earlier = await this.find(undo.file);
    await this.replace(undo.file, earlier === undefined ? undo : afterEarlier(earlier, undo));
  }

  async remove(file: string): Promise<void> {
    await this.replace(file, undefined);
  }

  /** Replaces the undo of a file. @param undo the new undo; undefined if there is nothing to undo */
  async replace(file: string, undo: Undo | undefined): Promise<void> {
    const others = (await this.all()).filter((other) => other.file !== file);
    await this.keeper.write(JSON.stringify(undo === undefined ? others : [...others, undo]));
  }

  private async all(): Promise<readonly Undo[]> {
    try {
      const value: unknown = JSON.parse((await this.keeper.read()) ?? '[]');
      return Array.isArray(value) ? value.filter(isUndo) : [];
    } catch {
      return [];
    }
  }
}

function isUndo(value: unknown): value is Undo {
  return (
    isFields(value) &&
    typeof value['file'] === 'string' &&
    typeof value['hash'] === 'string' &&
    typeof value['offset'] === 'number' &&
    typeof value['length'] === 'number' &&
    typeof value['replaced'] === 'string' &&
    typeof value['existed'] === 'boolean' &&
    ['number', 'undefined'].includes(typeof value['mode']) &&
    ['string', 'undefined'].includes(typeof value['madeFolder']) &&
    ['string', 'undefined'].includes(typeof value['hashBefore']) &&
    ['boolean', 'undefined'].includes(typeof value['madeContainer'])
  );
}
