import { type Definition, isLongTable, type SymbolSource, type Syntax, type SyntaxNode } from '../language-pack.ts';

/** The differences between the grammars of JavaScript and its dialects. */
export type EcmascriptGrammar = Pick<Syntax, 'lang' | 'from' | 'wasm' | 'tags' | 'supplement'>;

const FUNCTIONS = '[(arrow_function) (function_expression) (generator_function)]';
/** An object that directly contains functions; one that contains only objects is data. */
const OBJECT = '(object [(method_definition) (pair value: [(arrow_function) (function_expression)])])';
const CODE = `[(arrow_function) (function_expression) (generator_function) (class) ${OBJECT}]`;
/** Values that are assigned rather than declared, and made there. */
const DATA = `[
  (call_expression) (new_expression) (object) (array) (number) (string) (template_string) (regex) (true) (false) (unary_expression)
  (binary_expression)
]`;
/** A call that wraps a function: `debounce(() => …)`. */
const WRAPPED = `(call_expression arguments: (arguments ${FUNCTIONS}))`;

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
  (export_statement "default" @name value: ${OBJECT}) @definition.object
  (pair key: (_) @name value: ${WRAPPED}) @definition.function
  (variable_declarator name: (identifier) @name value: (_)) @definition.value
  (assignment_expression left: (_) @name right: ${DATA}) @definition.value
  (export_statement "default" @name value: [(call_expression) (new_expression) (object) (array)]) @definition.value
  (pair key: (_) @name value: (_)) @definition.value
  (expression_statement [
    (call_expression function: (_) @name)
    (await_expression (call_expression function: (_) @name))
  ]) @definition.block`;

/** Definitions that name a value; the value's own name is then ignored. */
const NAMED_FROM_OUTSIDE = new Set(['variable_declarator', 'assignment_expression', 'pair', 'export_statement']);
const VALUES = new Set(['function_expression', 'generator_function', 'class', 'assignment_expression']);

/**
 * Creates the syntax of JavaScript or a dialect: functions, classes, methods, names bound to a value, and calls that bind a title to a function; objects that contain functions
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
      'enum_declaration',
      ...NAMED_FROM_OUTSIDE,
      '@block',
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
      'enum_body',
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
    recovery: {
      unitLine:
        /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|interface|enum|namespace|type|const|let|var)\s+([\w$]+)|^\s+(?:(?:public|private|protected|static|async|get|set|override)\s+)*[*#]?(?!(?:if|for|while|switch|catch|return|await|super|function)\b)([\w$]+)\s*\(/,
      notCode:
        /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n]+)*"?|'(?:\\.|[^'\\\n]+)*'?|`(?:\\[\s\S]|[^`\\]+)*`?/g,
    },
    prefixOf: pathWithoutExtension,
    nameOf,
    membersOf,
  };
}

function pathWithoutExtension({ workspacePath }: SymbolSource): string {
  return workspacePath.replace(/(?<=[^/])\.[^./]+$/, '');
}

/** Calls whose blocks are tests: only these are known by their titles alone. */
const TESTS = new Set(['it', 'test', 'specify', 'bench', 'xit', 'fit', 'xtest']);
/** Calls whose blocks hold tests. */
const SUITES = new Set(['describe', 'suite', 'context', 'xdescribe', 'fdescribe']);
/** Methods that bind a path to functions. */
const ROUTES = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all', 'use', 'route']);
/** Methods whose first argument names what is bound even if it is no text. */
const BINDERS = new Set([
  'on',
  'once',
  'addListener',
  'addEventListener',
  'subscribe',
  'handle',
  'command',
  'register',
]);
const MAX_TITLE_CHARS = 160;

function nameOf(definition: Definition): string | null {
  const { node, kind, name, memberOf } = definition;
  const { type } = node;
  if (kind === 'block') return titleOf(node);
  if (kind === 'value' && !isNamedValue(definition)) return null;
  if (memberOf !== null && NAMED_FROM_OUTSIDE.has(memberOf) && VALUES.has(type)) return null;
  if (type === 'assignment_expression') return assigned(node, kind);
  return name.replace(/^(['"`])(.*)\1$/s, '$2');
}

/** Whether a value is known by its name: one at file level that is made here, or an entry of a long table. */
function isNamedValue({ node, memberOf }: Definition): boolean {
  const { type } = node;
  if (type === 'pair' || type === 'enum_assignment' || type === 'property_identifier')
    return node.parent !== null && isLongTable(node.parent);
  if (memberOf !== null && memberOf !== 'internal_module' && memberOf !== 'module') return false;
  if (sharesLine(node)) return false;
  const value = unwrapped(node.childForFieldName(type === 'assignment_expression' ? 'right' : 'value'));
  if (value === null || isImport(value)) return false;
  if (type !== 'assignment_expression') return true;
  const left = node.childForFieldName('left')?.text ?? '';
  if (/^(?:module\.)?exports\.\w+$|^[\w$.]+\.prototype\.[\w$]+$|^[A-Z][\w$]*\.[\w$]+$/.test(left)) return true;
  return left === 'module.exports'
    ? value.namedChildren.some(({ type: entry }) => entry === 'pair') || wraps(value)
    : wraps(value);
}

/** Whether a variable is declared behind another one on the same line. */
function sharesLine({ startPosition, previousNamedSibling }: SyntaxNode): boolean {
  return (
    previousNamedSibling?.type === 'variable_declarator' && previousNamedSibling.endPosition.row === startPosition.row
  );
}

function isImport(value: SyntaxNode): boolean {
  if (value.type === 'member_expression')
    return value.childForFieldName('object')?.text.startsWith('require(') === true;
  const callee = value.type === 'call_expression' ? value.childForFieldName('function') : null;
  return callee?.type === 'import' || callee?.text === 'require';
}

/** Whether a value is a call with a function, a class or an object among its arguments. */
function wraps(value: SyntaxNode): boolean {
  return (value.type === 'call_expression' || value.type === 'new_expression') && argumentsOf(value).some(isCode);
}

function isCode({ type }: SyntaxNode): boolean {
  return type === 'object' || type === 'class' || isFunction(type);
}

function isFunction(type: string): boolean {
  return type === 'arrow_function' || type === 'function_expression' || type === 'generator_function';
}

function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  return call.childForFieldName('arguments')?.namedChildren ?? [];
}

/** A value inside parentheses, casts, signs and `await`. */
function unwrapped(value: SyntaxNode | null): SyntaxNode | null {
  const types = [
    'parenthesized_expression',
    'as_expression',
    'satisfies_expression',
    'await_expression',
    'unary_expression',
  ];
  let at = value;
  while (at !== null && types.includes(at.type)) at = at.namedChildren.find(({ type }) => type !== 'comment') ?? null;
  return at;
}

/**
 * The name of a call that binds a title to a function: the title of a test, `app.get /tickets` of a route, with the name of the function if
 * it has one. Null for other calls.
 */
function titleOf(statement: SyntaxNode): string | null {
  const call = unwrapped(statement.namedChild(0));
  if (call?.type !== 'call_expression') return null;
  const callee = calleeOf(call);
  const last = callee.split('.').at(-1) ?? '';
  const isTest = isTestCall(callee);
  const handler = argumentsOf(call).findLast(isCode);
  const title = titleIn(call, isTest || BINDERS.has(last));
  const isRoute = title !== null && title.startsWith('/') && ROUTES.has(last) && argumentsOf(call).length > 1;
  if (
    title === null ||
    title === '' ||
    (handler === undefined && !isRoute && !(isTest && argumentsOf(call).length > 1))
  )
    return null;
  if (isTest) return title;
  const own = handler === undefined ? undefined : handler.childForFieldName('name')?.text;
  return [callee, title, own].filter(Boolean).join(' ');
}

/** What is called, without the arguments of a chain: `it.each` for `it.each([1])('a', f)`. */
function calleeOf(call: SyntaxNode): string {
  const callee = call.childForFieldName('function');
  if (callee === null) return '';
  if (callee.type === 'call_expression') return calleeOf(callee);
  if (callee.type !== 'member_expression') return callee.text.slice(0, MAX_TITLE_CHARS);
  const object = unwrapped(callee.childForFieldName('object'));
  const method = callee.childForFieldName('property')?.text ?? '';
  const owner = object?.type === 'call_expression' ? calleeOf(object) : (object?.text ?? '');
  return `${owner}.${method}`.replaceAll(/\s+/g, '').slice(0, MAX_TITLE_CHARS);
}

function isTestCall(callee: string): boolean {
  const [first = ''] = callee.split('.');
  return TESTS.has(first) || SUITES.has(first);
}

/** Whether a block holds tests or other blocks rather than being one. */
function isSuite(callee: string): boolean {
  return callee.split('.').some((part) => SUITES.has(part));
}

/** The title among the first arguments of a call or of the calls that it is chained to. */
function titleIn(call: SyntaxNode, anyName: boolean): string | null {
  const [first] = argumentsOf(call);
  const own = textOf(first);
  if (own !== null) return own;
  const isName = first?.type === 'identifier' || first?.type === 'member_expression' || first?.type === 'regex';
  if (anyName && isName) return first.text.slice(0, MAX_TITLE_CHARS);
  let title: string | null = null;
  for (let at = chained(call); at !== null; at = chained(at)) title = textOf(argumentsOf(at)[0]) ?? title;
  return title;
}

/** The call whose result a call is made on. */
function chained(call: SyntaxNode): SyntaxNode | null {
  const callee = call.childForFieldName('function');
  const inner = callee?.type === 'member_expression' ? callee.childForFieldName('object') : callee;
  return inner?.type === 'call_expression' ? inner : null;
}

/** The text of a string on one line; null for anything else. */
function textOf(node: SyntaxNode | undefined): string | null {
  if (node?.type !== 'string' && node?.type !== 'template_string') return null;
  return node.text.slice(1, -1).replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE_CHARS);
}

/** The members of a call are those of its function, unless it is a test; those of a value, the entries of a long table. */
function membersOf(node: SyntaxNode, kind: string | null): SyntaxNode | null {
  switch (kind) {
    case null:
      return node.type === 'expression_statement' ? blockOf(node, true) : null;
    case 'block':
      return blockOf(node, false);
    case 'value':
      return tableOf(node);
    case 'enum':
      return isLongTable(node) ? node : null;
    default:
      return node;
  }
}

/** The body of a call's function in which definitions are searched; null if it has none of its own. */
function blockOf(statement: SyntaxNode, isUntitled: boolean): SyntaxNode | null {
  const call = unwrapped(statement.namedChild(0));
  if (call?.type !== 'call_expression') return null;
  const callee = calleeOf(call);
  if (isTestCall(callee) && !isSuite(callee)) return null;
  const called = isUntitled ? unwrapped(call.childForFieldName('function')) : null;
  const inner = called?.type === 'member_expression' ? unwrapped(called.childForFieldName('object')) : called;
  const functions = [...(inner === null ? [] : [inner]), ...argumentsOf(call)].filter(({ type }) => isFunction(type));
  const bodies = functions
    .map((code) => code.childForFieldName('body'))
    .filter((body) => body?.type === 'statement_block');
  return (
    bodies.find((body) => body?.namedChildren.some(holdsDefinition)) ??
    (isSuite(callee) ? (bodies.at(-1) ?? null) : null)
  );
}

function holdsDefinition(statement: SyntaxNode): boolean {
  switch (statement.type) {
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'class_declaration':
      return true;
    case 'expression_statement':
      return titleOf(statement) !== null;
    default:
      return false;
  }
}

/** The object of a long table: a value, or what the function of a call returns or receives. */
function tableOf(node: SyntaxNode): SyntaxNode | null {
  if (!isLongTable(node)) return null;
  const field = node.type === 'assignment_expression' ? 'right' : 'value';
  for (let at = unwrapped(node.childForFieldName(field)); at !== null;) {
    if (at.type === 'object') return isLongTable(at) ? at : null;
    if (at.type === 'call_expression' || at.type === 'new_expression') at = argumentsOf(at).find(isCode) ?? null;
    else if (at.type === 'arrow_function') at = unwrapped(at.childForFieldName('body'));
    else return null;
  }
  return null;
}

/** The name in an assignment: `a` in `exports.a = …`, `A.b` in `A.prototype.b = …`; `module.exports = …` is the default export. */
function assigned(node: SyntaxNode, kind: string): string {
  const left = node.childForFieldName('left')?.text ?? '';
  const path = left.replace(/^(module\.exports|exports)(\.|$)/, '').replaceAll('.prototype.', '.');
  if (path !== '' || kind === 'object') return path;
  return node.childForFieldName('right')?.childForFieldName('name')?.text ?? 'default';
}
