import { cFamily, type Syntax } from '@kebab/code-kit';

/** C: functions and their prototypes, types, macros with parameters; symbols are bare names. */
export const cSyntax: Syntax = {
  ...cFamily,
  lang: 'c',
  from: import.meta.url,
  wasm: 'tree-sitter-c/tree-sitter-c.wasm',
  tags: ['tree-sitter-c/queries/tags.scm'],
  separator: '::',
  containers: [],
};
