import {
  defineLanguagePack,
  type LanguagePack,
  type Definition,
  type SymbolSource,
  type Syntax,
} from '@kebab/code-kit';

/** Go: functions, methods, types, variables with a function as value; symbols begin with the package's name. */
export const goSyntax: Syntax = {
  lang: 'go',
  from: import.meta.url,
  wasm: 'tree-sitter-go/tree-sitter-go.wasm',
  tags: ['tree-sitter-go/queries/tags.scm'],
  supplement: `
    (type_alias name: (type_identifier) @name) @definition.type
    (var_spec name: (identifier) @name value: (expression_list . (func_literal) .)) @definition.function
    (var_spec name: (identifier) @name value: (_)) @definition.value
    (const_spec name: (identifier) @name) @definition.value`,
  separator: '.',
  containers: [],
  wrappers: ['type_declaration', 'var_declaration', 'const_declaration'],
  lookThrough: ['type_declaration', 'var_declaration', 'var_spec_list', 'const_declaration'],
  leading: ['comment'],
  recovery: {
    unitLine: /^func\s+(?:\([^)]*\)\s*)?(\w+)|^(?:type|var|const)\s+(\w+)/,
    notCode: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n]+)*"?|'(?:\\.|[^'\\\n]+)*'?|`[^`]*`?/g,
  },
  prefixOf: packageName,
  nameOf,
};

function packageName({ root }: SymbolSource): string {
  const clause = root.children.find(({ type }) => type === 'package_clause');
  return clause?.namedChildren.find(({ type }) => type === 'package_identifier')?.text ?? '';
}

function nameOf({ node, kind, name }: Definition): string {
  const receiver = kind === 'method' ? node.childForFieldName('receiver') : null;
  if (receiver === null) return name;
  const type = receiver.namedChildren
    .find((child) => child.type === 'parameter_declaration')
    ?.childForFieldName('type');
  const [inner] = type?.type === 'pointer_type' ? type.namedChildren : [type];
  const bare = inner?.type === 'generic_type' ? inner.childForFieldName('type') : inner;
  return `(${type === inner ? '' : '*'}${bare?.text ?? ''}).${name}`;
}

/** The language pack for Go. */
export const pack: LanguagePack = {
  lang: 'go',
  version: 3,
  documentation: {
    units: 'functions, methods, types, constants, variables with a value',
    symbolForm: '<package>.Func, <package>.(*Receiver).Method',
    examples: ['store.New', 'store.(*Store).Get', 'store.(Key).String', 'store.Key'],
  },
  syntaxesFor: () => [goSyntax],
};

/** Extracts Go with its syntax tree. */
export default defineLanguagePack(pack);
