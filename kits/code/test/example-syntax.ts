import type { Syntax } from '../src/index.ts';

/** A small syntax over the Rust grammar: functions, and modules as containers. */
export const exampleSyntax: Syntax = {
  lang: 'rust',
  from: import.meta.url,
  wasm: 'tree-sitter-rust/tree-sitter-rust.wasm',
  tags: ['tree-sitter-rust/queries/tags.scm'],
  supplement: '',
  separator: '::',
  containers: ['mod_item'],
  wrappers: [],
  lookThrough: ['declaration_list'],
  leading: ['line_comment', 'attribute_item'],
};

/** The same over the Python grammar. */
export const otherSyntax: Syntax = {
  ...exampleSyntax,
  lang: 'python',
  wasm: 'tree-sitter-python/tree-sitter-python.wasm',
  tags: ['tree-sitter-python/queries/tags.scm'],
  separator: '.',
  containers: ['class_definition'],
  wrappers: ['decorated_definition'],
  lookThrough: ['block'],
  leading: ['comment'],
};
