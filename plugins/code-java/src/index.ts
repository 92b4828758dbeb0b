import {
  type Definition,
  defineLanguagePack,
  isLongTable,
  type LanguagePack,
  type SymbolSource,
  type Syntax,
} from '@kebab/code-kit';

/** Java: types, methods, constructors, fields with a lambda as value; symbols begin with the package's name. */
export const javaSyntax: Syntax = {
  lang: 'java',
  from: import.meta.url,
  wasm: 'tree-sitter-java/tree-sitter-java.wasm',
  tags: ['tree-sitter-java/queries/tags.scm'],
  supplement: `
    (enum_declaration name: (identifier) @name) @definition.enum
    (record_declaration name: (identifier) @name) @definition.class
    (annotation_type_declaration name: (identifier) @name) @definition.interface
    (constructor_declaration name: (identifier) @name) @definition.method
    (compact_constructor_declaration name: (identifier) @name) @definition.method
    (field_declaration declarator: (variable_declarator name: (identifier) @name value: (lambda_expression)))
      @definition.function
    (constant_declaration declarator: (variable_declarator name: (identifier) @name value: (lambda_expression)))
      @definition.function
    (field_declaration declarator: (variable_declarator name: (identifier) @name value: (_))) @definition.value
    (constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.value
    (enum_constant name: (identifier) @name) @definition.value`,
  separator: '.',
  containers: [
    'class_declaration',
    'interface_declaration',
    'enum_declaration',
    'record_declaration',
    'annotation_type_declaration',
  ],
  wrappers: [],
  lookThrough: ['class_body', 'interface_body', 'enum_body', 'enum_body_declarations', 'annotation_type_body'],
  leading: ['line_comment', 'block_comment'],
  prefixOf: packageName,
  nameOf,
  recovery: {
    unitLine:
      /^\s*(?:(?:public|private|protected|static|final|abstract|sealed)\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)|^\s+(?!(?:return|new|throw|else)\b)(?:[\w<>[\],.?]+\s+)+(\w+)\s*\(/,
    notCode: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"{3}[\s\S]*?(?:"{3}|$)|"(?:\\.|[^"\\\n]+)*"?|'(?:\\.|[^'\\\n]+)*'?/g,
  },
};

/** The name of a definition; of fields only that of constants, of constants of an enumeration only if it is long. */
function nameOf({ node, name, kind }: Definition): string | null {
  if (kind !== 'value') return name;
  if (node.type === 'enum_constant') return node.parent !== null && isLongTable(node.parent) ? name : null;
  const modifiers = node.namedChildren.find(({ type }) => type === 'modifiers')?.text ?? '';
  return node.type === 'constant_declaration' || (/\bstatic\b/.test(modifiers) && /\bfinal\b/.test(modifiers))
    ? name
    : null;
}

function packageName({ root }: SymbolSource): string {
  const declaration = root.children.find(({ type }) => type === 'package_declaration');
  const name = declaration?.namedChildren.find(({ type }) => type === 'scoped_identifier' || type === 'identifier');
  return name?.text.replaceAll(/\s/g, '') ?? '';
}

/** The language pack for Java. */
export const pack: LanguagePack = {
  lang: 'java',
  version: 3,
  documentation: {
    units:
      'classes, interfaces, enums, records, annotations, methods, constructors, constants, fields that hold a lambda, constants of long enums',
    symbolForm: '<package>.Outer.Inner.method',
    examples: ['com.foo.Outer.Inner.method', 'com.foo.Outer.Outer'],
  },
  syntaxesFor: () => [javaSyntax],
};

/** Extracts Java with its syntax tree. */
export default defineLanguagePack(pack);
