import { cppSyntax, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';

const syntax = cppSyntax(import.meta.url);

/** The language pack for C++. */
export const pack: LanguagePack = {
  lang: 'cpp',
  version: 6,
  documentation: {
    units:
      'functions, methods, their declarations, classes, structs, enums, aliases, concepts, name spaces, macros, variables with a value, members of long enums',
    symbolForm: 'ns::Class::method',
    examples: [
      'kebab::search::Engine::search',
      'kebab::search::Engine::~Engine',
      'kebab::search::Engine::operator=',
      '<anonymous>::helper',
    ],
  },
  syntaxesFor: () => [syntax],
};

/** Extracts C++ with its syntax tree. */
export default defineLanguagePack(pack);
