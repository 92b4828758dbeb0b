import { codeConfig, defineLanguagePack, type LanguagePack, ecmascriptSyntax } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';

/** JavaScript with JSX: functions, classes and their members, exports, objects of functions. */
export const javascriptSyntax = ecmascriptSyntax({
  lang: 'javascript',
  from: import.meta.url,
  wasm: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  tags: ['tree-sitter-javascript/queries/tags.scm'],
  supplement: `
    (field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.method`,
});

/** The language pack for JavaScript. */
export const pack: LanguagePack = {
  lang: 'javascript',
  version: 1,
  documentation: {
    units: 'functions, methods, classes, names and exports bound to a function, functions in an object',
    symbolForm: '<path without extension>.Class.method',
    examples: ['src/App.Panel.render', 'lib/store.Store.get', 'src/App.default'],
  },
  syntaxesFor: () => [javascriptSyntax],
};

/** Extracts JavaScript with its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
