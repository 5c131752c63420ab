import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { extensionLackedBy, missingDebuggers } from '../tools/launch/missingDebugger';
import type { ToolServices } from '../tools/services';
import type { LoggedCall } from './log';

const DECLINED = 'declinedDebuggers';

/** The messages and lists that the person sees. Tests answer in the person's place. */
export interface OfferPerson {
  inform(message: string, ...buttons: readonly string[]): PromiseLike<string | undefined>;
  choose<T extends vscode.QuickPickItem>(
    items: readonly T[],
    options: vscode.QuickPickOptions,
  ): PromiseLike<T | undefined>;
  /** Shows an extension, which the person may then install. */
  show(extension: string): PromiseLike<unknown>;
}

const PERSON: OfferPerson = {
  inform: (message, ...buttons) => vscode.window.showInformationMessage(message, ...buttons),
  choose: (items, options) => vscode.window.showQuickPick(items, options),
  show: (extension) => vscode.commands.executeCommand('extension.open', extension),
};

/**
 * Offers a missing debugger when a call needed it (once per window) and when the person runs the command. It does not
 * install extensions itself.
 */
export class DebuggerOffers implements vscode.Disposable {
  person: OfferPerson = PERSON;
  private readonly offered = new Set<string>();
  private readonly command = vscode.commands.registerCommand('agentDebugger.findDebugger', () =>
    this.find(),
  );

  constructor(
    private readonly services: Pick<ToolServices, 'workspace'>,
    private readonly memory: vscode.Memento,
  ) {}

  dispose(): void {
    this.command.dispose();
  }

  /** Checks the result of a call. Resolves after the person has answered. */
  async after({ result }: LoggedCall): Promise<void> {
    const extension = extensionLackedBy(result);
    if (extension === undefined || this.offered.has(extension)) return;
    this.offered.add(extension);
    if (this.declined.includes(extension) || vscode.extensions.getExtension(extension)) return;
    const [show, never] = [l10n.t('Show the Extension'), l10n.t('Do Not Offer Again')];
    const pressed = await this.person.inform(
      l10n.t(
        'An agent could not debug, because no installed debugger fits. The extension {0} provides one.',
        extension,
      ),
      show,
      never,
    );
    if (pressed === show) await this.person.show(extension);
    if (pressed === never) await this.memory.update(DECLINED, [...this.declined, extension]);
  }

  private get declined(): readonly string[] {
    return this.memory.get<readonly string[]>(DECLINED, []);
  }

  private async find(): Promise<void> {
    const missing = await missingDebuggers(this.services);
    if (missing.length === 0) {
      await this.person.inform(
        l10n.t('No debugger is missing for the known languages of this workspace.'),
      );
      return;
    }
    const items = missing.map(({ extension, language }) => ({
      label: language,
      description: extension,
    }));
    const chosen = await this.person.choose(items, {
      title: l10n.t('Debuggers for This Workspace'),
      placeHolder: l10n.t('Choose an extension to look at'),
    });
    if (chosen !== undefined) await this.person.show(chosen.description);
  }
}
