import { isFields } from '../../debugger/protocol';
import type { Undo } from './configurationFile';

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

  async add(undo: Undo): Promise<void> {
    await this.keeper.write(JSON.stringify([...(await this.all()).filter(({ file }) => file !== undo.file), undo]));
  }

  async remove(file: string): Promise<void> {
    await this.keeper.write(JSON.stringify((await this.all()).filter((each) => each.file !== file)));
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
    isFields(value) && typeof value['file'] === 'string' && typeof value['hash'] === 'string' && typeof value['offset'] === 'number' && typeof value['length'] === 'number' &&
    typeof value['replaced'] === 'string' && typeof value['existed'] === 'boolean' && ['number', 'undefined'].includes(typeof value['mode']) && ['string', 'undefined'].includes(typeof value['madeFolder'])
  );
}
