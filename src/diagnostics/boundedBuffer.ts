import { cutText } from '../debugger/texts';

export interface Bounds {
  readonly events: number;
  readonly characters: number;
  /** The maximum number of characters of one event. A longer one is cut and marked. */
  readonly eventCharacters: number;
}

export const BOUNDS: Bounds = { events: 1000, characters: 512_000, eventCharacters: 64_000 };

/** The number of characters that are reserved for the mark at the end of a cut text. */
const MARK = 40;

/** Keeps the newest items within bounds. Older items are dropped and counted. */
export class BoundedBuffer<Item extends { readonly text: string }> {
  /**
   * The items. Slots before `first` are empty. They are removed in batches, because removing one slot moves all others.
   */
  private kept: (Item | undefined)[] = [];
  private first = 0;
  private length = 0;
  private count = 0;

  constructor(readonly bounds: Bounds = BOUNDS) {}

  get items(): readonly Item[] {
    return this.kept.slice(this.first).filter((item) => item !== undefined);
  }

  /** The number of items that have been added, including dropped ones. */
  get total(): number {
    return this.count;
  }

  get dropped(): number {
    return this.count - (this.kept.length - this.first);
  }

  get characters(): number {
    return this.length;
  }

  /** The text in a form that may be added. A text that is too long is cut, and the mark contains its real length. */
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

  /** Replaces an item by another. Returns false if the item has already been dropped. */
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
    if (this.first < REMOVED_TOGETHER) return;
    this.kept = kept.slice(this.first);
    this.first = 0;
  }

  private isTooLong(characters: number): boolean {
    return this.length > characters && this.kept.length - this.first > 1;
  }
}

/** The number of empty slots that are removed together. */
const REMOVED_TOGETHER = 256;
