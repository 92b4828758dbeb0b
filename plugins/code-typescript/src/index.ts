import { codeConfig, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { tsxSyntax, typescriptSyntax } from './typescript-syntax.ts';

/** What TypeScript is to kebab. */
export const pack: LanguagePack = {
  lang: 'typescript',
  version: 1,
  documentation: {
    units:
      'functions and their overloads, methods, classes, interfaces, enums, type aliases, name spaces, names bound to a function, functions in an object',
    symbolForm: '<path without extension>.Class.method',
    examples: ['src/Foo.Foo.search', 'src/Foo.arrow', 'src/defaults.default'],
  },
  syntaxesFor: (path) => [path.toLowerCase().endsWith('.tsx') ? tsxSyntax : typescriptSyntax],
};

/** TypeScript, read by its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
