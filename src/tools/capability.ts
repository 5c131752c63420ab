import * as l10n from '@vscode/l10n';
import type { SessionState } from '../debugger/state/state';
import { Failure } from '../results/failure';

/** A boolean capability that an adapter reports (DAP `Capabilities`). */
export type Capability = keyof SessionState['capabilities'] & `supports${string}`;

/** Checks that an adapter has a capability. @throws Failure `not_supported` with the adapter's name */
export function requireCapability(
  { capabilities, type, id }: SessionState,
  capability: Capability,
  tool: string,
): void {
  if (capabilities[capability] === true) return;
  throw new Failure(
    'not_supported',
    l10n.t('The debug adapter “{0}” does not support {1}.', type, tool),
    `It does not report the capability ${capability}. Nothing was done.`,
    { session_id: id },
  );
}
