import type { FunctionGrammar } from './language';

export const RUBY: FunctionGrammar = {
  file: 'ruby',
  query: `
    (class name: (_) @owner body: (_) @scope)
    (module name: (_) @owner body: (_) @scope)
    (method name: (_) @name parameters: (_)? @parameters body: (_)? @body) @function
    (singleton_method
      object: (_) @object
      name: (_) @name
      parameters: (_)? @parameters
      body: (_)? @body) @function`,
  entersAtHeader: false,
  loops: ['while', 'until', 'for', 'while_modifier', 'until_modifier'],
  hasInlineBlocks: true,
  names: ['identifier'],
};
