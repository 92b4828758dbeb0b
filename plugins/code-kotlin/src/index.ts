import { codeConfig, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { kotlinSyntax } from './kotlin-syntax.ts';

/** What Kotlin is to kebab. */
export const pack: LanguagePack = {
  lang: 'kotlin',
  version: 1,
  documentation: {
    units: 'classes, interfaces, objects, functions, secondary constructors, type aliases, values that hold a function',
    symbolForm: '<package>.Outer.Inner.method',
    examples: ['com.foo.Outer.Inner.method', 'com.foo.Outer.Companion.create', 'com.foo.longest'],
  },
  syntaxesFor: () => [kotlinSyntax],
};

/** Kotlin, read by its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
