import { codeConfig, cppSyntax, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { cSyntax } from './c-syntax.ts';

const headerSyntax = cppSyntax(import.meta.url);

/** What C is to kebab. */
export const pack: LanguagePack = {
  lang: 'c',
  version: 1,
  documentation: {
    units: 'functions and their prototypes, structs, unions, enums, typedefs, macros with parameters',
    symbolForm: 'name',
    examples: ['kebab_store_new', 'Point', 'KEBAB_MAX'],
  },
  syntaxesFor: (path) => (path.toLowerCase().endsWith('.h') ? [cSyntax, headerSyntax] : [cSyntax]),
};

/** C, read by its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
