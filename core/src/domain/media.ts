/** The kinds of document, as told apart by filters, citations and counts. */
export const MEDIA = ['markdown', 'text', 'pdf', 'image', 'audio', 'code', 'other'] as const;
/** One of {@link MEDIA}. */
export type Media = (typeof MEDIA)[number];

/** What a file is, judged by its name. */
export type MediaType =
  | { readonly kind: 'markdown' }
  | { readonly kind: 'text' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'image'; readonly type: string }
  | { readonly kind: 'audio'; readonly type: string }
  | { readonly kind: 'code'; readonly lang: string }
  | { readonly kind: 'other'; readonly ext: string };

/** How far a document's content is to be trusted, most first. */
export const TRUST_LEVELS = ['primary', 'secondary', 'generated'] as const;
/** One of {@link TRUST_LEVELS}. */
export type TrustLevel = (typeof TRUST_LEVELS)[number];

/** What a document is to its owner. */
export const SOURCE_TYPES = ['markdown', 'note', 'paper', 'reference', 'inbox', 'code'] as const;
/** One of {@link SOURCE_TYPES}. */
export type SourceType = (typeof SOURCE_TYPES)[number];

const EXTENSIONS: ReadonlyMap<string, MediaType> = new Map(
  Object.entries({
    markdown: 'md markdown mdx',
    text: 'txt text rst adoc org log',
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
    'code/shell': 'sh bash zsh',
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
  }).flatMap(([name, extensions]) => {
    const [kind = '', sub = ''] = name.split('/');
    const type =
      kind === 'code' ? { kind, lang: sub } : kind === 'image' || kind === 'audio' ? { kind, type: sub } : { kind };
    return extensions.split(' ').map((extension) => [extension, type as MediaType] as const);
  }),
);

const WHOLE_NAMES: Readonly<Record<string, readonly string[]>> = {
  dockerfile: ['Dockerfile', 'Dockerfile.*'],
  make: ['Makefile'],
  'go-mod': ['go.mod'],
};

/** Lists the names of files in a language of code, as patterns: `*.rs` for `rust`. Empty for a language that is not known. */
export function fileNamesOf(lang: string): readonly string[] {
  const extensions = [...EXTENSIONS].filter(([, type]) => type.kind === 'code' && type.lang === lang);
  return [...(WHOLE_NAMES[lang] ?? []), ...extensions.map(([extension]) => `*.${extension}`)];
}

/** Lists every language of code that {@link mediaTypeOf} can tell, in the order of its tiers. */
export function codeLangs(): readonly string[] {
  const named = [...EXTENSIONS.values()].flatMap((type) => (type.kind === 'code' ? [type.lang] : []));
  return [...new Set([...named, ...Object.keys(WHOLE_NAMES)])];
}

/** Lists everything that {@link mediaTypeOf} tells by name, but for the extensions that it does not know. */
export function knownMediaTypes(): readonly MediaType[] {
  const others = Object.keys(WHOLE_NAMES).map((lang): MediaType => ({ kind: 'code', lang }));
  return [...new Map([...EXTENSIONS.values(), ...others].map((media) => [mediaKey(media), media])).values()];
}

/** A text for each media type, equal for equal ones. */
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

/** Says what a file is from the last segment of its path; letter case of the extension does not matter. */
export function mediaTypeOf(path: string): MediaType {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'Dockerfile' || name.startsWith('Dockerfile.')) return { kind: 'code', lang: 'dockerfile' };
  if (name === 'Makefile') return { kind: 'code', lang: 'make' };
  if (name === 'go.mod') return { kind: 'code', lang: 'go-mod' };
  const ext = extensionOf(name);
  return EXTENSIONS.get(ext) ?? { kind: 'other', ext };
}

/** How files of some media begin. */
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

/** How many bytes {@link mediaTypeOfBytes} looks at. */
export const TELLING_BYTES = 12;

/**
 * Says what a file is from its first bytes, when its name says nothing; null when they do not say. Pictures of cameras with
 * extensions of their own begin like TIFF files, so TIFF is told only without an extension.
 */
export function mediaTypeOfBytes(head: Uint8Array, name: string): MediaType | null {
  const begins = (bytes: readonly number[], from = 0): boolean => bytes.every((byte, at) => head[from + at] === byte);
  const known = BEGINNINGS.find(([bytes]) => begins(bytes));
  if (known !== undefined) return known[1];
  if (begins([0x52, 0x49, 0x46, 0x46]) && begins([0x57, 0x45, 0x42, 0x50], 8)) return { kind: 'image', type: 'webp' };
  return extensionOf(name) === '' && TIFF.some((bytes) => begins(bytes)) ? { kind: 'image', type: 'tiff' } : null;
}

/** Says what a file is from its name, and from its first bytes where the name says nothing. */
export function mediaTypeOfFile(name: string, head: Uint8Array): MediaType {
  const named = mediaTypeOf(name);
  return named.kind === 'other' ? (mediaTypeOfBytes(head, name) ?? named) : named;
}

/** The lower-case extension of a file name without its dot; empty when it has none (`.profile` has none). */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
