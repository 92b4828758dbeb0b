import { ecmascriptSyntax } from '@kebab/code-kit';

/** JavaScript with JSX: functions, classes and their members, exports, objects of functions. */
export const javascriptSyntax = ecmascriptSyntax({
  lang: 'javascript',
  from: import.meta.url,
  wasm: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  tags: ['tree-sitter-javascript/queries/tags.scm'],
  supplement: `
    (field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.method`,
});
