import { defineLanguagePack, type LanguagePack, type Syntax } from '@kebab/code-kit';

/** Python: functions and classes, also under conditions at file level; symbols begin with the module's dotted path. */
const pythonSyntax: Syntax = {
  lang: 'python',
  from: import.meta.url,
  wasm: 'tree-sitter-python/tree-sitter-python.wasm',
  tags: ['tree-sitter-python/queries/tags.scm'],
  supplement: `
    (expression_statement (assignment left: (identifier) @name right: (lambda))) @definition.function
    (module (expression_statement (assignment left: (identifier) @name right: (_)) @definition.value))
    (type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @definition.type`,
  separator: '.',
  containers: ['class_definition'],
  wrappers: ['decorated_definition', 'expression_statement'],
  lookThrough: [
    'block',
    'if_statement',
    'elif_clause',
    'else_clause',
    'try_statement',
    'except_clause',
    'finally_clause',
    'with_statement',
    'for_statement',
    'while_statement',
    'match_statement',
    'case_clause',
  ],
  leading: ['comment'],
  recovery: {
    unitLine: /^\s*(?:async\s+)?(?:def|class)\s+(\w+)|^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)/,
    notCode: /#[^\n]*|("{3}|'{3})[\s\S]*?(?:\1|$)|"(?:\\.|[^"\\\n]+)*"?|'(?:\\.|[^'\\\n]+)*'?/g,
    filler: 'pass',
  },
  prefixOf: ({ workspacePath }) => modulePath(workspacePath),
};

/**
 * The dotted path of a file's module: `kebab_eval.metrics` for `kebab_eval/metrics.py`. One leading `src` or `lib` folder and a trailing
 * `__init__` are dropped, so the path of an `__init__.py` at the root is empty.
 */
export function modulePath(workspacePath: string): string {
  const segments = workspacePath.replace(/\.pyi?$/i, '').split('/');
  if (segments.length > 1 && (segments[0] === 'src' || segments[0] === 'lib')) segments.shift();
  if (segments.at(-1) === '__init__') segments.pop();
  return segments.join('.');
}

/** The language pack for Python. */
export const pack: LanguagePack = {
  lang: 'python',
  version: 3,
  documentation: {
    units: 'functions, methods, classes, type aliases, names of a module bound to a value',
    symbolForm: '<module path>.Class.method',
    examples: ['kebab_eval.metrics.compute_mrr', 'kebab_eval.metrics.Metric.total'],
  },
  syntaxesFor: () => [pythonSyntax],
};

/** Extracts Python with its syntax tree. */
export default defineLanguagePack(pack);
