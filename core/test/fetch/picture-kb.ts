import { analyseChunk } from '../../src/analysis/index-text.ts';
import type { DocumentWrite } from '../../src/contracts/document-store.ts';
import type { ExtractedDocument, ExtractInput, Extractor, RenderRequest } from '../../src/contracts/extractor.ts';
import type { BlockDraft, TextRange } from '../../src/domain/block.ts';
import type { ChunkDraft } from '../../src/domain/document.ts';
import type { ProvenanceEvent } from '../../src/domain/metadata.ts';
import { assembleChunks } from '../../src/extraction/document/assemble-chunks.ts';
import { assetFrom, documentFrom } from '@kebab/testing';

const PNG_HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A request that {@link SeeingExtractor} received. */
export type Seen = RenderRequest & { readonly bytes: string };

/** An extractor of PDF files and images that renders nothing but records its requests. */
export class SeeingExtractor implements Extractor {
  readonly id = 'seeing';
  readonly version = '1';
  readonly match = { media: ['pdf', 'image'] as const };
  readonly isolation: Extractor['isolation'];
  readonly seen: Seen[] = [];
  /** The OCR results it received, for each picture. */
  readonly readings: (ExtractInput['readings'] | undefined)[] = [];
  readonly #failure: Error | undefined;
  readonly #png: Uint8Array;

  constructor({
    isolation = 'inline',
    failure,
    png = Uint8Array.from(PNG_HEAD),
  }: { readonly isolation?: Extractor['isolation']; readonly failure?: Error; readonly png?: Uint8Array } = {}) {
    this.isolation = isolation;
    this.#failure = failure;
    this.#png = png;
  }

  fingerprint(): string {
    return 'seeing@1';
  }
  supports({ kind }: { readonly kind: string }): boolean {
    return kind === 'pdf' || kind === 'image';
  }
  parserVersion(): string {
    return 'sample-v1';
  }
  chunkerId(): string {
    return 'sample-v1';
  }
  async extract(): Promise<never> {
    throw new Error('nothing is extracted to look at it');
  }
  async render({ bytes, readings }: Pick<ExtractInput, 'bytes' | 'readings'>, request: RenderRequest) {
    this.readings.push(readings);
    this.seen.push({ ...request, bytes: new TextDecoder().decode(bytes) });
    if (this.#failure !== undefined) throw this.#failure;
    return { png: this.#png, width: request.maxPixels, height: 1 };
  }
}

/** Created by an older version of the plugin of {@link SeeingExtractor}. */
const PARSED: ProvenanceEvent = { at: new Date(0), agent: 'fake@0.9.0', kind: 'parsed', note: 'sample-v1' };
const LABELS = { chunkerVersion: 'sample-v1', policyHash: '0123456789abcdef' };

/** A document for a file that contains its text, ready to be committed. */
function writeOf(
  path: string,
  extracted: ExtractedDocument,
  { drafts, history = [] }: { readonly drafts: readonly ChunkDraft[]; readonly history?: readonly ProvenanceEvent[] },
): DocumentWrite {
  const asset = assetFrom(path, new TextEncoder().encode(extracted.text));
  const document = { ...documentFrom(extracted, asset, 'sample-v1'), provenance: [PARSED, ...history] };
  const { chunks, material } = assembleChunks(document, drafts, LABELS);
  return {
    asset,
    document,
    chunks,
    index: material.map(analyseChunk),
    chunkerVersion: 'sample-v1',
    fingerprints: {
      parser: 'sample',
      chunker: 'sample',
      embedding: null,
      fallbackChunker: null,
      unread: [],
      hasSecrets: false,
    },
    file: {
      size: asset.byteLen,
      mtimeNs: 1n,
    },
    committedAt: new Date(0),
  };
}

/** A PDF whose pages are split in halves, one chunk each; `ocr` is the history note of OCR. */
export function pagedWrite(path: string, pages: readonly string[], ocr?: string): DocumentWrite {
  const ranges = rangesOf(pages).map((range, at) => ({ page: at + 1, ...range }));
  const blocks = ranges.map(({ page, start, end }): BlockDraft => {
    const sourceSpan = { kind: 'page', page, char_start: 0, char_end: end - start } as const;
    return { kind: 'paragraph', headingPath: [], start, end, sourceSpan };
  });
  const drafts = ranges.flatMap(({ page, start, end }) => {
    const middle = start + Math.floor((end - start) / 2);
    const draft = (from: number, to: number): ChunkDraft => ({
      start: from,
      end: to,
      sourceSpans: [
        {
          kind: 'page',
          page,
          char_start: from - start,
          char_end: to - start,
        },
      ],
    });
    return [draft(start, middle), draft(middle, end)];
  });
  const history =
    ocr === undefined ? [] : [{ at: new Date(0), agent: 'reader@1', kind: 'ocr_applied', note: ocr } as const];
  return writeOf(path, { text: pages.join('\n\n'), blocks, pages: ranges }, { drafts, history });
}

/** An image of 100 × 80 pixels for each of these texts, a chunk each, whose region begins 10 pixels further right each time. */
export function imageWrite(path: string, texts: readonly string[]): DocumentWrite {
  const blocks = rangesOf(texts).map((range, at): BlockDraft => {
    const ocr = { joined: texts[at] ?? '', regions: [], engine: 'fake', engineVersion: '1' };
    const sourceSpan = { kind: 'region', x: 0, y: 0, w: 100, h: 80 } as const;
    return {
      kind: 'imageref',
      assetId: null,
      src: path,
      alt: '',
      ocr,
      caption: null,
      headingPath: [],
      sourceSpan,
      ...range,
    };
  });
  const drafts = blocks.map(({ start, end }, at): ChunkDraft => {
    return { start, end, sourceSpans: [{ kind: 'region', x: 10 * (at + 1), y: 5, w: 20, h: 10 }] };
  });
  return writeOf(path, { text: texts.join('\n\n'), blocks }, { drafts });
}

/** The ranges of texts that are joined by a blank line. */
function rangesOf(texts: readonly string[]): readonly TextRange[] {
  let start = 0;
  return texts.map((text) => {
    const range = { start, end: start + text.length };
    start = range.end + 2;
    return range;
  });
}
