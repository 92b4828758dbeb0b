export { toCommittedDocument } from './archive-rows.ts';
export { decodeBlocks } from './blocks-column.ts';
export {
  CHUNK_COLUMNS,
  PASSAGE_COLUMNS,
  WHOLE_DOCUMENT_COLUMNS,
  chunkParents,
  groupByPlace,
  parentOf,
  segmentsOf,
  sliceOf,
  stretchOf,
  toCanonicalDocument,
  toChunk,
  toChunksWithDocuments,
  toIndexText,
  toPassages,
  type ChunkParent,
  type ChunkSegment,
  type TextSegment,
  type StoredPassage,
} from './chunk-rows.ts';
export {
  DamagedColumn,
  aliasesIn,
  decoded,
  decodeHeadingPath,
  decodeMetadata,
  decodeProvenance,
  decodeSectionLabel,
  decodeUser,
  toMediaType,
} from './columns.ts';
export {
  DOCUMENT_ROW_COLUMNS,
  MADE_COLUMNS,
  columnLists,
  toDocumentRow,
  toKnownDocuments,
  toPartlyRead,
  type StoredKnown,
} from './document-row.ts';
export {
  rowsOf,
  runInTurn,
  runNow,
  type Build,
  type Change,
  type Engine,
  type Outcome,
  type Query,
  type Steps,
} from './engine.ts';
export { damagedRows } from './find-damage.ts';
export { compileTitle, pathRange } from './document-filters.ts';
export { migrationName, shippedMigrations, type Migration, type ShippedMigration } from './migrations.ts';
export { nameChanges } from './name-changes.ts';
export { prepareDocument, type PreparedChunk, type PreparedRows } from './prepare-document.ts';
export { partlyReadIn, SqlDocuments, storedDocuments } from './sql-documents.ts';
export { SqlArchive } from './sql-archive.ts';
export { SqlAnswerLog, SqlEvalLog } from './sql-logs.ts';
export { SqlDerivationRecords, SqlRecordsWriter } from './sql-records.ts';
export { SqlSessionRepo } from './sql-session-repo.ts';
export { SqlVectorLedger, SqlVectorLedgerWriter } from './sql-vector-ledger.ts';
export { lockedBy, thisHolder, type WriterHolder } from './writer-holder.ts';
export { TABLES, type ColumnKind, type NewRow, type Row, type Table, type Tables } from './tables.ts';
