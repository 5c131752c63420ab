import type { FunctionGrammar } from './language';

export const RUST: FunctionGrammar = {
  file: 'rust',
  query: `
    (mod_item name: (_) @owner body: (_) @scope)
    (trait_item name: (_) @owner body: (_) @scope)
    (impl_item type: (_) @owner body: (_) @scope)
    (function_item
      name: (_) @name
      parameters: (_) @parameters
      body: (_) @body) @function
    (macro_invocation (token_tree) @tokens)
    (macro_rule right: (token_tree) @tokens)`,
  entersAtHeader: true,
  copiesArguments: true,
  names: ['identifier'],
  unnamed: { self_parameter: 'self' },
};
