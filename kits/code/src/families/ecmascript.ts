import type { Definition, SymbolSource, Syntax, SyntaxNode } from '../language-pack.ts';

/** The differences between the grammars of JavaScript and its dialects. */
export type EcmascriptGrammar = Pick<Syntax, 'lang' | 'from' | 'wasm' | 'tags' | 'supplement'>;

const FUNCTIONS = '[(arrow_function) (function_expression) (generator_function)]';
/** An object that directly contains functions; one that contains only objects is data. */
const OBJECT = '(object [(method_definition) (pair value: [(arrow_function) (function_expression)])])';
const CODE = `[(arrow_function) (function_expression) (generator_function) (class) ${OBJECT}]`;

/**
 * Patterns for every dialect: names of any form, and values that are assigned to a name instead of being declared, also through other names
 * (`a = exports.a = …`; one pattern per length, because nested alternations are not tried exhaustively).
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

/** Definitions that name a value; the value's own name is then ignored. */
const NAMED_FROM_OUTSIDE = new Set(['variable_declarator', 'assignment_expression', 'pair', 'export_statement']);
const VALUES = new Set(['function_expression', 'generator_function', 'class', 'assignment_expression']);

/**
 * Creates the syntax of JavaScript or a dialect: functions, classes, methods, and names bound to a function; objects that contain functions
 * are containers. Symbols are the path without its extension, then names.
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

/** The name in an assignment: `a` in `exports.a = …`, `A.b` in `A.prototype.b = …`; `module.exports = …` is the default export. */
function assigned(node: SyntaxNode, kind: string): string {
  const left = node.childForFieldName('left')?.text ?? '';
  const path = left.replace(/^(module\.exports|exports)(\.|$)/, '').replaceAll('.prototype.', '.');
  if (path !== '' || kind === 'object') return path;
  return node.childForFieldName('right')?.childForFieldName('name')?.text ?? 'default';
}
