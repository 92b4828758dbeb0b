import { type Definition, isLongTable, type Syntax, type SyntaxNode, textWithout } from '../language-pack.ts';
import { macroHeadName, withoutMacros } from './c-macros.ts';

/** The common part of C and C++: declarators, and preprocessor conditionals and `extern "C"`, inside which definitions are searched. */
export const cFamily = {
  supplement: `
    (function_definition declarator: (_) @name) @definition.function
    (function_definition declarator: (identifier) @misread)
    (declaration declarator: [
      (function_declarator)
      (pointer_declarator (function_declarator))
      (pointer_declarator (pointer_declarator (function_declarator)))
    ] @name) @definition.function
    (type_definition declarator: (_) @name) @definition.type
    (union_specifier name: (_) @name body: (_)) @definition.class
    (preproc_function_def name: (identifier) @name) @definition.macro
    (preproc_def name: (identifier) @name value: (_)) @definition.value
    (declaration declarator: (init_declarator declarator: (_) @name)) @definition.value
    (enumerator name: (identifier) @name) @definition.value`,
  wrappers: ['declaration', 'linkage_specification'],
  lookThrough: [
    'preproc_ifdef',
    'preproc_if',
    'preproc_else',
    'preproc_elif',
    'preproc_elifdef',
    'linkage_specification',
    'declaration_list',
    'enumerator_list',
  ],
  leading: ['comment'],
  prepare: (text) => withoutMacros(text, { isCpp: false }),
  recovery: {
    unitLine: /^\s*(?:class|struct|union|enum|namespace)\s+(\w+)|^\s*[A-Za-z_][\w\s*&:<>,]*?[\s*&](~?\w+)\s*\(/,
    notCode:
      /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n]+)*"?|(?<![\da-fA-F])'(?:\\.|[^'\\\n]+)*'?|(?<=^|\n)[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*/g,
  },
  nameOf,
  membersOf,
} as const satisfies Partial<Syntax>;

function nameOf({ node, name, kind, memberOf, source }: Definition): string | null {
  if (kind === 'value') return valueName(node, name, memberOf);
  switch (node.type) {
    case 'function_definition':
      return macroHeadName(source, node) ?? declared(node).name ?? name;
    case 'type_definition':
      return isMangled(node) ? null : (declared(node).name ?? name);
    case 'declaration':
    case 'field_declaration':
      return functionDeclared(node);
    case 'namespace_definition':
      return node.childForFieldName('name')?.text ?? '<anonymous>';
    case 'struct_specifier':
    case 'class_specifier':
    case 'union_specifier':
    case 'enum_specifier': {
      const isOnlyMentioned = node.childForFieldName('body') === null;
      return isOnlyMentioned ? null : textWithout(node.childForFieldName('name') ?? node, TEMPLATE_ARGUMENTS);
    }
    default:
      return name;
  }
}

/** The name of a constant, or of a member of a long enumeration; null for others, which stay inside their type or function. */
function valueName(node: SyntaxNode, name: string, memberOf: string | null): string | null {
  if (node.type === 'enumerator') return node.parent !== null && isLongTable(node.parent) ? name : null;
  if (memberOf !== null && memberOf !== 'namespace_definition') return null;
  if (node.type === 'preproc_def') return name;
  return node.childForFieldName('type')?.childForFieldName('body') ? null : declared(node).name;
}

/** The members of a class, and those of an enumeration if it is long. */
function membersOf(node: SyntaxNode, kind: string | null): SyntaxNode | null {
  if (kind === null) return null;
  if (node.type !== 'type_definition' && node.type !== 'enum_specifier') return node;
  const type = node.type === 'enum_specifier' ? node : node.childForFieldName('type');
  const body = type?.type === 'enum_specifier' ? type.childForFieldName('body') : null;
  return body !== null && body !== undefined && isLongTable(body) ? body : null;
}

const TEMPLATE_ARGUMENTS = 'template_argument_list';

/** Whether a macro next to the name prevented the parser from recognising the name. */
function isMangled(node: SyntaxNode): boolean {
  const isPlain = node.childForFieldName('declarator')?.type === 'type_identifier';
  return !isPlain && node.childForFieldName('type')?.type === 'macro_type_specifier';
}

/** The name of the function that a declaration declares; null if it declares something else. */
function functionDeclared(node: SyntaxNode): string | null {
  const { name, isFunction } = declared(node);
  return isFunction ? name : null;
}

/** The name that a declaration declares, inside pointers, references and parentheses, and whether it is a function. */
function declared(node: SyntaxNode): { readonly name: string | null; readonly isFunction: boolean } {
  let isFunction = false;
  for (let at = node.childForFieldName('declarator'); at !== null; at = inner(at)) {
    switch (at.type) {
      case 'function_declarator':
        isFunction = true;
        break;
      case 'pointer_declarator':
      case 'reference_declarator':
      case 'array_declarator':
        isFunction = false;
        break;
      case 'init_declarator':
        if (at.childForFieldName('value')?.type === 'lambda_expression') isFunction = true;
        break;
      case 'parenthesized_declarator':
      case 'attributed_declarator':
        break;
      default:
        return { name: nameIn(at), isFunction: isFunction || at.type === 'operator_cast' };
    }
  }
  return { name: null, isFunction: false };
}

function inner(declarator: SyntaxNode): SyntaxNode | null {
  return declarator.childForFieldName('declarator') ?? declarator.namedChildren.find(isDeclarator) ?? null;
}

function isDeclarator({ type }: SyntaxNode): boolean {
  return type.endsWith('declarator') || type.endsWith('identifier') || type.endsWith('_name');
}

/** A name as written, without template arguments: `A::f` for `A<int>::f`. */
function nameIn(node: SyntaxNode): string {
  switch (node.type) {
    case 'qualified_identifier': {
      const scope = node.childForFieldName('scope');
      const name = node.childForFieldName('name');
      const last = name === null ? '' : nameIn(name);
      return scope === null ? last : `${textWithout(scope, TEMPLATE_ARGUMENTS)}::${last}`;
    }
    case 'operator_cast':
      return `operator ${node.childForFieldName('type')?.text ?? ''}`;
    case 'operator_name':
      return node.text.replaceAll(/\s*([^\w\s]+)\s*/g, '$1').replaceAll(/\s+/g, ' ');
    default:
      return textWithout(node, TEMPLATE_ARGUMENTS);
  }
}

/**
 * Creates the syntax of C++ for a pack that depends on its grammar: namespaces and classes with their members. `from` is the pack's
 * `import.meta.url`.
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
    containers: [
      'namespace_definition',
      'class_specifier',
      'struct_specifier',
      'union_specifier',
      'enum_specifier',
      'type_definition',
      '@class',
    ],
    wrappers: [...cFamily.wrappers, 'field_declaration', 'template_declaration', 'friend_declaration'],
    lookThrough: [...cFamily.lookThrough, 'field_declaration_list', 'compound_statement', 'labeled_statement'],
    leading: ['comment', 'access_specifier', ':'],
    prepare: (text) => withoutMacros(text, { isCpp: true }),
  };
}
