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
import { formats, isManifestLang, type ManifestLang } from './formats.ts';
import { resourceSymbol } from './resource-symbol.ts';
import { yamlDocuments } from './yaml-documents.ts';

/** Cuts files of YAML without any resource, as it does everything that no grammar reads. */
const PARAGRAPH_CHUNKER = 'code-text-paragraph-v1';
const NO_HEADINGS: readonly string[] = Object.freeze([]);

interface Piece extends TextRange {
  readonly symbol: string | null;
}

/**
 * Makes the extractor `manifests`: a YAML file as one code block for each Kubernetes resource and one for each paragraph
 * beside them, any other file as one block. What is not valid keeps its text.
 */
export function createManifestExtractor(): Extractor {
  return {
    id: 'manifests',
    version: '1',
    match: { codeLangs: Object.keys(formats) },
    isolation: 'worker',
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
  const { text, warnings } = decodeText(bytes);
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
