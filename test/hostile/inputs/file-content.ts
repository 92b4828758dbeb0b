import { hostileTexts } from '@kebab/testing';

/** A file with hostile content, and its name. */
export interface HostileFile {
  readonly name: string;
  /** With its extension, without a folder. */
  readonly file: string;
  readonly content: () => string | Uint8Array;
}

/** Opening Markdown delimiters, each of which needs a closing one. */
const MARKS = [
  '[', '![', '[^', '](', '[a](', '[a][', '[a]: ', '*', '**a ', '_', 'a_', '__a', '`', '``` ', '~~', '<', '<a ', '<a href="', '</a>', '<div>',
  '<!--', '<![CDATA[', '<?', '> ', '>', '- ', '- * ', '* a\n  ', '1. ', '1) 1) ', '\t', '    a\n', '#', '# a\n', 'a\n=\n', 'a\n-\n', '---\n',
  '| a ', '|-|\n', '|a|\n|-|\n', '\\', '\\[', '&', '&amp;', '&#0;', '&#x10FFFF;', '&amp;amp;', 'http://a.', 'www.a', 'a@b.', '$', '$$\n', '[^1]',
  '[^1]: ', ':::', '{', '{{', '[[', '![[', '%%', '==', '<br>', '- [ ] ', ' \n', '\r', '\u00A0', '가', '😀', '\u202E', '\u200B', '\0a',
] as const; // prettier-ignore

const SHAPES: Readonly<Record<string, (mark: string) => string>> = {
  'one line of it': (mark) => `# one\n\n${repeated(mark, 120_000)}\n`,
  'a line each': (mark) => `# one\n\n${repeated(`${mark} word\n`, 120_000)}`,
  'opened, then closed': (mark) => `# one\n\n${repeated(mark, 20_000)} middle ${repeated(mirrored(mark), 20_000)}\n`,
};

function repeated(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length));
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };

function mirrored(mark: string): string {
  return mark
    .split('')
    .toReversed()
    .map((sign) => CLOSING[sign] ?? sign)
    .join('');
}

const MARKDOWN: readonly HostileFile[] = MARKS.flatMap((mark) =>
  Object.entries(SHAPES).map(([shape, make]) => ({
    name: `${JSON.stringify(mark)}, ${shape}`,
    file: 'hostile.md',
    content: () => make(mark),
  })),
);

/** Reported inputs that once crashed or hung a process. */
const REPORTED: Readonly<Record<string, () => string>> = {
  'half a megabyte of lines with character references': () =>
    `# export\n\n${Array.from({ length: 20_000 }, (_, i) => `Tom &amp; Jerry&nbsp;${i}\n`).join('')}`,
  'half a megabyte of character references': () => '&amp;'.repeat(100_000),
  'a megabyte of a_': () => 'a_'.repeat(500_000),
  'two megabytes of mixed list marks': () => '- * '.repeat(480_000),
  'a long line of Chinese with links and emphasis': () => '**汉字**[链接](http://a.b)、'.repeat(40_000),
  'a hundred thousand headings': () => Array.from({ length: 100_000 }, (_, i) => `# h${i}\n`).join(''),
  'six levels of headings over and over': () => '# a\n## b\n### c\n#### d\n##### e\n###### f\n'.repeat(5000),
  'a table of ten thousand columns': () => `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|\n`.repeat(3),
  'a hundred thousand reference definitions': () => Array.from({ length: 100_000 }, (_, i) => `[r${i}]: /x\n`).join(''),
  'fences of every length': () => Array.from({ length: 300 }, (_, i) => `${'`'.repeat(i + 3)}\n`).join(''),
  'front matter of a megabyte': () => `---\ntags: [${'a, '.repeat(350_000)}b]\n---\n# one\n`,
  'front matter of aliases of aliases': () => `---\n${bomb((i) => `a${i}: &a${i}`)}\n---\n# one\n`,
  'front matter that defines a prototype': () => '---\n__proto__: {polluted: yes}\nconstructor: x\n---\n# one\n',
  'front matter with a tag that asks for code': () =>
    '---\ntitle: !!js/function "function(){process.exit(9)}"\n---\n# one\n',
  'front matter of nested lists': () => `---\ntags: ${'['.repeat(20_000)}\n---\n# one\n`,
  'front matter that is a list': () => '---\n- a\n- b\n---\n# one\n',
  'front matter in TOML, damaged': () => '+++\ntitle = "open\n[x\n+++\n# one\n',
  'front matter with a key of every type': () => '---\n1: a\nnull: b\n2024-01-01: c\n? [x]\n: d\n---\n# one\n',
  'front matter with an impossible date': () => '---\ndate: 9999999-99-99T99:99:99Z\ncreated: -1\n---\n# one\n',
  'front matter twice': () => '---\ntitle: a\n---\n---\ntitle: b\n---\n# one\n',
};

function bomb(name: (level: number) => string): string {
  const level = (i: number): string =>
    `${name(i)} [${Array.from({ length: 9 }, () => (i === 0 ? 'lol' : `*a${i - 1}`)).join(', ')}]`;
  return Array.from({ length: 12 }, (_, i) => level(i)).join('\n');
}

const REPORTED_MARKDOWN = Object.entries(REPORTED).map(([name, content]) => ({ name, file: 'hostile.md', content }));

/** The texts of the contract suites, under names that different extractors handle. */
const TEXTS: readonly HostileFile[] = ['md', 'txt', 'csv', 'json', 'yaml', 'rs', 'py', 'ts', 'html'].flatMap(
  (extension) =>
    hostileTexts().map(({ name, bytes }) => ({
      name: `${name}, as .${extension}`,
      file: `hostile.${extension}`,
      content: () => bytes,
    })),
);

/** Nested constructs of a language, opened and never closed. */
const NESTING: Readonly<Record<string, readonly string[]>> = {
  rs: ['fn f() {', 'mod a {', 'vec![', '/*', 'r#"', "'a:", 'a::<'],
  py: ['def f():\n ', '(', '[', '{', '"""', 'f"{', '@a\n', 'if x:\n\t'],
  ts: ['{', '(', '`${', 'class A {', 'a?.b<', '/*', '//', '<T,'],
  js: ['[', '=>', '/a', '`${`', 'function f(){', '!'],
  tsx: ['<a>', '<a b={', '<>'],
  go: ['func f() {', 'struct {', '`', '/*', '[]'],
  java: ['class A {', '@A(', '<', '/*', '"'],
  kt: ['fun f() {', '"${', '/*', 'class A('],
  c: ['#if 1\n', '{', '(', '/*', '#define a \\\n', '*'],
  cpp: ['template<', 'namespace a {', 'R"(', 'a<', '[](){'],
  json: ['[', '{"a":', '"', '\\u', '-'],
  yaml: ['- ', '? ', '&a ', '{', '[', 'a: ', '|\n ', '---\n', '!!x '],
  toml: ['[a.', '[[a]]\n', 'a = [', '"""', 'a.b.c.d = 1\n'],
  xml: ['<a>', '<!--', '<![CDATA[', '&lt;', '<!ENTITY a "', '<a b="', '<?x '],
  html: ['<table><tr><td>', '<script>', '<svg>', '<'],
  sh: ['$(', '<<A\n', '${', '"', '('],
  sql: ['(', "'", '--', 'SELECT ('],
  css: ['a{', '/*', '@media x{', 'a>'],
};
const DATA: Readonly<Record<string, () => string>> = {
  'bomb.yaml': () => bomb((i) => `a${i}: &a${i}`),
  'merge.yaml': () => `a: &a {x: 1}\n${Array.from({ length: 3000 }, (_, i) => `b${i}:\n  <<: *a\n`).join('')}`,
  'laughs.xml': () =>
    `<!DOCTYPE l [<!ENTITY a0 "lol">${Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]><l>&a12;</l>`,
  'outside.xml': () => '<!DOCTYPE l [<!ENTITY e SYSTEM "file:///etc/passwd">]><l>&e;</l>',
  'proto.json': () => '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}',
  'numbers.json': () => `[1e999999,-0,1e-999,${'9'.repeat(20_000)}]`,
  'deep.toml': () => `a${'.a'.repeat(20_000)} = 1\n`,
  'keys.toml': () => Array.from({ length: 20_000 }, (_, i) => `[t${i}]\na = ${i}\n`).join(''),
  'manifest.yaml': () => 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: [x]\n  namespace: {a: 1}\n---\n'.repeat(2000),
  'go.mod': () => `module ${'a/'.repeat(30_000)}\n`,
  Dockerfile: () => `FROM a\n${'RUN \\\n'.repeat(20_000)}`,
  'one.csv': () => `${'"'.repeat(200_001)}\n`,
  'lines.log': () => 'a\n'.repeat(300_000),
};

const CODE: readonly HostileFile[] = [
  ...Object.entries(NESTING).flatMap(([extension, openings]) =>
    openings.map((opening) => ({
      name: `${JSON.stringify(opening)} opened over and over, as .${extension}`,
      file: `hostile.${extension}`,
      content: () => repeated(opening, 120_000),
    })),
  ),
  ...Object.entries(DATA).map(([file, content]) => ({ name: `a hostile ${file}`, file, content })),
];

/** Files by the extractor that reads them. */
export const TEXT_FILES = {
  'files: Markdown': [...MARKDOWN, ...REPORTED_MARKDOWN],
  'files: texts of every extractor': TEXTS,
  'files: code, YAML, JSON, XML, TOML': CODE,
} as const;
