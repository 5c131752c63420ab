import { cutText } from '../debugger/texts';

export interface Bounds {
  readonly events: number;
  readonly characters: number;
  /** Most characters of one event; a longer one is cut, and marked. */
  readonly eventCharacters: number;
}

export const BOUNDS: Bounds = { events: 1000, characters: 512_000, eventCharacters: 64_000 };

/** Room for the mark at the end of a cut text. */
const MARK = 40;

/** The newest items, within bounds. The oldest make room, and are counted. */
export class BoundedBuffer<Item extends { readonly text: string }> {
  /** Those before `first` are gone. Their places are taken out together, because taking out one moves all others. */
  private kept: (Item | undefined)[] = [];
  private first = 0;
  private length = 0;
  private count = 0;

  constructor(readonly bounds: Bounds = BOUNDS) {}

  get items(): readonly Item[] {
    return this.kept.slice(this.first).filter((each) => each !== undefined);
  }

  /** The number of items that have been added, including those that are gone. */
  get total(): number {
    return this.count;
  }

  get dropped(): number {
    return this.count - (this.kept.length - this.first);
  }

  get characters(): number {
    return this.length;
  }

  /** The text as it may be added: cut, with its real length, where it is too long. */
  fit(text: string): string {
    const most = this.bounds.eventCharacters;
    return text.length <= most ? text : cutText(text, Math.max(0, most - MARK));
  }

  add(item: Item): void {
    this.kept.push(item);
    this.count += 1;
    this.length += item.text.length;
    this.makeRoom();
  }

  /** Puts an item in the place of another; false where that is gone. */
  replace(before: Item, now: Item): boolean {
    const index = this.kept.lastIndexOf(before);
    if (index < this.first) return false;
    this.kept[index] = now;
    this.length += now.text.length - before.text.length;
    this.makeRoom();
    return true;
  }

  clear(): void {
    this.kept = [];
    this.first = 0;
    this.length = 0;
    this.count = 0;
  }

  private makeRoom(): void {
    const { events, characters } = this.bounds;
    const { kept } = this;
    while (kept.length - this.first > events || this.isTooLong(characters)) {
      this.length -= kept[this.first]?.text.length ?? 0;
      kept[this.first] = undefined;
      this.first += 1;
    }
    if (this.first < TAKEN_OUT) return;
    this.kept = kept.slice(this.first);
    this.first = 0;
  }

  private isTooLong(characters: number): boolean {
    return this.length > characters && this.kept.length - this.first > 1;
  }
}

/** The number of places that are taken out together. */
const TAKEN_OUT = 256;
