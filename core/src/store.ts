// The entry point for document stores and lexical indexes, in addition to '@kebab/core': types that only they read and write.
export type { QueryDemand, QueryPhrase, QueryTerm } from './analysis/analyse-query.ts';
export { isLoneCjk } from './analysis/cjk-run.ts';
export { COLUMN_WEIGHTS, indexTokens, type IndexedToken } from './analysis/index-tokens.ts';
export { foldWord, isFunctionWord, scanWords } from './analysis/words.ts';
export type { IndexMaterial, IndexText } from './analysis/index-text.ts';
export { INDEX_VERSION, searchExtras } from './analysis/index-text.ts';
export { SearchedText } from './analysis/searched-text.ts';
export type { AnswerLog, AnswerRow, EvalLog, EvalResultRow, EvalRunRow } from './contracts/logs.ts';
export type {
  ChunkWithDocument,
  Damage,
  DocumentPage,
  DocumentPlace,
  DocumentRow,
  DocumentStore,
  DocumentTransaction,
  DocumentWrite,
  DocumentWriter,
  IngestRunRow,
  KnownDocument,
  PartlyRead,
  PreparedDocument,
  QuarantinedFile,
  RepairOptions,
  SharedEmbeddingsFound,
  StoreRepair,
  StoreStats,
  TextSlice,
} from './contracts/document-store.ts';
export type { Job, JobCounts, JobRepo, LeasedJob } from './contracts/job-repo.ts';
export type { ArchivePage, CommittedDocument, DerivationEntry, StoreArchive } from './contracts/store-archive.ts';
export type { SeenChanges, SeenPlace, SeenScope } from './contracts/seen-places.ts';
export type { DerivationKind, DerivationRecords } from './contracts/derivation-records.ts';
export type {
  IndexToken,
  IndexUpdate,
  LexicalHit,
  LexicalIndex,
  NamedChunk,
  VocabularyOptions,
  TermStats,
} from './contracts/lexical-index.ts';
export type { Passage } from './contracts/retriever.ts';
export type { SessionRepo } from './contracts/session-repo.ts';
export type {
  ChunkVector,
  CollectionCount,
  VectorLedger,
  VectorLedgerWriter,
  VectorNote,
  VectorStatus,
} from './contracts/vector-ledger.ts';
export type { RawAsset, Chunk } from './domain/document.ts';
export { blake3Hex, blake3Id } from './domain/blake3.ts';
export { compareCodePoints } from './domain/code-point-order.ts';
export type { AssetId, BlockId } from './domain/ids.ts';
export { mintBlockIds } from './domain/minted-ids.ts';
export { compilePathGlob, literalPrefix } from './domain/path-glob.ts';
export { compileReadRules, type MayRead, type ReadRule } from './domain/read-rule.ts';
export { documentDate } from './domain/period.ts';
export type { Media } from './domain/kinds.ts';
export { UNREAD_NOTES, allTags, unreadParts, type ProvenanceEvent } from './domain/metadata.ts';
export type { Mode } from './domain/query.ts';
export type { ChatSession, Turn } from './domain/turn.ts';
export type { ErrorCode } from './errors/codes.ts';
export { makeFolder } from './files/write-atomically.ts';
export { DATABASE_MARK } from './files/own-folder.ts';
export { rankingUnits, runsOf, tokenRun, type RankingUnit, type WordRun } from './words/ranking-units.ts';
export { PostedLexicalIndex } from './words/posted-lexical-index.ts';
export { isToken, postedTerms, saturated, type PostedChunk } from './words/posted-terms.ts';
export { COMMON_FACTOR, fts5Idf, smoothedIdf, unitsByRarity, weighUnit } from './words/unit-weights.ts';
export {
  comparedScore,
  MAX_TIED,
  type NamesRequest,
  type PostedHit,
  type PostedRanking,
  type PostedScope,
  type RequiredTerms,
  type TokensRequest,
  type WordEngine,
  type WordState,
} from './words/word-engine.ts';
export type { Factory } from './plugin/define-plugin.ts';
