// @ts-check
/** A Stryker plugin that does not mutate texts for people (`l10n.t`), because tests do not check their wording. */
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'texts', {
    shouldIgnore(path) {
      return path.isCallExpression() && path.get('callee').matchesPattern('l10n.t')
        ? 'a text for people'
        : undefined;
    },
  }),
];
