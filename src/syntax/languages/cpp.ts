import { withoutMacros } from './cppMacros';
import type { FunctionGrammar } from './language';

/** C and C++. Every file of C that compiles as C++, and most others, have the same tree. */
export const CPP: FunctionGrammar = {
  file: 'cpp',
  query: `
    (namespace_definition name: (_) @owner body: (_) @scope)
    (class_specifier name: (_) @owner body: (_) @scope)
    (struct_specifier name: (_) @owner body: (_) @scope)
    (union_specifier name: (_) @owner body: (_) @scope)
    (function_definition
      declarator: (_) @declarator
      body: [(compound_statement) (try_statement)] @body) @function`,
  prepare: withoutMacros,
  entersAtHeader: true,
  copiesArguments: true,
  names: ['identifier', 'field_identifier'],
};
