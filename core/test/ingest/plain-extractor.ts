import type { Chunker } from '../../src/contracts/chunker.ts';
import type { ExtractedDocument, Extractor } from '../../src/contracts/extractor.ts';
import type { BlockDraft } from '../../src/domain/block.ts';
import type { MediaType } from '../../src/domain/media.ts';

/** Options of {@link plainExtractor}. */
export interface PlainExtractorOptions {
  readonly version?: string;
  readonly isolation?: Extractor['isolation'];
  /** Called with the text of each file before it is extracted. */
  readonly before?: (text: string) => void | Promise<void>;
}

/** Reads Markdown, text and code line by line: `# ` begins a heading, `title:` in the first line is the title. */
export function plainExtractor(options: PlainExtractorOptions = {}): Extractor {
  return {
    id: 'plain',
    version: options.version ?? '1',
    match: { media: ['markdown', 'text', 'code'] },
    isolation: options.isolation ?? 'inline',
    supports: ({ kind }: MediaType) => kind === 'markdown' || kind === 'text' || kind === 'code',
    parserVersion: ({ kind }: MediaType) => `${kind}-v1`,
    chunkerId: ({ kind }: MediaType) => (kind === 'code' ? 'lines-v1' : 'md-heading-v1'),
    async extract({ bytes }) {
      const text = new TextDecoder().decode(bytes);
      await options.before?.(text);
      return extractLines(text);
    },
  };
}

function extractLines(text: string): ExtractedDocument {
  const blocks: BlockDraft[] = [];
  let start = 0;
  let headingPath: readonly string[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const place = { start, end: start + line.length, sourceSpan: { kind: 'line', start: i + 1, end: i + 1 } } as const;
    if (line.startsWith('# ')) {
      blocks.push({ kind: 'heading', level: 1, text: line.slice(2), headingPath: [], ...place });
      headingPath = [line.slice(2)];
    } else if (line.trim() !== '') blocks.push({ kind: 'paragraph', headingPath, ...place });
    start += line.length + 1;
  }
  const [, title] = /^(?:---\n)?title: "?([^"\n]*)/.exec(text) ?? [];
  return {
    text,
    blocks,
    ...(title === undefined ? {} : { title }),
    ...(text.includes('fall back') ? { chunkerId: 'fallback-v1', parserVersion: 'fallback-text-v1' } : {}),
    ...(text.includes('warn me') ? { warnings: [{ kind: 'malformed_table', note: 'line 1' }] } : {}),
  };
}

/** Turns each block into a chunk. */
export function lineChunker(id: string, version = '1'): Chunker {
  return {
    id,
    version,
    needs: { spans: ['line'] },
    reads: ['targetTokens'],
    chunk: ({ blocks }) => blocks.map(({ start, end }) => ({ start, end })),
  };
}
