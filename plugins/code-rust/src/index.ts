import {
  blank,
  closingBrace,
  defineLanguagePack,
  isLongTable,
  type LanguagePack,
  type Definition,
  type Syntax,
  type SyntaxNode,
  textWithout,
} from '@kebab/code-kit';

const NOT_CODE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\br(#{0,8})"[\s\S]*?(?:"\1|$)|"(?:\\[\s\S]|[^"\\]+)*(?:"|$)|'(?:\\[^\n]{1,8}|[^'\\\n])'/g;

/** Rust: types, functions, macros; `impl`, `trait` and `mod` contain members. */
export const rustSyntax: Syntax = {
  lang: 'rust',
  from: import.meta.url,
  wasm: 'tree-sitter-rust/tree-sitter-rust.wasm',
  tags: ['tree-sitter-rust/queries/tags.scm'],
  supplement: `
    (impl_item type: (_) @name) @definition.impl
    (function_signature_item name: (identifier) @name) @definition.method
    (associated_type name: (type_identifier) @name) @definition.type
    (const_item name: (identifier) @name) @definition.value
    (static_item name: (identifier) @name) @definition.value
    (enum_variant name: (identifier) @name) @definition.value
    (const_item name: (identifier) @name value: (closure_expression)) @definition.function
    (static_item name: (identifier) @name value: (closure_expression)) @definition.function`,
  separator: '::',
  containers: ['impl_item', 'trait_item', 'mod_item', 'enum_item'],
  wrappers: [],
  lookThrough: ['declaration_list', 'enum_variant_list'],
  leading: ['line_comment', 'block_comment', 'attribute_item'],
  nameOf,
  membersOf: (node, kind) => (kind === null || (node.type === 'enum_item' && !isLongTable(node)) ? null : node),
  prepare: withoutMacroCalls,
  recovery: {
    unitLine:
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe)\s+)*(?:fn|struct|enum|trait|mod|impl|type|static|const)\s+(\w+)/,
    notCode: NOT_CODE,
  },
};

const MACRO_CALL = /^[ \t]*(?:[a-z_]\w*::)*(?!macro_rules)[a-z_]\w*!\s*\{/gm;
/** An item inside a macro call; without one, the call is no code that has names. */
const ITEM = /\bfn\s+[A-Za-z_][^{};]*[{;]|\b(?:struct|enum|trait|impl|mod|static|const|type)\s+(?:ref\s+)?[A-Za-z_<]/;
/** The conditions of `cfg_if!`, the items of `lazy_static!` and the types of `bitflags!`, which are no Rust outside of these. */
const BRANCH = /\}?\s*(?:else\s*)?if\s+#\[[^\]\n]*\]\s*\{|\}\s*else\s*\{/g;
const STATIC_REF = /\bstatic\s+ref\b/g;
const FLAGS = /(\bstruct\s+\w+)(\s*:\s*\w+)(?=\s*\{)/g;
const FLAG = /(?:#\[[^\]\n]*\]\s*)*\bconst\s+\w+\s*=[^;]*;/g;
/** The parameters of a test of `proptest!`: `a in 0..10`. */
const DRAWN = /(\bfn\s+\w+\s*\()((?:[^()]|\([^()]*\)){0,400}?\bin\b(?:[^()]|\([^()]*\)){0,400})(?=\)\s*\{)/g;

/** The text with calls of macros that contain items opened: `cfg_if! { if #[cfg(unix)] { fn f() {} } }` becomes `fn f() {}`. */
function withoutMacroCalls(text: string): string {
  if (!text.includes('!')) return text;
  const code = text.replaceAll(NOT_CODE, blank);
  let [result, at, seen] = ['', 0, 0];
  for (const { 0: head, index } of code.matchAll(MACRO_CALL)) {
    if (index < seen) continue; // inside a call that is opened, or has no items
    const start = index + head.length;
    const end = closingBrace(code, start);
    if (end === -1) break;
    seen = end;
    if (!ITEM.test(code.slice(start, end))) continue;
    result += text.slice(at, index) + blank(head) + opened(text.slice(start, end), code.slice(start, end)) + ' ';
    at = end + 1;
  }
  return result + text.slice(at);
}

/** The content of a macro call, with what is only valid inside of it blanked. */
function opened(text: string, code: string): string {
  const isConditional = BRANCH.test(code);
  BRANCH.lastIndex = 0;
  let content = text;
  if (isConditional) {
    content = replacedWhere(content, code, BRANCH, blank);
    const last = code.lastIndexOf('}');
    content = content.slice(0, last) + ' ' + content.slice(last + 1);
  }
  content = replacedWhere(content, code, STATIC_REF, (found) => `static${blank(found.slice(6))}`);
  content = replacedWhere(content, code, FLAGS, (found, head) => head + blank(found.slice(head.length)));
  content = replacedWhere(content, code, FLAG, blank);
  return replacedWhere(content, code, DRAWN, (found, head) => head + blank(found.slice(head.length)));
}

/** A text in which the matches of a pattern in the code of equal length are replaced, where they are still as in the code. */
function replacedWhere(
  text: string,
  code: string,
  pattern: RegExp,
  replace: (found: string, group: string) => string,
): string {
  let [result, at] = ['', 0];
  for (const { 0: found, 1: group = '', index } of code.matchAll(pattern)) {
    result += text.slice(at, index) + replace(found, group);
    at = index + found.length;
  }
  return result + text.slice(at);
}

function nameOf({ node, name, memberOf }: Definition): string | null {
  switch (node.type) {
    case 'enum_variant':
      return node.parent !== null && isLongTable(node.parent) ? name : null;
    case 'impl_item': {
      const type = withoutArguments(node.childForFieldName('type')) ?? name;
      const trait = withoutArguments(node.childForFieldName('trait'));
      return trait === null ? type : `<${type} as ${trait}>`;
    }
    case 'macro_definition':
      return `${name}!`;
    case 'mod_item':
      return node.childForFieldName('body') === null ? null : name; // `mod m;` stands for a file
    case 'const_item':
      return memberOf === 'impl_item' || memberOf === 'trait_item' ? null : name;
    default:
      return name;
  }
}

/** A type as written, without generic arguments: `Foo` for `Foo<'a, T>`. */
function withoutArguments(type: SyntaxNode | null): string | null {
  const text = type === null ? null : textWithout(type, 'type_arguments');
  return text?.replaceAll(/::(?=$|[^\p{L}\p{N}_])/gu, '') ?? null;
}

/** The language pack for Rust. */
export const pack: LanguagePack = {
  lang: 'rust',
  version: 5,
  documentation: {
    units:
      'functions, methods, types, traits, type aliases, associated types, macros, constants, statics, variants of long enums',
    symbolForm: '[m::]name, Type::method, <Type as Trait>::method, name!',
    examples: ['Store::get', '<Error as fmt::Display>::fmt', 'map!', 'filter::Globs::matches'],
  },
  syntaxesFor: () => [rustSyntax],
};

/** Extracts Rust with its syntax tree. */
export default defineLanguagePack(pack);
