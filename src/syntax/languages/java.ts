import type { FunctionGrammar } from './language';

export const JAVA: FunctionGrammar = {
  file: 'java',
  query: `
    (class_declaration name: (_) @owner body: (_) @scope)
    (interface_declaration name: (_) @owner body: (_) @scope)
    (enum_declaration name: (_) @owner body: (_) @scope)
    (record_declaration name: (_) @owner body: (_) @scope)
    (method_declaration
      name: (_) @name
      parameters: (_) @parameters
      body: (_) @body) @function
    (constructor_declaration
      name: (_) @name
      parameters: (_) @parameters
      body: (_) @body) @function
    (compact_constructor_declaration name: (_) @name body: (_) @body) @function`,
  entersAtHeader: false,
  noStatements: [
    'class_declaration',
    'interface_declaration',
    'enum_declaration',
    'record_declaration',
  ],
  loops: ['for_statement', 'enhanced_for_statement', 'while_statement', 'do_statement'],
  names: ['identifier'],
};
