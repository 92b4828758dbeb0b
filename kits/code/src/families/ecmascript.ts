import type { Definition, SymbolSource, Syntax, SyntaxNode } from '../language-pack.ts';

/** What differs between the grammars of JavaScript and its dialects. */
export type EcmascriptGrammar = Pick<Syntax, 'lang' | 'from' | 'wasm' | 'tags' | 'supplement'>;

const FUNCTIONS = '[(arrow_function) (function_expression) (generator_function)]';
/** An object that holds functions itself; one that holds objects only is data. */
const OBJECT = '(object [(method_definition) (pair value: [(arrow_function) (function_expression)])])';
const CODE = `[(arrow_function) (function_expression) (generator_function) (class) ${OBJECT}]`;

/**
 * Patterns that hold in every dialect: names of any form, and values that a name is given in place of a declaration, also
 * through other names (`a = exports.a = …`; a pattern for each length, for choices inside a choice are not all tried).
 */
const SUPPLEMENT = `
  (method_definition name: (_) @name) @definition.method
  (pair key: (_) @name value: ${FUNCTIONS}) @definition.function
  (variable_declarator name: (identifier) @name value: (generator_function)) @definition.function
  (variable_declarator name: (identifier) @name value: (class)) @definition.class
  (variable_declarator name: (identifier) @name value: ${OBJECT}) @definition.object
  (variable_declarator name: (identifier) @name value: (assignment_expression right: ${CODE})) @definition.object
  (variable_declarator name: (identifier) @name value: (assignment_expression
    right: (assignment_expression right: ${CODE}))) @definition.object
  (pair key: (_) @name value: ${OBJECT}) @definition.object
  (assignment_expression left: (_) @name right: (class !name)) @definition.class
  (assignment_expression left: (_) @name right: ${OBJECT}) @definition.object
  (export_statement "default" @name value: ${FUNCTIONS}) @definition.function
  (export_statement "default" @name value: (class !name)) @definition.class
  (export_statement "default" @name value: ${OBJECT}) @definition.object`;

/** Definitions that give a name to a value: what the value calls itself then says nothing. */
const NAMED_FROM_OUTSIDE = new Set(['variable_declarator', 'assignment_expression', 'pair', 'export_statement']);
const VALUES = new Set(['function_expression', 'generator_function', 'class', 'assignment_expression']);

/**
 * Makes the syntax of JavaScript or a dialect: functions, classes, methods, and names bound to a function; objects that
 * hold functions are containers. Symbols are the path without its extension, then names.
 */
export function ecmascriptSyntax({ supplement, ...grammar }: EcmascriptGrammar): Syntax {
  return {
    ...grammar,
    supplement: SUPPLEMENT + supplement,
    separator: '.',
    containers: [
      'class_declaration',
      'abstract_class_declaration',
      'class',
      'interface_declaration',
      'internal_module',
      'module',
      ...NAMED_FROM_OUTSIDE,
    ],
    wrappers: [
      'export_statement',
      'ambient_declaration',
      'lexical_declaration',
      'variable_declaration',
      'expression_statement',
      'assignment_expression',
    ],
    lookThrough: [
      'ambient_declaration',
      'statement_block',
      'class',
      'class_body',
      'interface_body',
      'object',
      'assignment_expression',
      'as_expression',
      'satisfies_expression',
      'if_statement',
      'else_clause',
      'try_statement',
      'catch_clause',
      'finally_clause',
    ],
    leading: ['comment', 'decorator'],
    prefixOf: pathWithoutExtension,
    nameOf,
  };
}

function pathWithoutExtension({ workspacePath }: SymbolSource): string {
  return workspacePath.replace(/(?<=[^/])\.[^./]+$/, '');
}

function nameOf({ node, kind, name, memberOf }: Definition): string | null {
  const { type } = node;
  if (memberOf !== null && NAMED_FROM_OUTSIDE.has(memberOf) && VALUES.has(type)) return null;
  if (type === 'assignment_expression') return assigned(node, kind);
  return name.replace(/^(['"`])(.*)\1$/s, '$2');
}

/** What an assignment names: `a` in `exports.a = …`, `A.b` in `A.prototype.b = …`; whole exports are the default. */
function assigned(node: SyntaxNode, kind: string): string {
  const left = node.childForFieldName('left')?.text ?? '';
  const path = left.replace(/^(module\.exports|exports)(\.|$)/, '').replaceAll('.prototype.', '.');
  if (path !== '' || kind === 'object') return path;
  return node.childForFieldName('right')?.childForFieldName('name')?.text ?? 'default';
}
