import { codeConfig, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { javaSyntax } from './java-syntax.ts';

/** What Java is to kebab. */
export const pack: LanguagePack = {
  lang: 'java',
  version: 1,
  documentation: {
    units: 'classes, interfaces, enums, records, annotations, methods, constructors, fields that hold a lambda',
    symbolForm: '<package>.Outer.Inner.method',
    examples: ['com.foo.Outer.Inner.method', 'com.foo.Outer.Outer'],
  },
  syntaxesFor: () => [javaSyntax],
};

/** Java, read by its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
