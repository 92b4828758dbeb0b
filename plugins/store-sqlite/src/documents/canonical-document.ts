import type { AssetId, CanonicalDocument, DocumentId } from '@kebab/core';
import type { Statements } from '../database/statements.ts';
import type { Row } from '../database/tables.ts';
import type { DocumentReader } from './document-reader.ts';
import { toMediaType } from './media-columns.ts';
import { decodeMetadata, decodePages, decodeProvenance } from './metadata-columns.ts';

/** Reads a whole document as it was written; null when there is none. */
export function readCanonicalDocument(
  statements: Statements,
  reader: DocumentReader,
  docId: DocumentId,
): CanonicalDocument | null {
  const sql = 'SELECT *, NULL AS file_mtime_ns FROM documents WHERE doc_id = ?';
  const row = statements.of(sql).get(docId) as Row<'documents'> | undefined;
  if (row === undefined) return null;
  return {
    docId,
    sourceAssetId: row.asset_id as AssetId,
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    mediaType: toMediaType(row.media, row.media_subtype),
    title: row.title,
    lang: row.lang,
    text: reader.text(row.seq, 0, row.text_length),
    pages: decodePages(row.pages_json),
    blocks: reader.blocks(row.seq, docId),
    metadata: decodeMetadata(row.metadata_json, row),
    provenance: decodeProvenance(row.provenance_json),
    parserVersion: row.parser_version,
    schemaVersion: row.schema_version,
    docVersion: row.doc_version,
  };
}
