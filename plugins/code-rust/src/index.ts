import { codeConfig, defineLanguagePack, type LanguagePack } from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';
import { rustSyntax } from './rust-syntax.ts';

/** What Rust is to kebab. */
export const pack: LanguagePack = {
  lang: 'rust',
  version: 1,
  documentation: {
    units: 'functions, methods, types, traits, type aliases, macros, constants that hold a closure',
    symbolForm: '[m::]name, Type::method, <Type as Trait>::method, name!',
    examples: ['Store::get', '<Error as fmt::Display>::fmt', 'map!', 'filter::Globs::matches'],
  },
  syntaxesFor: () => [rustSyntax],
};

/** Rust, read by its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
