import { isFields } from '../../debugger/protocol';
import { afterEarlier, type Undo } from './configurationFile';

/** Keeps a text where others cannot read it. */
export interface Keeper {
  read(): PromiseLike<string | undefined>;
  write(text: string): PromiseLike<void>;
}

/** How each file that we wrote is taken back, over the window's life. What was replaced may hold a key. */
export class Installed {
  constructor(private readonly keeper: Keeper) {}

  async find(file: string): Promise<Undo | undefined> {
    return (await this.all()).find((each) => each.file === file);
  }

  /** Of a file that we wrote before, what takes back all that we did stays. */
  async add(undo: Undo): Promise<void> {
    const earlier = await this.find(undo.file);
    await this.replace(undo.file, earlier === undefined ? undo : afterEarlier(earlier, undo));
  }

  async remove(file: string): Promise<void> {
    await this.replace(file, undefined);
  }

  /** As it was before the last `add`, say. */
  async replace(file: string, undo: Undo | undefined): Promise<void> {
    const others = (await this.all()).filter((each) => each.file !== file);
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
