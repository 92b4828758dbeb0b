import {
  blank,
  closingBrace,
  defineLanguagePack,
  isLongTable,
  type LanguagePack,
  type Definition,
  type SymbolSource,
  type Syntax,
  type SyntaxNode,
} from '@kebab/code-kit';

const NOT_CODE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"{3}[\s\S]*?(?:"{3}|$)|"(?:\\.|\$\{[^}\n]*\}|[^"\\\n$]+|\$)*"?|'(?:\\.|[^'\\\n]+)*'?|`[^`\n]*`/g;

/** Kotlin: types, objects, functions, constructors, properties with a function as value; symbols begin with the package's name. */
export const kotlinSyntax: Syntax = {
  lang: 'kotlin',
  from: import.meta.url,
  wasm: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  tags: [],
  supplement: `
    (class_declaration name: (_) @name) @definition.class
    (object_declaration name: (_) @name) @definition.class
    (companion_object "companion" @name) @definition.class
    (function_declaration name: (_) @name) @definition.function
    (secondary_constructor "constructor" @name) @definition.method
    (type_alias type: (identifier) @name) @definition.type
    (property_declaration (variable_declaration . (identifier) @name) [(lambda_literal) (anonymous_function)])
      @definition.function
    (property_declaration (variable_declaration . (identifier) @name) (object_literal)) @definition.object
    (property_declaration (variable_declaration . (identifier) @name)) @definition.value
    (enum_entry . (identifier) @name) @definition.value`,
  separator: '.',
  containers: ['class_declaration', 'object_declaration', 'companion_object', '@object'],
  wrappers: [],
  lookThrough: ['class_body', 'enum_class_body', 'object_literal'],
  leading: ['line_comment', 'block_comment'],
  prefixOf: packageName,
  nameOf,
  prepare: (text) =>
    closedOnLine(
      contextAsComment(text.replace(LOOSE_ANNOTATION, blank))
        .replaceAll(MODIFIERS, blank)
        .replaceAll(SOFT_KEYWORD, (word) => 'x'.repeat(word.length)),
    ),
  recovery: {
    unitLine:
      /^\s*(?:(?:public|private|internal|protected|override|open|abstract|final|sealed|data|inner|enum|annotation|value|suspend|inline|operator|infix|tailrec|external|expect|actual|fun(?=\s+interface)|companion)\s+)*(?:(?:class|interface|object|typealias)\s+(\w+)|fun\s+(?:<[^>]*>\s*)?(?:[\w<>?,.* ]+\.)?(?:`([^`\n]+)`|(\w+))\s*\(|(?:const\s+)?va[lr]\s+(\w+)(?=[^=]*=))/,
    notCode: NOT_CODE,
  },
};

const CONTEXT =
  /^([ \t]*)context[ \t]*\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\)(?=\s*(?:@|(?:\/\/[^\n]*\s*)?(?:public|private|internal|protected|override|open|abstract|suspend|inline|operator|infix|tailrec|external|context|fun|val|var|class|interface|object)\b))/gm;

const BODY = /\b(?:class|interface|object)\b[^\n{}]{0,500}\{/g;
/** Longer bodies are not on one line. */
const MAX_BODY = 2000;

/** Ends the last member of a body on one line, `class A { fun f() = 1 }`, with a semicolon: without it the grammar loses the rest of the file. */
function closedOnLine(text: string): string {
  const code = text.replaceAll(NOT_CODE, blank);
  let [result, at] = ['', 0];
  const ends = [...code.matchAll(BODY)].map(({ 0: head, index }) => {
    const start = index + head.length;
    const lineEnd = code.indexOf('\n', start);
    return closingBrace(code, start, Math.min(lineEnd === -1 ? code.length : lineEnd, start + MAX_BODY));
  });
  for (const end of ends.toSorted((a, b) => a - b)) {
    const last = code
      .slice(Math.max(0, end - MAX_BODY), Math.max(0, end))
      .trimEnd()
      .at(-1);
    if (end <= at || text[end - 1] !== ' ' || last === '{' || last === ';') continue;
    result += `${text.slice(at, end - 1)};`;
    at = end;
  }
  return result + text.slice(at);
}

/**
 * Modifiers that the grammar takes for names in `@Target(CLASS) annotation class A`, `actual` before any constructor, and what stands before a
 * constructor on a line below its class or before an accessor.
 */
const MODIFIERS =
  /\b(?:(?:public|private|internal|protected|open|abstract|final|sealed|data|inner|value|annotation|inline|external|expect|actual)[ \t]+){1,9}(?=class\b)|\bactual(?=\s+constructor\b)|(?=@|\b(?:public|private|internal|protected|actual)\b)(?<=\bclass[ \t]+\w+(?:[ \t]*<[^{}()]{0,300}>)?\s*)(?:(?:@[\w.:]+(?:\([^()\n]*\))?|public|private|internal|protected|actual)\s+){1,9}(?=constructor\b)|(?:@[\w.:]+(?:\([^()\n]*\))?\s+){1,9}(?=[gs]et[ \t]*\()/g;

/** Words that are names at the beginning of an assignment: `open = true`. */
const SOFT_KEYWORD =
  /\b(?=[adefiov])(?<=^[ \t]*)(?:open|data|inner|value|annotation|inline|external|expect|actual|final)(?=[ \t]*(?:[-+*/%]?=|\.\w))/gm;

/** An annotation of nothing that a file ends with: the grammar's scanner looks for what it belongs to without end. */
const LOOSE_ANNOTATION = /@[\w.:]+(?:\([^\n@]*\))?$/;

/** Writes `context(…)` above a declaration as a comment, which belongs to it: the grammar takes it for a call. */
function contextAsComment(text: string): string {
  if (!text.includes('context')) return text;
  return text.replaceAll(CONTEXT, (whole, indent: string) => {
    const call = whole.slice(indent.length);
    return call.includes('*/') ? whole : `${indent}/*${call.slice(2, -2)}*/`;
  });
}

function packageName({ root }: SymbolSource): string {
  const header = root.children.find(({ type }) => type === 'package_header');
  return header?.namedChildren.find(({ type }) => type === 'qualified_identifier')?.text.replaceAll(/[\s`]/g, '') ?? '';
}

function nameOf({ node, name, kind, memberOf }: Definition): string | null {
  if (node.type === 'enum_entry') return node.parent !== null && isLongTable(node.parent) ? name : null;
  if (kind === 'value' && !isConstant(node, memberOf)) return null;
  switch (node.type) {
    case 'companion_object':
      return node.childForFieldName('name')?.text ?? 'Companion';
    case 'secondary_constructor':
      return node.parent?.parent?.childForFieldName('name')?.text ?? name;
    default:
      return name.replaceAll('`', '');
  }
}

/** Whether a property is a value of the file, or a constant of an object. */
function isConstant(node: SyntaxNode, memberOf: string | null): boolean {
  if (memberOf === null) return /=|\b(?:by|expect)\b/.test(node.text);
  return (memberOf === 'object_declaration' || memberOf === 'companion_object') && /\bconst\s+val\b/.test(node.text);
}

/** The language pack for Kotlin. */
export const pack: LanguagePack = {
  lang: 'kotlin',
  version: 5,
  documentation: {
    units:
      'classes, interfaces, objects, functions, secondary constructors, type aliases, values of a file or an object, entries of long enums',
    symbolForm: '<package>.Outer.Inner.method',
    examples: ['com.foo.Outer.Inner.method', 'com.foo.Outer.Companion.create', 'com.foo.longest'],
  },
  syntaxesFor: () => [kotlinSyntax],
};

/** Extracts Kotlin with its syntax tree. */
export default defineLanguagePack(pack);
