import * as l10n from '@vscode/l10n';

/** Joins names or values with the separator of the display language. */
export function listed(entries: readonly (string | number)[]): string {
  return entries.join(l10n.t(', '));
}

/** Joins parts of a sentence with the separator of the display language. */
export function clauses(parts: readonly string[]): string {
  return parts.join(l10n.t('; '));
}
