import { defineLanguagePack, type LanguagePack, ecmascriptSyntax } from '@kebab/code-kit';

/** JavaScript with JSX: functions, classes and their members, exports, objects of functions. */
export const javascriptSyntax = ecmascriptSyntax({
  lang: 'javascript',
  from: import.meta.url,
  wasm: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  tags: ['tree-sitter-javascript/queries/tags.scm'],
  supplement: `
    (field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.method
    (field_definition property: (_) @name value: (call_expression
      arguments: (arguments [(arrow_function) (function_expression)]))) @definition.method`,
});

/** The language pack for JavaScript. */
export const pack: LanguagePack = {
  lang: 'javascript',
  version: 4,
  documentation: {
    units:
      'functions, methods, classes, names bound to a value, functions in an object, entries of long tables, tests and routes by title',
    symbolForm: '<path without extension>.Class.method',
    examples: ['src/App.Panel.render', 'lib/store.Store.get', 'src/App.default', 'test/spec.a store.keeps'],
  },
  syntaxesFor: () => [javascriptSyntax],
};

/** Extracts JavaScript with its syntax tree. */
export default defineLanguagePack(pack);
