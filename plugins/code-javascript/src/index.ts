import { codeConfig, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { javascriptSyntax } from './javascript-syntax.ts';

/** What JavaScript is to kebab. */
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

/** JavaScript, read by its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
