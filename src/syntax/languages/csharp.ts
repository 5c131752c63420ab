import type { FunctionGrammar } from './language';

export const CSHARP: FunctionGrammar = {
  file: 'c-sharp',
  query: `
    (namespace_declaration name: (_) @owner body: (_) @scope)
    (class_declaration name: (_) @owner body: (_) @scope)
    (interface_declaration name: (_) @owner body: (_) @scope)
    (struct_declaration name: (_) @owner body: (_) @scope)
    (record_declaration name: (_) @owner body: (_) @scope)
    [
      (method_declaration name: (_) @name parameters: (_) @parameters body: (_) @body)
      (constructor_declaration name: (_) @name parameters: (_) @parameters body: (_) @body)
      (destructor_declaration name: (_) @name parameters: (_) @parameters body: (_) @body)
      (local_function_statement name: (_) @name parameters: (_) @parameters body: (_) @body)
    ] @function`,
  entersAtHeader: false,
  noStatements: ['local_function_statement'],
  loops: ['for_statement', 'foreach_statement', 'while_statement', 'do_statement'],
  names: ['identifier'],
};
