import { allTags } from '../domain/metadata.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import type { FreshnessState } from '../documents/freshness.ts';
import { codeFacts } from '../documents/code-facts.ts';
import type { DocSummary } from '../wire/index.ts';

/** Writes doc_summary.v1: the one place where a document in a list takes its wire form. */
export function toDocSummary(document: DocumentRow, state: FreshnessState): DocSummary {
  return {
    schema_version: 'doc_summary.v1',
    doc_id: document.docId,
    doc_path: document.workspacePath,
    source_id: document.sourceId,
    media: document.media,
    title: document.title,
    lang: document.lang,
    tags: allTags(document),
    trust_level: document.trustLevel,
    source_type: document.sourceType,
    byte_len: document.byteLen,
    chunk_count: document.chunkCount,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    indexed_at: document.indexedAt.toISOString(),
    stale: state.stale,
    freshness: state.freshness,
    parser_version: document.parserVersion,
    chunker_version: document.chunkerVersion,
    ...codeFacts(document),
  };
}
