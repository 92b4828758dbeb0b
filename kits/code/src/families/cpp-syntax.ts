import type { Syntax } from '../syntax.ts';
import { cFamily } from './c-family.ts';

/**
 * Makes the syntax of C++ for a pack that depends on its grammar: name spaces and classes with their members. `from` is
 * the pack's `import.meta.url`.
 */
export function cppSyntax(from: string): Syntax {
  return {
    ...cFamily,
    lang: 'cpp',
    from,
    wasm: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
    tags: ['tree-sitter-cpp/queries/tags.scm'],
    supplement: `
      (function_definition type: [(class_specifier !body) (struct_specifier !body)] declarator: (identifier) @name)
        @definition.class ; class EXPORT_MACRO Name { … }, which the grammar takes for a function
      ${cFamily.supplement}
      (declaration declarator: [(operator_cast) (reference_declarator (function_declarator))] @name) @definition.function
      (declaration declarator: (init_declarator declarator: (_) @name value: (lambda_expression))) @definition.function
      (field_declaration declarator: [
        (function_declarator)
        (pointer_declarator (function_declarator))
        (pointer_declarator (pointer_declarator (function_declarator)))
        (reference_declarator (function_declarator))
      ] @name) @definition.method
      (namespace_definition "namespace" @name) @definition.module
      (struct_specifier name: (_) @name body: (_)) @definition.class
      (class_specifier name: (_) @name body: (_)) @definition.class
      (alias_declaration name: (_) @name) @definition.type
      (concept_definition name: (_) @name) @definition.type`,
    separator: '::',
    containers: ['namespace_definition', 'class_specifier', 'struct_specifier', 'union_specifier', '@class'],
    wrappers: [...cFamily.wrappers, 'field_declaration', 'template_declaration', 'friend_declaration'],
    lookThrough: [...cFamily.lookThrough, 'field_declaration_list', 'compound_statement', 'labeled_statement'],
    leading: ['comment', 'access_specifier', ':'],
  };
}
