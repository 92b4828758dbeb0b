/** The media type of a file. */
export type MediaType =
  | { readonly kind: 'markdown' }
  | { readonly kind: 'text' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'image'; readonly type: string }
  | { readonly kind: 'audio'; readonly type: string }
  | { readonly kind: 'code'; readonly lang: string }
  | { readonly kind: 'other'; readonly ext: string };

/** The extensions of each media type, by its key. */
const EXTENSIONS = {
  markdown: 'md markdown mdx qmd rmd',
  text: 'txt text rst adoc asciidoc org log tex bib',
  pdf: 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/tiff': 'tif tiff',
  'image/bmp': 'bmp',
  'audio/m4a': 'm4a',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'code/rust': 'rs',
  'code/python': 'py pyi',
  'code/typescript': 'ts tsx mts cts',
  'code/javascript': 'js mjs cjs jsx',
  'code/go': 'go',
  'code/java': 'java',
  'code/kotlin': 'kt kts',
  'code/c': 'c h',
  'code/cpp': 'cpp cc cxx hpp hh hxx',
  'code/yaml': 'yaml yml',
  'code/dockerfile': 'dockerfile',
  'code/toml': 'toml',
  'code/json': 'json',
  'code/xml': 'xml',
  'code/groovy': 'gradle groovy',
  'code/shell': 'sh bash zsh ksh fish',
  'code/make': 'mk',
  'code/ruby': 'rb',
  'code/php': 'php',
  'code/csharp': 'cs',
  'code/swift': 'swift',
  'code/scala': 'scala',
  'code/lua': 'lua',
  'code/sql': 'sql',
  'code/proto': 'proto',
  'code/css': 'css',
  'code/perl': 'pl pm',
  'code/r': 'r',
  'code/dart': 'dart',
  'code/elixir': 'ex exs',
  'code/erlang': 'erl hrl',
  'code/haskell': 'hs',
  'code/julia': 'jl',
  'code/ocaml': 'ml mli',
  'code/clojure': 'clj cljs cljc edn',
  'code/fsharp': 'fs fsi fsx',
  'code/visual-basic': 'vb',
  'code/objective-c': 'm mm',
  'code/cuda': 'cu cuh',
  'code/zig': 'zig',
  'code/nim': 'nim',
  'code/fortran': 'f90 f95 f03',
  'code/pascal': 'pas',
  'code/assembly': 'asm s',
  'code/verilog': 'v sv',
  'code/vhdl': 'vhd vhdl',
  'code/solidity': 'sol',
  'code/lisp': 'lisp el scm rkt',
  'code/tcl': 'tcl',
  'code/awk': 'awk',
  'code/vim': 'vim',
  'code/powershell': 'ps1 psm1',
  'code/batch': 'bat cmd',
  'code/vue': 'vue',
  'code/svelte': 'svelte',
  'code/astro': 'astro',
  'code/scss': 'scss sass',
  'code/less': 'less',
  'code/graphql': 'graphql gql',
  'code/thrift': 'thrift',
  'code/prisma': 'prisma',
  'code/hcl': 'tf hcl',
  'code/nix': 'nix',
  'code/starlark': 'bzl bazel star',
  'code/cmake': 'cmake',
  'code/glsl': 'glsl vert frag wgsl',
  'code/ini': 'ini cfg conf properties',
};

let types: ReadonlyMap<string, MediaType> | undefined;

/** The media type of each extension, in the order of the table. */
function typesByExtension(): ReadonlyMap<string, MediaType> {
  types ??= new Map(
    Object.entries(EXTENSIONS).flatMap(([name, extensions]) => {
      const [kind = '', sub = ''] = name.split('/');
      const type =
        kind === 'code' ? { kind, lang: sub } : kind === 'image' || kind === 'audio' ? { kind, type: sub } : { kind };
      return extensions.split(' ').map((extension) => [extension, type as MediaType] as const);
    }),
  );
  return types;
}

const WHOLE_NAMES: Readonly<Record<string, readonly string[]>> = {
  dockerfile: ['Dockerfile', 'Dockerfile.*', 'Containerfile'],
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  'go-mod': ['go.mod'],
  cmake: ['CMakeLists.txt'],
  ruby: ['Gemfile', 'Rakefile', 'Vagrantfile'],
  groovy: ['Jenkinsfile'],
  starlark: ['BUILD', 'WORKSPACE'],
};

/** Extensionless project files that are text. */
const TEXTS: ReadonlySet<string> = new Set(
  'README LICENSE LICENCE COPYING NOTICE CHANGELOG CHANGES NEWS TODO AUTHORS CONTRIBUTORS INSTALL HACKING'.split(' '),
);

/** File name patterns for a programming language: `*.rs` for `rust`. Empty for an unknown language. */
export function fileNamesOf(lang: string): readonly string[] {
  const extensions = [...typesByExtension()].filter(([, type]) => type.kind === 'code' && type.lang === lang);
  return [...(WHOLE_NAMES[lang] ?? []), ...extensions.map(([extension]) => `*.${extension}`)];
}

/** Every programming language that {@link mediaTypeOf} recognises, in the order of its tiers. */
export function codeLangs(): readonly string[] {
  const named = [...typesByExtension().values()].flatMap((type) => (type.kind === 'code' ? [type.lang] : []));
  return [...new Set([...named, ...Object.keys(WHOLE_NAMES)])];
}

/** Every media type that {@link mediaTypeOf} recognises by name, except unknown extensions. */
export function knownMediaTypes(): readonly MediaType[] {
  const others = Object.keys(WHOLE_NAMES).map((lang): MediaType => ({ kind: 'code', lang }));
  return [...new Map([...typesByExtension().values(), ...others].map((media) => [mediaKey(media), media])).values()];
}

/** A string key for a media type; equal media types have equal keys. */
export function mediaKey(media: MediaType): string {
  switch (media.kind) {
    case 'code':
      return `code/${media.lang}`;
    case 'image':
    case 'audio':
      return `${media.kind}/${media.type}`;
    case 'other':
      return `other/${media.ext}`;
    case 'markdown':
    case 'text':
    case 'pdf':
      return media.kind;
    default:
      return media satisfies never;
  }
}

/** Determines the media type from the last segment of a path; the case of the extension does not matter. */
export function mediaTypeOf(path: string): MediaType {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ext = extensionOf(name);
  return mediaTypeOfWhole(name) ?? typesByExtension().get(ext) ?? { kind: 'other', ext };
}

function mediaTypeOfWhole(name: string): MediaType | undefined {
  if (TEXTS.has(name)) return { kind: 'text' };
  const whole = name.startsWith('Dockerfile.') ? 'Dockerfile' : name;
  for (const lang in WHOLE_NAMES) if (WHOLE_NAMES[lang]?.includes(whole) === true) return { kind: 'code', lang };
  return undefined;
}

/** Magic bytes of media types. */
const BEGINNINGS: readonly (readonly [bytes: readonly number[], media: MediaType])[] = [
  [[0x25, 0x50, 0x44, 0x46, 0x2d], { kind: 'pdf' }],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], { kind: 'image', type: 'png' }],
  [[0xff, 0xd8, 0xff], { kind: 'image', type: 'jpeg' }],
  [[0x47, 0x49, 0x46, 0x38], { kind: 'image', type: 'gif' }],
];
const TIFF: readonly (readonly number[])[] = [
  [0x49, 0x49, 0x2a, 0x00],
  [0x4d, 0x4d, 0x00, 0x2a],
];

/** Script languages by the interpreter in their first line, without its version: `python` for `#!/usr/bin/env python3.12`. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  shell: 'sh bash dash zsh ksh fish',
  python: 'python pypy',
  javascript: 'node',
  typescript: 'deno bun tsx ts-node',
  ruby: 'ruby',
  perl: 'perl',
  php: 'php',
  lua: 'lua luajit',
  r: 'Rscript',
  awk: 'awk gawk',
  tcl: 'tclsh wish',
  make: 'make',
  julia: 'julia',
  elixir: 'elixir',
};
/** `#!`, a path, and the argument of `env`. */
const SHEBANG = /^#![ \t]*(?:\/[^\s/]+)*\/([^\s/]+)(?:[ \t]+(?:-\S+[ \t]+)*([^\s/]+))?/;

/** How many bytes {@link mediaTypeOfBytes} examines, if the file has that many. */
export const HEAD_BYTES = 64;
/** A shorter file is not recognised by its bytes: `#!/bin/sh` and a line end. */
export const MIN_HEAD_BYTES = 10;

/**
 * Determines the media type from the first bytes of a file whose name does not determine it; null when they do not either. Camera raw
 * formats, which have extensions of their own, begin like TIFF files, so TIFF is recognised only without an extension. A script is
 * recognised by its `#!` line.
 */
export function mediaTypeOfBytes(head: Uint8Array, name: string): MediaType | null {
  const begins = (bytes: readonly number[], from = 0): boolean => bytes.every((byte, at) => head[from + at] === byte);
  const known = BEGINNINGS.find(([bytes]) => begins(bytes));
  if (known !== undefined) return known[1];
  const lang = begins([0x23, 0x21]) ? langOfScript(head) : undefined;
  if (lang !== undefined) return { kind: 'code', lang };
  if (begins([0x52, 0x49, 0x46, 0x46]) && begins([0x57, 0x45, 0x42, 0x50], 8)) return { kind: 'image', type: 'webp' };
  return extensionOf(name) === '' && TIFF.some((bytes) => begins(bytes)) ? { kind: 'image', type: 'tiff' } : null;
}

function langOfScript(head: Uint8Array): string | undefined {
  const [line = ''] = new TextDecoder('latin1').decode(head.subarray(0, HEAD_BYTES)).split(/[\n\r\0]/, 1);
  const [, program = '', argument = ''] = SHEBANG.exec(line) ?? [];
  const name = (program === 'env' ? argument : program).replace(/[\d.]+$/, '');
  return Object.keys(INTERPRETERS).find((lang) => INTERPRETERS[lang]?.split(' ').includes(name));
}

/** Determines the media type from the file name, or from the first bytes where the name does not determine it. */
export function mediaTypeOfFile(name: string, head: Uint8Array): MediaType {
  const named = mediaTypeOf(name);
  return named.kind === 'other' ? (mediaTypeOfBytes(head, name) ?? named) : named;
}

/** The lower-case extension of a file name, without its dot; empty when there is none (`.profile` has none). */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/**
 * File name patterns for a type that a person names: a kind of document (`markdown`), a kind of picture (`jpeg`) or a programming language
 * (`python`); anything else is an extension (`docx`).
 */
export function fileNamesOfType(type: string): readonly string[] {
  const isOfType = (media: MediaType): boolean => media.kind === type || ('type' in media && media.type === type);
  const extensions = [...typesByExtension()]
    .filter(([, media]) => isOfType(media))
    .map(([extension]) => `*.${extension}`);
  const names = [...fileNamesOf(type), ...extensions];
  return names.length > 0 ? names : [`*.${type}`];
}

/** A glob that matches the text in upper and lower case, and nothing else. */
export function globInAnyCase(text: string): string {
  return Array.from(text, (character) => {
    const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
    if (lower !== upper && lower.length === upper.length) return `[${lower}${upper}]`;
    return /[*?[\]{}\\]/.test(character) ? `\\${character}` : character;
  }).join('');
}
