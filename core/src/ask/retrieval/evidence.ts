import type { ResolvedFile } from '../submit/resolve-file-refs.ts';
import { blake3Short } from '../../domain/blake3.ts';
import type { ChunkId, DocumentId } from '../../domain/ids.ts';
import { mediaTypeOf } from '../../domain/media.ts';
import { formatUri } from '../../domain/uri.ts';
import type { AnswerCitation, Citation } from '../../wire/index.ts';

/** A passage that an answer may rest on: a chunk, or a file that the question refers to. */
export interface Evidence extends Pick<AnswerCitation, 'citation' | 'score' | 'indexed_at' | 'stale' | 'freshness'> {
  /** What names it: the chunk, or the place of the file. */
  readonly key: string;
  /** Null for a file. */
  readonly chunkId: ChunkId | null;
  readonly docId: DocumentId | null;
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly trust: string;
  readonly text: string;
  /** What the lexical and the vector side gave it; null where it was not found by them. */
  readonly bm25: number | null;
  readonly cosine: number | null;
}

/** A passage as it stands in a prompt: with its number, from 1, and cut where it had to be. */
export interface NumberedEvidence extends Evidence {
  readonly number: number;
}

/** A file that a question refers to, as evidence: wholly relevant, just read, cited by the lines that are sent. */
export function fileEvidence(file: ResolvedFile, now: Date): Evidence {
  const { sourceId, workspacePath, body, lines, path } = file;
  return {
    key: `file:${sourceId}:${workspacePath}`,
    chunkId: null,
    docId: null,
    title: path,
    headingPath: [],
    trust: 'primary',
    text: body,
    citation: citationOf({ sourceId, workspacePath, lines, end: lineCount(body) }),
    score: 1,
    indexed_at: now.toISOString(),
    stale: false,
    freshness: 'fresh',
    bm25: null,
    cosine: null,
  };
}

function citationOf(file: {
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly lines: string;
  readonly end: number;
}): Citation {
  const { sourceId, workspacePath: path, lines, end } = file;
  const media = mediaTypeOf(path);
  const head = {
    schema_version: 'citation.v1',
    path,
    uri: formatUri({ sourceId, path, fragment: { kind: 'line', start: 1, end } }),
    content_hash: blake3Short(canonical(lines)),
    ...(sourceId === 'default' ? {} : { source_id: sourceId }),
  } as const;
  if (media.kind !== 'code') return { ...head, kind: 'line', start: 1, end, section: null };
  return { ...head, kind: 'code', line_start: 1, line_end: end, symbol: null, lang: media.lang };
}

/** How many lines a text has; an empty last piece is no line, and an empty text counts as one. */
function lineCount(text: string): number {
  const pieces = canonical(text).split('\n');
  return Math.max(1, pieces.at(-1) === '' ? pieces.length - 1 : pieces.length);
}

/** With the line ends that a document's text has. */
function canonical(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
