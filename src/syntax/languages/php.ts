import type { FunctionGrammar } from './language';

export const PHP: FunctionGrammar = {
  file: 'php',
  query: `
    (namespace_definition name: (_) @owner body: (_) @scope)
    (class_declaration name: (_) @owner body: (_) @scope)
    (interface_declaration name: (_) @owner body: (_) @scope)
    (trait_declaration name: (_) @owner body: (_) @scope)
    (enum_declaration name: (_) @owner body: (_) @scope)
    (function_definition name: (_) @name parameters: (_) @parameters body: (_) @body) @function
    (method_declaration name: (_) @name parameters: (_) @parameters body: (_) @body) @function`,
  entersAtHeader: false,
  loops: ['for_statement', 'foreach_statement', 'while_statement', 'do_statement'],
  names: ['variable_name'],
};
