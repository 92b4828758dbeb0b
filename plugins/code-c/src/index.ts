import { cppSyntax, defineLanguagePack, type LanguagePack, cFamily, type Syntax } from '@kebab/code-kit';

/** C: functions and their prototypes, types, macros with parameters; symbols are bare names. */
export const cSyntax: Syntax = {
  ...cFamily,
  lang: 'c',
  from: import.meta.url,
  wasm: 'tree-sitter-c/tree-sitter-c.wasm',
  tags: ['tree-sitter-c/queries/tags.scm'],
  separator: '::',
  containers: ['enum_specifier', 'type_definition'],
};

const headerSyntax = cppSyntax(import.meta.url);

/** The language pack for C. */
export const pack: LanguagePack = {
  lang: 'c',
  version: 5,
  documentation: {
    units:
      'functions and their prototypes, structs, unions, enums, typedefs, macros, variables with a value, members of long enums',
    symbolForm: 'name',
    examples: ['kebab_store_new', 'Point', 'KEBAB_MAX'],
  },
  syntaxesFor: (path) => (path.toLowerCase().endsWith('.h') ? [cSyntax, headerSyntax] : [cSyntax]),
};

/** Extracts C with its syntax tree. */
export default defineLanguagePack(pack);
