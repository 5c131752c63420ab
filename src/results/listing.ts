import * as l10n from '@vscode/l10n';

/** Names or values in a list, as the person's language joins them. */
export function listed(entries: readonly (string | number)[]): string {
  return entries.join(l10n.t(', '));
}

/** Parts of a sentence, as the person's language joins them. */
export function clauses(parts: readonly string[]): string {
  return parts.join(l10n.t('; '));
}
