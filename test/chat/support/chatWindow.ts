import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import type { Words } from './words';

/** The texts that a card shows to the person. */
export interface CardText {
  readonly title: string;
  readonly message: string;
  /** The parts of the message that are formatted as code. */
  readonly code: readonly string[];
}

/** A question about a call, on a card or in a dialog, that waits for the person. */
export interface Question {
  read(): Promise<CardText>;
  allowOnce(): Promise<void>;
  skip(): Promise<void>;
}

/** The chat as the person sees and uses it. */
export class ChatWindow {
  private readonly input: Locator;

  constructor(
    readonly page: Page,
    private readonly words: Words,
  ) {
    this.input = page.locator('.interactive-input-editor .monaco-editor');
  }

  /** Chooses the kind of session of a new chat, by its name. */
  async chooseSession(name: string): Promise<void> {
    const picker = this.page.locator('.chat-session-target-picker-item');
    const row = this.page
      .locator('.action-widget .monaco-list-row', { hasText: new RegExp(`^\\P{L}*${name}`, 'u') })
      .first();
    // The list does not grow while it is open, and the Agent Host is in it only when it has started.
    for (let tries = 0; tries < 15; tries += 1) {
      await picker.click();
      const isThere = await row.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
      if (isThere) break;
      await this.page.keyboard.press('Escape');
    }
    await row.click();
    await picker.filter({ hasText: name }).waitFor();
  }

  async type(text: string): Promise<void> {
    await this.input.click();
    await this.page.keyboard.type(text);
  }

  async ask(text: string): Promise<void> {
    await this.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the agent's part of the conversation shows this text. */
  async shows(text: string): Promise<void> {
    await this.page
      .locator('.interactive-item-container.interactive-response')
      .last()
      .getByText(text, { exact: true })
      .waitFor();
  }

  /** Waits until an item of the status bar shows this text next to its icon. */
  async statusShows(id: string, text: string): Promise<void> {
    await this.page
      .locator(`.statusbar-item[id$="${id}"]`, { hasText: new RegExp(`^\\P{L}*${text}$`, 'u') })
      .waitFor();
  }

  /** The card that waits for the person. */
  async card(): Promise<Card> {
    const card = new Card(this.page, this.words);
    await card.root.waitFor();
    return card;
  }

  /** The card or the dialog that waits for the person. */
  async question(): Promise<Question> {
    const card = new Card(this.page, this.words);
    const dialog = new Dialog(this.page);
    await card.root.or(dialog.root).waitFor();
    return (await dialog.root.isVisible()) ? dialog : card;
  }

  /** Gives the chat more of the window's width, and hides the side bar. */
  async makeRoom(width: number): Promise<void> {
    const part = this.page.locator('.part.auxiliarybar');
    const box = await part.boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await this.page.mouse.move(box.x - 1, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + box.width - width, y, { steps: 5 });
    await this.page.mouse.up();
    await this.page.keyboard.press('Control+b');
    await this.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    // Move the mouse away, so that hover effects disappear.
    await this.page.mouse.move(0, 0);
    for (const each of ['.monaco-sash.hover', '.scrollbar.visible'])
      await this.page.locator(each).first().waitFor({ state: 'hidden' });
  }

  /** Refers to a tool with `#`, and accepts VS Code's suggestion. */
  async refer(tool: string): Promise<void> {
    await this.type(`#${tool.slice(0, -3)}`);
    await this.page
      .locator('.suggest-widget.visible .monaco-list-row.focused .label-name', {
        hasText: whole(`#${tool}`),
      })
      .waitFor();
    await this.page.keyboard.press('Tab');
  }

  /** The tools that the tools picker lists under the extension's name: each tool's name and its description. */
  async pickerTools(): Promise<ReadonlyMap<string, string>> {
    const { button, extension } = this.words.picker;
    // The window is high enough for all rows: rows outside the visible area do not exist.
    await this.page.setViewportSize({ width: 1200, height: 2400 });
    await this.page.locator(`.chat-input-toolbars [aria-label^="${button}"]`).click();
    const picker = this.page.locator('.quick-input-widget');
    const rows = picker.locator('.monaco-list-row');
    await rows.first().waitFor();
    await this.page.keyboard.type(extension);
    // Only the matching group is shown, collapsed.
    await rows.nth(1).waitFor({ state: 'hidden' });
    const group = await rows.first().locator('.label-name').innerText();
    assert.equal(group, extension);
    await rows.first().locator('.monaco-tl-twistie').click();
    await rows.nth(1).waitFor();
    const tools = await Promise.all(
      (await rows.all())
        .slice(1)
        .map(
          async (row) =>
            [
              await row.locator('.label-name').innerText(),
              await row.locator('.label-description').innerText(),
            ] as const,
        ),
    );
    await this.page.keyboard.press('Escape');
    await picker.waitFor({ state: 'hidden' });
    return new Map(tools);
  }

  async cardCount(): Promise<number> {
    return await this.page.locator(CARD).count();
  }

  async dialogCount(): Promise<number> {
    return await this.page.locator(DIALOG).count();
  }
}

/** The most key presses from the chat's input to a card's buttons: a few other controls are in between. */
const MAX_PRESSES = 10;

const CARD = '.chat-tool-confirmation-carousel-container .chat-confirmation-widget2';

export class Card implements Question {
  readonly root: Locator;
  readonly message: Locator;
  private readonly buttons: Locator;

  constructor(
    private readonly page: Page,
    private readonly words: Words,
  ) {
    this.root = page.locator(CARD);
    this.message = this.root.locator(
      '.chat-confirmation-widget-message .message .rendered-markdown',
    );
    this.buttons = this.root.locator('.chat-confirmation-widget-buttons');
  }

  async read(): Promise<CardText> {
    const title = await this.root
      .locator('.chat-confirmation-widget-title .rendered-markdown')
      .innerText();
    const code = await this.message.locator('code').allInnerTexts();
    return {
      title: withoutIcons(title),
      message: shown(await this.message.innerText()),
      code: code.map(shown),
    };
  }

  /** The label that a screen reader reads. */
  async label(): Promise<string> {
    return (
      (await this.page
        .locator('.chat-tool-confirmation-carousel-container .chat-confirmation-widget-container')
        .getAttribute('aria-label')) ?? ''
    );
  }

  /** The number of elements in the message that a text of a model or a program could have created. */
  async foreignElements(): Promise<number> {
    return await this.message
      .locator('a, b, em, del, br, img, script, iframe, h1, h2, ul, pre, .codicon')
      .count();
  }

  /** Scrolls to the last line of a code element, and fails if a person cannot point at it. */
  async scrollToEndOf(index: number): Promise<void> {
    const code = this.message.locator('code').nth(index);
    const box = await code.boundingBox();
    assert.ok(box);
    await code.hover({ trial: true, position: { x: 4, y: box.height - 6 } });
  }

  /** Whether the whole code element is inside the card, and not cut off at its edge. */
  async showsAllOf(index: number): Promise<boolean> {
    const [inner, outer] = await Promise.all([
      this.message.locator('code').nth(index).boundingBox(),
      this.message.boundingBox(),
    ]);
    assert.ok(inner && outer);
    return (
      inner.x >= outer.x &&
      inner.x + inner.width <= outer.x + outer.width + 1 &&
      inner.y + inner.height <= outer.y + outer.height + 1
    );
  }

  /** A button that VS Code itself adds to the card. */
  button(name: 'session' | 'skip'): Locator {
    return this.buttons.locator('a.monaco-text-button', {
      hasText: whole(this.words.buttons[name]),
    });
  }

  /** Moves from control to control with a key until the button has the focus. @returns whether it has the focus */
  async reach(name: 'session' | 'skip', key: string): Promise<boolean> {
    const focused = this.button(name).and(this.page.locator(':focus'));
    for (let presses = 0; presses < MAX_PRESSES && !(await focused.isVisible()); presses += 1)
      await this.page.keyboard.press(key);
    return await focused.isVisible();
  }

  async allowOnce(): Promise<void> {
    await this.buttons.locator('a.monaco-dropdown-button').click();
    await this.page
      .locator('.monaco-menu .action-label', { hasText: whole(this.words.buttons.once) })
      .hover();
    // A menu of VS Code that has just opened does not accept clicks yet, but accepts keys.
    await this.page.keyboard.press('Enter');
    await this.gone();
  }

  async allowInSession(): Promise<void> {
    await this.button('session').click();
    await this.gone();
  }

  async skip(): Promise<void> {
    await this.button('skip').click();
    await this.gone();
  }

  async gone(): Promise<void> {
    await this.root.waitFor({ state: 'hidden' });
  }
}

const DIALOG = '.monaco-dialog-box';

/** VS Code's own dialog, which shows the texts of a card as plain text. */
export class Dialog implements Question {
  readonly root: Locator;

  constructor(page: Page) {
    this.root = page.locator(DIALOG);
  }

  async read(): Promise<CardText> {
    const [title, message] = await Promise.all([
      this.root.locator('.dialog-message-text').innerText(),
      this.root.locator('.dialog-message-detail').innerText(),
    ]);
    return { title: shown(title), message: shown(message), code: [] };
  }

  async allowOnce(): Promise<void> {
    await this.press('.monaco-button:not(.secondary)');
  }

  async skip(): Promise<void> {
    await this.press('.monaco-button.secondary');
  }

  private async press(button: string): Promise<void> {
    await this.root.locator(`.dialog-buttons ${button}`).click();
    await this.root.waitFor({ state: 'hidden' });
  }
}

function whole(text: string): RegExp {
  return new RegExp(`^${text}$`, 'u');
}

/** The text as a person reads it: without the zero-width spaces at which a long word may be broken. */
function shown(text: string): string {
  return text.replaceAll('\u200b', '').replace(/\s+/gu, ' ').trim();
}

/** Removes icons, which are private-use characters. */
function withoutIcons(text: string): string {
  return shown(text.replace(/\p{Co}/gu, ''));
}
