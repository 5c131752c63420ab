import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Sighting } from '../windows/keyExposure';
import type { State } from '../windows/windowOptions';
import type { Person } from './person';

/** The actions that are offered to the person if another program may know the key. */
export interface KeyActions {
  renew(): Promise<void>;
  keep(): Promise<void>;
  changePort(): Promise<void>;
}

/** Warns the person if another program has the clients' port, and says whether it may know the key. */
export class KeyWarnings {
  /** The sighting of the key that this window has already reported. */
  private reported: string | undefined;

  constructor(
    private readonly person: () => Person,
    private readonly actions: KeyActions,
  ) {}

  async failed(state: State & { readonly kind: 'failed' }, reason: string): Promise<void> {
    const [renew, change] = [l10n.t('Renew the key'), l10n.t('Change port')];
    const failure = l10n.t('The MCP server could not be started: {0}.', reason);
    const seen = l10n.t(
      'MCP clients that are set up with the key send it there, so that program may know it. Renew the key, and set those clients up again.',
    );
    const isSeen = state.keySeen !== undefined;
    const buttons = [...(isSeen ? [renew] : []), ...(state.isPortTaken ? [change] : [])];
    const pressed = await this.person().warn(isSeen ? `${failure} ${seen}` : failure, ...buttons);
    if (pressed === renew) await this.actions.renew();
    else if (pressed === change) await this.actions.changePort();
  }

  /** Called when the server is on with a key that another program may know. Warns once per window and sighting. */
  async started({ port, at }: Sighting): Promise<void> {
    const sighting = `${port} ${at}`;
    if (this.reported === sighting) return;
    this.reported = sighting;
    const [renew, keep] = [l10n.t('Renew the key'), l10n.t('Keep the key')];
    const when = new Date(at).toLocaleString(vscode.env.language);
    const message = l10n.t(
      'Another program may know the key of the MCP server: it used port {0} ({1}), where clients send the key. With the key it can debug through this server. Renew the key, and set those clients up again.',
      port,
      when,
    );
    const pressed = await this.person().warn(message, renew, keep);
    if (pressed === renew) await this.actions.renew();
    else if (pressed === keep) await this.actions.keep();
  }
}
