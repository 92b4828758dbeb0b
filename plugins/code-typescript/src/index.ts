import { defineLanguagePack, type LanguagePack, ecmascriptSyntax, type Syntax } from '@kebab/code-kit';

const FUNCTIONS = '[(method_definition) (pair value: [(arrow_function) (function_expression)])]';

/** TypeScript: everything of JavaScript, and types, overloads, enums, namespaces, ambient declarations. */
export const typescriptSyntax = syntaxOf('tree-sitter-typescript/tree-sitter-typescript.wasm');

/** TypeScript with JSX, which has a separate grammar: it parses `<T>x` differently. */
const tsxSyntax = syntaxOf('tree-sitter-typescript/tree-sitter-tsx.wasm');

function syntaxOf(wasm: string): Syntax {
  return ecmascriptSyntax({
    lang: 'typescript',
    from: import.meta.url,
    wasm,
    tags: ['tree-sitter-typescript/queries/tags.scm', 'tree-sitter-javascript/queries/tags.scm'],
    supplement: `
      (type_alias_declaration name: (type_identifier) @name) @definition.type
      (enum_declaration name: (identifier) @name) @definition.enum
      (enum_assignment name: (_) @name) @definition.value
      (enum_body (property_identifier) @name @definition.value)
      (public_field_definition name: (_) @name value: (call_expression
        arguments: (arguments [(arrow_function) (function_expression)]))) @definition.method
      (internal_module name: (_) @name) @definition.module
      (module name: (_) @name) @definition.module
      (method_signature name: (_) @name) @definition.method
      (abstract_method_signature name: (_) @name) @definition.method
      (public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @definition.method
      (variable_declarator name: (identifier) @name
        value: [(as_expression (object ${FUNCTIONS})) (satisfies_expression (object ${FUNCTIONS}))]) @definition.object
      (export_statement "default" @name
        value: [(as_expression (object ${FUNCTIONS})) (satisfies_expression (object ${FUNCTIONS}))]) @definition.object`,
  });
}

/** The language pack for TypeScript. */
export const pack: LanguagePack = {
  lang: 'typescript',
  version: 4,
  documentation: {
    units:
      'functions and their overloads, methods, classes, interfaces, enums, type aliases, name spaces, names bound to a value, functions in an object, entries of long tables, tests and routes by title',
    symbolForm: '<path without extension>.Class.method',
    examples: ['src/Foo.Foo.search', 'src/Foo.arrow', 'src/defaults.default'],
  },
  syntaxesFor: (path) => [path.toLowerCase().endsWith('.tsx') ? tsxSyntax : typescriptSyntax],
};

/** Extracts TypeScript with its syntax tree. */
export default defineLanguagePack(pack);
