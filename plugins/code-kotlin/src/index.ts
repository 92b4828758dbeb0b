import {
  codeConfig,
  defineLanguagePack,
  type LanguagePack,
  type Definition,
  type SymbolSource,
  type Syntax,
} from '@kebab/code-kit';
import { definePlugin } from '@kebab/core';

/** Kotlin: types, objects, functions, constructors, properties with a function as value; symbols begin with the package's name. */
export const kotlinSyntax: Syntax = {
  lang: 'kotlin',
  from: import.meta.url,
  wasm: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  tags: [],
  supplement: `
    (class_declaration name: (_) @name) @definition.class
    (object_declaration name: (_) @name) @definition.class
    (companion_object "companion" @name) @definition.class
    (function_declaration name: (_) @name) @definition.function
    (secondary_constructor "constructor" @name) @definition.method
    (type_alias type: (identifier) @name) @definition.type
    (property_declaration (variable_declaration . (identifier) @name) [(lambda_literal) (anonymous_function)])
      @definition.function`,
  separator: '.',
  containers: ['class_declaration', 'object_declaration', 'companion_object'],
  wrappers: [],
  lookThrough: ['class_body', 'enum_class_body'],
  leading: ['line_comment', 'block_comment'],
  prefixOf: packageName,
  nameOf,
};

function packageName({ root }: SymbolSource): string {
  const header = root.children.find(({ type }) => type === 'package_header');
  return header?.namedChildren.find(({ type }) => type === 'qualified_identifier')?.text.replaceAll(/[\s`]/g, '') ?? '';
}

function nameOf({ node, name }: Definition): string {
  switch (node.type) {
    case 'companion_object':
      return node.childForFieldName('name')?.text ?? 'Companion';
    case 'secondary_constructor':
      return node.parent?.parent?.childForFieldName('name')?.text ?? name;
    default:
      return name.replaceAll('`', '');
  }
}

/** The language pack for Kotlin. */
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

/** Extracts Kotlin with its syntax tree. */
export default definePlugin({
  config: codeConfig,
  contributes: defineLanguagePack(pack),
});
