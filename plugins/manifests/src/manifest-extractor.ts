import {
  decodeText,
  LineIndex,
  paragraphsOf,
  throwIfCancelled,
  type BlockDraft,
  type ExtractedDocument,
  type Extractor,
  type MediaType,
  type TextRange,
} from '@kebab/core';
import type { Document } from 'yaml';
import { formats, isManifestLang, type ManifestLang } from './formats.ts';

/** The chunker for YAML files without any resource, and for all code without a grammar. */
const PARAGRAPH_CHUNKER = 'code-text-paragraph-v1';
const NO_HEADINGS: readonly string[] = Object.freeze([]);

interface Piece extends TextRange {
  readonly symbol: string | null;
}

/**
 * Creates the extractor `manifests`: a YAML file has one code block for each Kubernetes resource and one for each other paragraph, any
 * other file is one block. Invalid content keeps its text.
 */
export function createManifestExtractor(): Extractor {
  return {
    id: 'manifests',
    version: '3',
    match: { codeLangs: Object.keys(formats) },
    isolation: 'worker',
    spans: ['code'],
    supports: (media) => media.kind === 'code' && isManifestLang(media.lang),
    parserVersion: (media) => `code-${langOf(media)}-v1`,
    chunkerId: (media) => formats[langOf(media)].chunkerId,
    extract: async ({ asset, bytes }, { signal }) => {
      throwIfCancelled(signal, `reading ${asset.workspacePath}`);
      return extractManifest(bytes, langOf(asset.mediaType));
    },
  };
}

function langOf(media: MediaType): ManifestLang {
  return media.kind === 'code' && isManifestLang(media.lang) ? media.lang : 'yaml';
}

async function extractManifest(bytes: Uint8Array, lang: ManifestLang): Promise<ExtractedDocument> {
  const { text, warnings } = await decodeText(bytes);
  const { symbol } = formats[lang];
  const pieces = symbol === null ? await yamlPieces(text) : wholeFile(text, symbol);
  const lines = new LineIndex(text);
  const isPlain = symbol === null && pieces.every((piece) => piece.symbol === null);
  return {
    text,
    warnings,
    blocks: pieces.map((piece) => codeBlock(piece, { lang, lines })),
    ...(isPlain ? { chunkerId: PARAGRAPH_CHUNKER } : {}),
  };
}

function wholeFile(text: string, symbol: string): readonly Piece[] {
  const paragraphs = paragraphsOf(text);
  const [first, last] = [paragraphs[0], paragraphs.at(-1)];
  return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end, symbol }];
}

async function yamlPieces(text: string): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const { start, end } of yamlDocuments(text)) {
    const source = text.slice(start, end);
    const symbol = await resourceSymbol(source);
    if (symbol !== null) pieces.push({ start, end, symbol });
    else
      for (const paragraph of paragraphsOf(source))
        pieces.push({ start: start + paragraph.start, end: start + paragraph.end, symbol });
  }
  return pieces;
}

function codeBlock(
  { start, end, symbol }: Piece,
  { lang, lines }: { readonly lang: string; readonly lines: LineIndex },
): BlockDraft {
  const span = lines.linesOf(start, end);
  return {
    kind: 'code',
    lang,
    symbol,
    start,
    end,
    headingPath: NO_HEADINGS,
    sourceSpan: { kind: 'code', line_start: span.start, line_end: span.end, symbol, lang },
  };
}

/** A document separator at the start of a line; it is not allowed inside a scalar. */
const BEGIN = /^---(?=\s|$)/;
const END = /^\.\.\.(?=\s|$)/;
/** Lines without content: blank lines, comments, directives, markers. */
const WITHOUT_CONTENT = /^\s*(?:#.*)?$|^%|^(?:---|\.\.\.)\s*(?:#.*)?$/;

interface OpenDocument {
  readonly start: number;
  end: number;
  hasContent: boolean;
}

/**
 * Splits a YAML stream into its documents, in order; together they contain every non-blank line. The line `---` belongs to the document
 * that it begins, as do comments and directives before it that belong to no other document.
 */
export function yamlDocuments(text: string): readonly TextRange[] {
  const documents: TextRange[] = [];
  let open: OpenDocument | null = null;
  const close = (): void => {
    if (open !== null) documents.push({ start: open.start, end: open.end });
    open = null;
  };
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    if (line.trim() === '') continue;
    if (hasContent(open) && BEGIN.test(line)) close();
    open = grown(open, { start, end }, !WITHOUT_CONTENT.test(line));
    if (hasContent(open) && END.test(line)) close();
  }
  const last = documents.at(-1);
  if (open === null || last === undefined || hasContent(open)) close();
  else documents[documents.length - 1] = { start: last.start, end: open.end };
  return documents;
}

function hasContent(document: OpenDocument | null): boolean {
  return document?.hasContent === true;
}

function grown(document: OpenDocument | null, { start, end }: TextRange, content: boolean): OpenDocument {
  return { start: document?.start ?? start, end, hasContent: content || hasContent(document) };
}

function* linesOf(text: string): Generator<TextRange> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    yield { start, end };
    start = end + 1;
  }
}

/** Larger documents are not parsed: a resource of a cluster has at most 1.5 MB, and large ones are mostly data. */
const MAX_CHARS = 1_048_576;

/**
 * Names a Kubernetes resource: `Kind/namespace/name`, `Kind/name`, or `Kind` when it has no name. Null for a document that
 * is not valid YAML or has no `apiVersion` and `kind`.
 */
export async function resourceSymbol(source: string): Promise<string | null> {
  if (source.length > MAX_CHARS || !source.includes('apiVersion') || !source.includes('kind')) return null;
  const document = await parse(source);
  if (document === null || wordAt(document, ['apiVersion']) === '') return null;
  const kind = wordAt(document, ['kind']);
  if (kind === '') return null;
  const name = wordAt(document, ['metadata', 'name']) || wordAt(document, ['metadata', 'generateName']);
  if (name === '') return kind;
  return [kind, wordAt(document, ['metadata', 'namespace']), name].filter((part) => part !== '').join('/');
}

async function parse(source: string): Promise<Document | null> {
  const { parseDocument } = await import('yaml');
  try {
    const document = parseDocument(source, { logLevel: 'silent', prettyErrors: false });
    return document.errors.length === 0 ? document : null;
  } catch {
    return null; // nested too deeply
  }
}

/** The scalar at a path, on one line; empty if there is none. */
function wordAt(document: Document, path: readonly string[]): string {
  const value = document.getIn(path);
  return typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll(/\s+/g, ' ').trim() : '';
}
