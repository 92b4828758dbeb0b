import {
  codeConfig,
  defineLanguagePack,
  type LanguagePack,
  type Definition,
  type Syntax,
  type SyntaxNode,
} from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';

/** Rust: types, functions, macros; `impl`, `trait` and `mod` contain members. */
export const rustSyntax: Syntax = {
  lang: 'rust',
  from: import.meta.url,
  wasm: 'tree-sitter-rust/tree-sitter-rust.wasm',
  tags: ['tree-sitter-rust/queries/tags.scm'],
  supplement: `
    (impl_item type: (_) @name) @definition.impl
    (function_signature_item name: (identifier) @name) @definition.method
    (const_item name: (identifier) @name value: (closure_expression)) @definition.function
    (static_item name: (identifier) @name value: (closure_expression)) @definition.function`,
  separator: '::',
  containers: ['impl_item', 'trait_item', 'mod_item'],
  wrappers: [],
  lookThrough: ['declaration_list'],
  leading: ['line_comment', 'block_comment', 'attribute_item'],
  nameOf,
};

function nameOf({ node, name, memberOf }: Definition): string | null {
  switch (node.type) {
    case 'impl_item': {
      const type = withoutArguments(node.childForFieldName('type')) ?? name;
      const trait = withoutArguments(node.childForFieldName('trait'));
      return trait === null ? type : `<${type} as ${trait}>`;
    }
    case 'macro_definition':
      return `${name}!`;
    case 'mod_item':
      return node.childForFieldName('body') === null ? null : name; // `mod m;` stands for a file
    case 'type_item':
      return memberOf === 'impl_item' ? null : name; // an associated type stays with its impl
    default:
      return name;
  }
}

/** A type as written, without generic arguments: `Foo` for `Foo<'a, T>`. */
function withoutArguments(type: SyntaxNode | null): string | null {
  if (type === null) return null;
  const source = type.text;
  if (!source.includes('<')) return source.replaceAll(/\s+/g, ' ');
  let text = '';
  let at = type.startIndex;
  for (const { startIndex, endIndex } of type.descendantsOfType('type_arguments')) {
    if (startIndex < at) continue; // inside arguments that are already removed
    text += source.slice(at - type.startIndex, startIndex - type.startIndex);
    at = endIndex;
  }
  text += source.slice(at - type.startIndex);
  return text
    .replaceAll(/::(?=$|[^\p{L}\p{N}_])/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The language pack for Rust. */
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

/** Extracts Rust with its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
