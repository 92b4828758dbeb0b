import type { ExtractedDocument } from '../../contracts/extractor.ts';
import type { RawAsset, CanonicalDocument } from '../../domain/document.ts';
import type { Block, BlockDraft } from '../../domain/block.ts';
import type { DocumentId, BlockId } from '../../domain/ids.ts';
import { mintBlockIds, mintDocumentId } from '../../domain/minted-ids.ts';
import type { ProvenanceEvent, Metadata } from '../../domain/metadata.ts';
import { DOCUMENT_SCHEMA_VERSION } from '../../domain/versions.ts';
import type { SourceDefaults } from '../stage-fingerprints.ts';
import { UNDETERMINED, detectLanguage } from '../../analysis/detect-language.ts';
import type { SourceType } from '../../domain/kinds.ts';
import type { MediaType } from '../../domain/media.ts';
import { firstChars } from '../../domain/text-size.ts';

/** Everything that a document is assembled from. */
export interface DocumentParts {
  readonly asset: RawAsset;
  readonly extracted: ExtractedDocument;
  /** The extractor's version label for this medium. */
  readonly parserVersion: string;
  /** The plugin that extracted it, for example `md@0.1.0`. */
  readonly agent: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly defaults: SourceDefaults;
  readonly git: GitState | null;
  /** The title if the document states none; takes precedence over a derived one. */
  readonly title: string | null;
  /** The file name that a title may be derived from. */
  readonly fileName: string;
  /** Where the document came from, if that is not its current location. */
  readonly origin: string | null;
  readonly docVersion: number;
  readonly at: Date;
}

/** Completes an extractor's output into a document: ids for it and its blocks, title, language and metadata. */
export function assembleDocument(parts: DocumentParts): CanonicalDocument {
  const { asset, extracted } = parts;
  const { text, blocks } = extracted;
  const { sourceId, workspacePath, assetId, mediaType } = asset;
  const parserVersion = extracted.parserVersion ?? parts.parserVersion;
  const docId = mintDocumentId({ workspacePath, assetId, parserVersion, sourceId });
  const { defaults, createdAt, updatedAt, git } = parts;
  const own = extracted.metadata ?? {};
  const metadata = deriveMetadata({ own, media: mediaType, defaults, createdAt, updatedAt, git });
  return {
    docId,
    sourceAssetId: assetId,
    sourceId,
    workspacePath,
    mediaType,
    title:
      (extracted.titleIsDerived === true ? parts.title : null) ??
      extracted.title ??
      parts.title ??
      deriveTitle({ media: mediaType, text, blocks, fileName: parts.fileName }),
    lang: mediaType.kind === 'code' ? UNDETERMINED : (extracted.lang ?? languageOf(text, blocks)),
    text,
    pages: extracted.pages ?? [],
    blocks: withIds(docId, blocks),
    metadata,
    provenance: provenanceOf(parts, parserVersion),
    parserVersion,
    schemaVersion: DOCUMENT_SCHEMA_VERSION,
    docVersion: parts.docVersion,
  };
}

function withIds(docId: DocumentId, drafts: readonly BlockDraft[]): readonly Block[] {
  const blocks = drafts.map(numberedBlock);
  const ids = mintBlockIds(docId, blocks);
  // Filled in place to create one object a block: a folder of notes has hundreds of thousands.
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    if (block !== undefined) block.blockId = ids[i] ?? block.blockId;
  }
  return blocks;
}

function provenanceOf(
  { asset, extracted, agent, origin, at }: DocumentParts,
  parserVersion: string,
): readonly ProvenanceEvent[] {
  const warnings = (extracted.warnings ?? []).map(({ kind, note }): ProvenanceEvent => ({
    at,
    agent,
    kind: 'warning',
    note: `${kind}: ${note}`,
  }));
  return [
    { at: asset.discoveredAt, agent: 'ingest', kind: 'discovered', note: origin },
    { at, agent, kind: 'parsed', note: parserVersion },
    ...warnings,
  ];
}

const MAX_CHARS = 80;

/** What a title can be derived from. */
interface TitleInput {
  readonly media: MediaType;
  readonly text: string;
  readonly blocks: readonly BlockDraft[];
  readonly fileName: string;
}

/**
 * The title of a document that states none. For prose: its first heading of level 1, else its first heading, else the beginning of its
 * first paragraph, of plain text only a line that reads like a title. Otherwise: the file name without its extension.
 */
function deriveTitle({ media, text, blocks, fileName }: TitleInput): string {
  const begins = media.kind === 'markdown' ? beginning : media.kind === 'text' ? titleLine : null;
  return (begins === null ? null : titleInProse(text, blocks, begins)) ?? fileStem(fileName);
}

/** The name of a file without its last extension. */
function fileStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

function titleInProse(
  text: string,
  blocks: readonly BlockDraft[],
  begins: (paragraph: string) => string | null,
): string | null {
  const headings = blocks.filter((block) => block.kind === 'heading' && block.text !== '');
  const heading = headings.find((block) => block.kind === 'heading' && block.level === 1) ?? headings[0];
  if (heading?.kind === 'heading') return heading.text;
  for (const block of blocks) {
    if (block.kind !== 'paragraph') continue;
    const words = text.slice(block.start, block.end).trim();
    // Raw HTML and thematic breaks are paragraphs too, but make no title.
    if (!words.startsWith('<') && /[\p{L}\p{N}]/u.test(words)) return begins(words);
  }
  return null;
}

function beginning(paragraph: string): string {
  const words = paragraph.replaceAll(/\s+/g, ' ');
  const short = firstChars(words, MAX_CHARS).trim();
  return short === words ? words : `${short}…`;
}

/** The first line, unless it is a sentence, the first of several lines that continue each other, an entry of a log or a setting. */
function titleLine(paragraph: string): string | null {
  const [first = '', next = ''] = paragraph.split('\n');
  const line = first
    .replaceAll(/^[#=*_~-]+\s+|(?:\s+[#=*_~-]+|:)\s*$/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isAlone = !/[\p{L}\p{N}]/u.test(next);
  const isContinued = !isAlone && (line.length > MAX_TITLE_ABOVE_TEXT || /^\s*\p{Ll}/u.test(next));
  const isOther = /[.,;。]$|\d:\d\d|^[[{<]|[=}]/.test(line);
  return line.length <= MAX_CHARS && /\p{L}/u.test(line) && !isContinued && !isOther ? line : null;
}

/** The lines of running text are longer. */
const MAX_TITLE_ABOVE_TEXT = 50;

const PROSE: ReadonlySet<string> = new Set<BlockDraft['kind']>(['paragraph', 'heading', 'list', 'quote', 'imageref']);
const WITH_TABLES: ReadonlySet<string> = new Set([...PROSE, 'table']);

/** Tried in order. The first suffices for most documents; some begin with names and signatures, and reference pages are mostly tables. */
const SAMPLES = [
  { size: 300, kinds: PROSE },
  { size: 3000, kinds: PROSE },
  { size: 3000, kinds: WITH_TABLES },
];

/**
 * Detects the language of a document from its running text without code: from a few hundred characters, from more if those do not
 * decide, and finally with its tables. Returns `und` if undecided.
 */
export function languageOf(text: string, blocks: readonly BlockDraft[]): string {
  let read = -1;
  for (const wanted of SAMPLES) {
    const sample = sampleOf(text, blocks, wanted);
    if (sample.length === read) continue; // there is no more of it
    read = sample.length;
    const language = detectLanguage(sample);
    if (language !== UNDETERMINED) return language;
  }
  return UNDETERMINED;
}

function sampleOf(text: string, blocks: readonly BlockDraft[], { size, kinds }: (typeof SAMPLES)[number]): string {
  let sample = '';
  for (const block of blocks) {
    if (!kinds.has(block.kind)) continue;
    sample += `${text.slice(block.start, Math.min(block.end, block.start + size - sample.length))}\n`;
    if (sample.length >= size) break;
  }
  return sample;
}

/** A block whose id is not filled in yet. */
type NumberedBlock = BlockDraft & { blockId: BlockId; readonly ordinal: number };

/**
 * Makes a block from its draft and position. The common kinds are written member by member, because spreading objects of many shapes
 * takes five times as long and this runs for every block of an ingest.
 */
function numberedBlock(draft: BlockDraft, ordinal: number): NumberedBlock {
  const { start, end, headingPath, sourceSpan } = draft;
  const blockId = '' as BlockId;
  switch (draft.kind) {
    case 'paragraph':
    case 'table':
    case 'quote':
      return { kind: draft.kind, start, end, headingPath, sourceSpan, ordinal, blockId };
    case 'heading': {
      const { kind, level, text } = draft;
      return { kind, level, text, start, end, headingPath, sourceSpan, ordinal, blockId };
    }
    case 'code': {
      const { kind, lang, symbol } = draft;
      return { kind, lang, symbol, start, end, headingPath, sourceSpan, ordinal, blockId };
    }
    case 'list': {
      const { kind, ordered, items } = draft;
      return { kind, ordered, items, start, end, headingPath, sourceSpan, ordinal, blockId };
    }
    case 'imageref':
    case 'audioref':
      return { ...draft, ordinal, blockId };
    default:
      return draft satisfies never;
  }
}

/** The state of the git work tree that contains a file; unknown members are null. */
export type GitState = Pick<Metadata, 'repo' | 'gitBranch' | 'gitCommit'>;

/** The sources of a document's metadata. */
interface MetadataInput {
  readonly own: Partial<Metadata>;
  readonly media: MediaType;
  readonly defaults: SourceDefaults;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly git: GitState | null;
}

const SOURCE_TYPE_OF: Readonly<Record<MediaType['kind'], SourceType>> = {
  markdown: 'markdown',
  text: 'note',
  pdf: 'paper',
  image: 'reference',
  audio: 'reference',
  code: 'code',
  other: 'reference',
};

/** Completes a document's metadata. The document itself takes precedence over its source, and that over its file and medium. */
function deriveMetadata({ own, media, defaults, createdAt, updatedAt, git }: MetadataInput): Metadata {
  return {
    aliases: own.aliases ?? [],
    tags: own.tags ?? [],
    ...(own.inlineTags === undefined ? {} : { inlineTags: own.inlineTags }),
    createdAt: own.createdAt ?? createdAt,
    updatedAt: own.updatedAt ?? updatedAt,
    sourceType: own.sourceType ?? defaults.sourceType ?? SOURCE_TYPE_OF[media.kind],
    trustLevel: own.trustLevel ?? defaults.trustLevel ?? 'primary',
    userIdAlias: own.userIdAlias ?? null,
    user: own.user ?? {},
    repo: own.repo ?? git?.repo ?? null,
    gitBranch: own.gitBranch ?? git?.gitBranch ?? null,
    gitCommit: own.gitCommit ?? git?.gitCommit ?? null,
    codeLang: own.codeLang ?? (media.kind === 'code' ? media.lang : null),
  };
}
