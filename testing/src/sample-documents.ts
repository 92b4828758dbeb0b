import {
  type BlockContent,
  type BlockDraft,
  type MediaType,
  mediaTypeOf,
  type PageRange,
  type ChunkDraft,
  type CanonicalDocument,
  type SourceSpan,
  LineIndex,
  analyseChunk,
  type CallContext,
  type FileStat,
  type Metadata,
  type Chunker,
  type ExtractedDocument,
  type Extractor,
} from '@kebab/core';
import { type DocumentWrite, type AssetId, type RawAsset, mintBlockIds } from '@kebab/core/store';
import { assembleChunks, mintAssetId, mintDocumentId, DOCUMENT_SCHEMA_VERSION } from '@kebab/core/suites';
import { silentCallContext } from './contract-suite.ts';

const EPOCH = new Date(0);
const ASSET = 'a'.repeat(32) as AssetId;

/** Documents that together contain every kind of block and span, every optional member, and awkward texts, by name. */
export function sampleDocuments() {
  return {
    'a note with front matter': noteWithMetadata(),
    'an empty file': sampleWrite('notes/empty.md', ''),
    'a file of blank lines': sampleWrite('notes/blank.md', '\n\n\n'),
    'a long text of astral characters': sampleWrite('notes/astral.md', `# 𝒜\n\n${'𝓏𝓎 한국어 é\n'.repeat(20_000)}`),
    'a text with control characters': sampleWrite('notes/control.md', 'before\u0000after\u0001\u007F\uFEFFend\n'),
    'a text of many sections': sampleWrite(
      'notes/many.md',
      '# Title\n\none\n\n# Title\n\ntwo\n\n# \\ " 2\n\nthree\n'.repeat(6),
    ),
    'source code': made('src/ingest.rs', { kind: 'code', lang: 'rust' }, codeBlocks()),
    'a PDF with an empty page': pages(),
    'an image with words': made('img/scan.png', { kind: 'image', type: 'png' }, imageBlocks()),
    'a recording': made('talks/one.mp3', { kind: 'audio', type: 'mp3' }, audioBlocks()),
    'a file of an unknown kind': made('misc/data.xyz', { kind: 'other', ext: 'xyz' }, proseBlocks()),
  } as const satisfies Readonly<Record<string, DocumentWrite>>;
}

function noteWithMetadata(): DocumentWrite {
  const at = new Date('2024-02-29T12:34:56.789Z');
  const write = sampleWrite('notes/2024 #1 100%.md', '# Plan\n\nfirst *words*\n\n- a\n- b\n', {
    file: { size: 31, mtimeNs: 1_700_000_000_123_456_789n },
    committedAt: at,
    lang: 'en',
    title: 'Plan "A"',
    metadata: {
      aliases: ['The Plan', 'plan'],
      tags: ['zebra', 'alpha', 'zebra', '한국'],
      createdAt: new Date('1999-12-31T23:59:59.001Z'),
      updatedAt: at,
      sourceType: 'paper',
      trustLevel: 'generated',
      userIdAlias: 'me',
      user: { rating: 4.5, nested: { list: [1, 'two', null, true] }, empty: '' },
      repo: 'github.com/acme/notes',
      gitBranch: 'main',
      gitCommit: '0123456789ab',
      codeLang: null,
    },
  });
  const provenance = [
    { at: new Date(at.getTime() - 5), agent: 'ingest', kind: 'discovered', note: null },
    { at, agent: 'md@1.0.0', kind: 'warning', note: 'malformed_table: line 3' },
    { at: new Date(0), agent: 'clock that went wrong', kind: 'error', note: '' },
  ] as const;
  return { ...write, document: { ...write.document, provenance, docVersion: 7 } };
}

type Piece = BlockContent & {
  readonly text: string;
  readonly sourceSpan: SourceSpan;
  readonly path?: readonly string[];
};

function codeBlocks(): readonly Piece[] {
  const lang = 'rust';
  const code = (symbol: string | null, line_start: number, line_end: number): Piece => ({
    kind: 'code',
    lang,
    symbol,
    text: `fn ${symbol ?? 'x'}() {}`,
    sourceSpan: {
      kind: 'code',
      line_start,
      line_end,
      symbol,
      lang,
    },
  });
  const nameless: SourceSpan = { kind: 'code', line_start: 9, line_end: 9, symbol: null, lang: null };
  return [
    code(null, 1, 2),
    code('Foo::bar', 4, 4),
    { ...code('Foo::bar', 6, 8), path: ['impl Foo'] },
    { ...code('x', 9, 9), sourceSpan: nameless },
  ];
}

function imageBlocks(): readonly Piece[] {
  const ocr = {
    joined: 'first\nsecond',
    regions: [{ bbox: [0, 0.5, 640, 20.25] as const, text: 'first', confidence: 0.75 }],
    engine: 'tesseract',
    engineVersion: '5',
  };
  const caption = { text: 'a page', model: 'moondream', modelVersion: '2' };
  const region: SourceSpan = { kind: 'region', x: 0, y: 0.5, w: 640, h: 480 };
  return [
    {
      kind: 'imageref',
      assetId: ASSET,
      src: 'scan.png',
      alt: '',
      ocr,
      caption: null,
      text: 'first second',
      sourceSpan: region,
    },
    { kind: 'imageref', assetId: null, src: '', alt: 'x', ocr: null, caption, text: 'a page', sourceSpan: region },
  ];
}

function audioBlocks(): readonly Piece[] {
  const time: SourceSpan = { kind: 'time', start_ms: 0, end_ms: 5_000_000_000 };
  return [{ kind: 'audioref', assetId: ASSET, durationMs: 5_000_000_000, text: 'hello', sourceSpan: time }];
}

function proseBlocks(): readonly Piece[] {
  const bytes = (start: number, end: number): SourceSpan => ({ kind: 'byte', start, end });
  const list = [
    { start: 0, end: 1 },
    { start: 2, end: 3 },
  ];
  return [
    { kind: 'list', ordered: true, items: list, text: 'a b', sourceSpan: bytes(0, 3) },
    { kind: 'list', ordered: false, items: [], text: '-', sourceSpan: bytes(4, 5) },
    { kind: 'table', text: '| a |', sourceSpan: bytes(6, 11), path: ['Data', ''] },
    { kind: 'quote', text: '> q', sourceSpan: bytes(12, 2 ** 40), path: ['Data'] },
    { kind: 'heading', level: 6, text: '§ 한국 𝒜', sourceSpan: bytes(0, 0) },
  ];
}

/** A document whose text consists of pieces separated by blank lines. */
function made(
  path: string,
  mediaType: MediaType,
  pieces: readonly Piece[],
  pageMap: readonly PageRange[] = [],
): DocumentWrite {
  const text = pieces.map((piece) => piece.text).join('\n\n');
  let start = 0;
  const blocks = pieces.map(({ path: headingPath = [], ...piece }): BlockDraft => {
    const end = start + piece.text.length;
    const range = { start, end };
    start = end + 2;
    const { text: _words, ...content } = piece;
    return (
      piece.kind === 'heading' ? { ...piece, ...range, headingPath } : { ...content, ...range, headingPath }
    ) as BlockDraft;
  });
  const asset = { ...assetFrom(path, new TextEncoder().encode(text)), mediaType };
  const document = documentFrom({ text, blocks, pages: pageMap }, asset, 'made-v2');
  const drafts = blocks.map((block) => ({
    start: block.start,
    end: block.end,
    sourceSpans: [block.sourceSpan],
    symbol: 's',
  }));
  const fingerprints = {
    parser: 'made-v2+1',
    chunker: 'made-v1+2',
    embedding: 'model+3',
    fallbackChunker: 'lines-v1',
    unread: ['caption', 'ocr'],
    hasSecrets: true,
  } as const;
  const labels = { chunkerVersion: 'made-v1', policyHash: 'fedcba9876543210' };
  return { ...chunked({ asset, document, drafts, labels }), fingerprints, file: null, committedAt: EPOCH };
}

function pages(): DocumentWrite {
  const page = (number: number, char_start: number | null, char_end: number | null): SourceSpan => ({
    kind: 'page',
    page: number,
    char_start,
    char_end,
  });
  const pieces: readonly Piece[] = [
    { kind: 'paragraph', text: 'page one', sourceSpan: page(1, 0, 8) },
    { kind: 'paragraph', text: 'page three', sourceSpan: page(3, null, null) },
  ];
  return made('papers/book.pdf', { kind: 'pdf' }, pieces, [
    { page: 1, start: 0, end: 8 },
    { page: 2, start: 10, end: 10 },
    { page: 3, start: 10, end: 20 },
  ]);
}

/** Options of a sample document. */
export interface SampleOptions {
  readonly sourceId?: string;
  readonly lang?: string;
  /** By default the name of the file. */
  readonly title?: string;
  readonly metadata?: Partial<Metadata>;
  /** Size and time of its file; without it the document has no file. */
  readonly file?: FileStat;
  readonly committedAt?: Date;
  /** How the text is chunked; by default every paragraph is a chunk. */
  readonly cut?: (text: string) => readonly ChunkDraft[];
}

/**
 * A document ready to be committed, built from the bytes or text of a file: paragraphs and `#` headings as blocks, every paragraph a chunk.
 * It needs no extractor, so that stores and retrievers can be tested by themselves.
 */
export function sampleWrite(path: string, content: string | Uint8Array, options: SampleOptions = {}): DocumentWrite {
  const bytes = bytesOf(content);
  const text = new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n');
  const asset = { ...assetFrom(path, bytes), sourceId: options.sourceId ?? 'default' };
  const { title, lang = 'und', metadata = {} } = options;
  const extracted = { text, blocks: sampleBlocks(text), metadata, lang, ...(title === undefined ? {} : { title }) };
  const document = documentFrom(extracted, asset, 'sample-v1');
  const drafts = options.cut?.(text) ?? document.blocks.map(({ start, end }) => ({ start, end }));
  const labels = { chunkerVersion: 'sample-v1', policyHash: '0123456789abcdef' };
  return {
    ...chunked({ asset, document, drafts, labels }),
    fingerprints: {
      parser: 'sample',
      chunker: 'sample',
      embedding: null,
      fallbackChunker: null,
      unread: [],
      hasSecrets: false,
    },
    file: options.file ?? null,
    committedAt: options.committedAt ?? new Date('2026-01-01T00:00:00Z'),
  };
}

/** A document with the chunks of some drafts, and what is indexed of each. */
function chunked({
  asset,
  document,
  drafts,
  labels,
}: {
  readonly asset: RawAsset;
  readonly document: CanonicalDocument;
  readonly drafts: readonly ChunkDraft[];
  readonly labels: Parameters<typeof assembleChunks>[2];
}): Pick<DocumentWrite, 'asset' | 'document' | 'chunks' | 'index' | 'chunkerVersion'> {
  const { chunks, material } = assembleChunks(document, drafts, labels);
  return { asset, document, chunks, index: material.map(analyseChunk), chunkerVersion: labels.chunkerVersion };
}

/** Groups of non-blank lines; one that begins with `#` is a heading. */
function sampleBlocks(text: string): readonly BlockDraft[] {
  const lines = new LineIndex(text);
  let headingPath: readonly string[] = [];
  return [...text.matchAll(/[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*/g)].map((match): BlockDraft => {
    const range = { start: match.index, end: match.index + match[0].length };
    const place = {
      ...range,
      headingPath,
      sourceSpan: { kind: 'line', ...lines.linesOf(range.start, range.end) },
    } as const;
    const heading = /^# (\S.*)$/.exec(match[0])?.[1];
    if (heading === undefined) return { ...place, kind: 'paragraph' };
    const before = { ...place, headingPath: [] };
    headingPath = [heading];
    return { ...before, kind: 'heading', level: 1, text: heading };
  });
}

/** The bytes of a file; a string is encoded in UTF-8. */
export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** The asset for bytes at a path of the default source, discovered at the epoch. */
export function assetFrom(path: string, bytes: Uint8Array): RawAsset {
  const { assetId, checksum } = mintAssetId(bytes);
  return {
    assetId,
    sourceId: 'default',
    sourceUri: { kb: path },
    workspacePath: path,
    mediaType: mediaTypeOf(path),
    byteLen: bytes.length,
    checksum,
    discoveredAt: EPOCH,
    stored: { kind: 'reference', path, checksum },
  };
}

/**
 * The document that the host would create from an extraction: ids and ordinals assigned, omitted members filled with neutral values (the
 * file stem, `und`, the epoch).
 */
export function documentFrom(extracted: ExtractedDocument, asset: RawAsset, parserVersion: string): CanonicalDocument {
  const label = extracted.parserVersion ?? parserVersion;
  const docId = mintDocumentId({ ...asset, parserVersion: label });
  const blockIds = mintBlockIds(
    docId,
    extracted.blocks.map((block, ordinal) => ({ ...block, ordinal })),
  );
  return {
    docId,
    sourceAssetId: asset.assetId,
    sourceId: asset.sourceId,
    workspacePath: asset.workspacePath,
    mediaType: asset.mediaType,
    title: extracted.title ?? stemOf(asset.workspacePath),
    lang: extracted.lang ?? 'und',
    text: extracted.text,
    pages: extracted.pages ?? [],
    blocks: extracted.blocks.map((block, ordinal) => ({ ...block, ordinal, blockId: blockIds[ordinal]! })),
    metadata: { ...neutralMetadata(asset), ...extracted.metadata },
    provenance: [],
    parserVersion: label,
    schemaVersion: DOCUMENT_SCHEMA_VERSION,
    docVersion: 1,
  };
}

/** Extracts one file given as text or bytes and creates its document: the input of most tests of chunkers. */
export async function extractDocument(
  extractor: Extractor,
  path: string,
  content: string | Uint8Array,
): Promise<CanonicalDocument> {
  const bytes = bytesOf(content);
  const asset = assetFrom(path, bytes);
  return documentFrom(await extractFile(extractor, path, bytes), asset, extractor.parserVersion(asset.mediaType));
}

/** What an extractor makes of a file, with its warnings; a string is encoded in UTF-8. */
export async function extractFile(
  extractor: Extractor,
  path: string,
  content: string | Uint8Array,
  context: CallContext = silentCallContext(),
): Promise<ExtractedDocument> {
  const bytes = bytesOf(content);
  return extractor.extract({ asset: assetFrom(path, bytes), bytes }, context);
}

/** The blocks of a document as a reader cites them: the kind of each, its place and its text. */
export function citedBlocks({
  text,
  blocks,
}: Pick<ExtractedDocument, 'text' | 'blocks'>): readonly (readonly [kind: string, place: string, text: string])[] {
  return blocks.map(({ kind, sourceSpan, start, end }) => [kind, placeOf(sourceSpan), text.slice(start, end)]);
}

/** The place of a block as a citation names it; empty for kinds of spans that are not cited. */
export function placeOf(span: SourceSpan): string {
  switch (span.kind) {
    case 'anchor':
      return span.anchor;
    case 'line':
      return `L${span.start}-L${span.end}`;
    case 'code':
      return `L${span.line_start}-L${span.line_end}`;
    case 'page':
      return `page=${span.page}`;
    default:
      return '';
  }
}

/** The texts of the chunks that a chunker produces from a document under a policy, in order. */
export function chunkTexts(
  chunker: Chunker,
  document: CanonicalDocument,
  policy: Parameters<Chunker['chunk']>[1],
): readonly string[] {
  return chunker.chunk(document, policy).map(({ start, end }) => document.text.slice(start, end));
}

function neutralMetadata(asset: RawAsset): Metadata {
  return {
    aliases: [],
    tags: [],
    createdAt: EPOCH,
    updatedAt: EPOCH,
    sourceType: asset.mediaType.kind === 'code' ? 'code' : 'note',
    trustLevel: 'primary',
    userIdAlias: null,
    user: {},
    repo: null,
    gitBranch: null,
    gitCommit: null,
    codeLang: asset.mediaType.kind === 'code' ? asset.mediaType.lang : null,
  };
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}
