import type { FunctionGrammar } from './language';

export const GO: FunctionGrammar = {
  file: 'go',
  query: `
    (function_declaration
      name: (_) @name
      parameters: (_) @parameters
      body: (_) @body) @function
    (method_declaration
      receiver: (_) @receiver
      name: (_) @name
      parameters: (_) @parameters
      body: (_) @body) @function
    [(comment) (interpreted_string_literal) (raw_string_literal) (rune_literal)] @text`,
  entersAtHeader: true,
  copiesArguments: true,
  names: ['identifier'],
  hasSeveralNames: true,
};
