import { codeConfig, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { goSyntax } from './go-syntax.ts';

/** What Go is to kebab. */
export const pack: LanguagePack = {
  lang: 'go',
  version: 1,
  documentation: {
    units: 'functions, methods, types, variables that hold a function',
    symbolForm: '<package>.Func, <package>.(*Receiver).Method',
    examples: ['store.New', 'store.(*Store).Get', 'store.(Key).String', 'store.Key'],
  },
  syntaxesFor: () => [goSyntax],
};

/** Go, read by its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
