import type { Syntax } from '@kebab/code-kit';
import { modulePath } from './module-path.ts';

/** Python: functions and classes, also under conditions at file level; symbols begin with the module's dotted path. */
export const pythonSyntax: Syntax = {
  lang: 'python',
  from: import.meta.url,
  wasm: 'tree-sitter-python/tree-sitter-python.wasm',
  tags: ['tree-sitter-python/queries/tags.scm'],
  supplement: `
    (expression_statement (assignment left: (identifier) @name right: (lambda))) @definition.function
    (type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @definition.type`,
  separator: '.',
  containers: ['class_definition'],
  wrappers: ['decorated_definition'],
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
  prefixOf: ({ workspacePath }) => modulePath(workspacePath),
};
