/** The kinds of contribution that there is a template for, named as in a manifest. */
export const TEMPLATE_KINDS = [
  'extractor',
  'chunker',
  'embedder',
  'retriever',
  'reranker',
  'vector_store',
  'llm',
  'ocr',
  'captioner',
  'source',
  'groundedness',
  'interceptor',
  'hook',
] as const;

/** One of {@link TEMPLATE_KINDS}. */
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

/** The template of a plugin of one kind. */
export interface Template {
  /** What the example does, as a sentence. */
  readonly summary: string;
  /** The implementation file in `src`, without its extension. */
  readonly file: string;
  /** How to use the enabled plugin, as shell commands. */
  readonly use: string;
  readonly permissions: { readonly fs: string; readonly net: readonly string[]; readonly spawn: readonly string[] };
}

const NONE = { fs: 'none', net: [], spawn: [] } as const;

/** The template of each kind. Its files are in the folder `templates` of this package. */
export const TEMPLATES: { readonly [K in TemplateKind]: Template } = {
  extractor: {
    summary: 'Reads files that end in .{{id}}: paragraphs under == headings ==.',
    file: 'extractor',
    use: 'kebab --plugin . ingest            # indexes every .{{id}} file of the sources',
    permissions: NONE,
  },
  chunker: {
    summary: 'Cuts Markdown into whole sections where they fit.',
    file: 'chunker',
    use: 'KEBAB_CHUNKING_CHUNKER_VERSION={{id}} kebab --plugin . ingest',
    permissions: NONE,
  },
  embedder: {
    summary: 'Makes vectors of hashed words, without a model.',
    file: 'embedder',
    use: 'KEBAB_MODELS_EMBEDDING_PROVIDER={{id}} kebab --plugin . ingest',
    permissions: NONE,
  },
  retriever: {
    summary: 'Finds chunks by counting the words of the query in them.',
    file: 'retriever',
    use: 'kebab --plugin . search lighthouse',
    permissions: NONE,
  },
  reranker: {
    summary: 'Orders what was found by the words it shares with the query.',
    file: 'reranker',
    use: 'KEBAB_MODELS_RERANK_PROVIDER={{id}} kebab --plugin . search lighthouse',
    permissions: NONE,
  },
  vector_store: {
    summary: 'Keeps vectors in JSON files.',
    file: 'vector-store',
    use: 'KEBAB_STORAGE_VECTOR_STORE={{id}} kebab --plugin . ingest',
    permissions: { ...NONE, fs: 'data-dir' },
  },
  llm: {
    summary: 'Lets a model on a server of yours answer questions.',
    file: 'language-model',
    use: 'KEBAB_MODELS_LLM_PROVIDER={{id}} kebab --plugin . ask "what is a lighthouse?"',
    permissions: { ...NONE, net: ['127.0.0.1', 'localhost'] },
  },
  ocr: {
    summary: 'Reads pictures of punched tape.',
    file: 'ocr-engine',
    use: 'KEBAB_OCR_ENGINE={{id}} kebab --plugin . ingest',
    permissions: NONE,
  },
  captioner: {
    summary: 'Says how large a picture is, and whether it has colours.',
    file: 'captioner',
    use: 'KEBAB_CAPTION_PROVIDER={{id}} kebab --plugin . ingest',
    permissions: NONE,
  },
  source: {
    summary: 'Takes documents from a file of JSON lines.',
    file: 'feed-connector',
    use: 'kebab --plugin . ingest            # with connector = "{{id}}" in [[workspace.sources]]',
    permissions: { ...NONE, fs: 'input-only' },
  },
  groundedness: {
    summary: 'Judges a claim by the words it shares with a passage.',
    file: 'checker',
    use: 'KEBAB_MODELS_NLI=\'{"provider": "{{id}}"}\' kebab --plugin . ask "what is a lighthouse?"',
    permissions: NONE,
  },
  interceptor: {
    summary: 'Explains to the model what the terms in a question mean.',
    file: 'interceptor',
    use: 'kebab --plugin . ask "what is a KB?"',
    permissions: NONE,
  },
  hook: {
    summary: 'Stops questions with forbidden words, and counts in the log what is found and answered.',
    file: 'hook',
    use: 'kebab --plugin . ask "what is a lighthouse?"    # the counts are in the log of kebab',
    permissions: NONE,
  },
};

/** The three names of a plugin. */
export interface PluginName {
  /** The name of the package: `@acme/kebab-plugin-epub`, or `kebab-plugin-epub`. */
  readonly packageName: string;
  /** The folder it is written into: the package's name without its scope. */
  readonly folder: string;
  /** The id of its contribution: `epub`. */
  readonly id: string;
}

/** An invalid package name. */
export class NameError extends Error {}

const PREFIX = 'kebab-plugin-';
const VALID = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const MAX_CHARS = 200;

/**
 * Parses a name as typed: `epub`, `kebab-plugin-epub` and `@acme/kebab-plugin-epub` all contribute `epub`. Throws {@link NameError} for a
 * name that npm would refuse.
 */
export function parsePluginName(typed: string): PluginName {
  const name = typed.trim();
  if (!VALID.test(name) || name.length > MAX_CHARS)
    throw new NameError(
      `"${typed}" cannot be the name of a package: lower-case letters, digits, ".", "_" and "-", beginning with a letter or digit`,
    );
  const folder = name.slice(name.indexOf('/') + 1);
  const isWhole = name !== folder || folder.startsWith(PREFIX);
  const id = (folder.startsWith(PREFIX) ? folder.slice(PREFIX.length) : folder).replaceAll(/[^a-z0-9-]+/g, '-');
  return isWhole
    ? { packageName: name, folder, id: id === '' ? folder : id }
    : { packageName: `${PREFIX}${folder}`, folder: `${PREFIX}${folder}`, id };
}
