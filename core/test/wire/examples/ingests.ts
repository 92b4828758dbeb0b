import type { IngestCounts, IngestItem, IngestProgress, IngestReport } from '../../../src/wire/index.ts';
import { assetId, docId, home, time } from './places.ts';
import { degraded } from './searches.ts';

const items: readonly IngestItem[] = [
  {
    kind: 'new',
    doc_path: 'a.md',
    source_id: 'default',
    doc_id: docId,
    asset_id: assetId,
    byte_len: 31,
    block_count: 2,
    chunk_count: 1,
    parser_version: 'markdown-v1',
    chunker_version: 'md-heading-v1',
    ocr_pages: null,
    warnings: ['malformed_frontmatter: tags'],
    error: null,
    error_code: null,
  },
  {
    kind: 'error',
    doc_path: 'papers/b.pdf',
    source_id: 'default',
    doc_id: null,
    asset_id: null,
    byte_len: null,
    block_count: null,
    chunk_count: null,
    parser_version: null,
    chunker_version: null,
    ocr_pages: null,
    warnings: [],
    error: 'it is encrypted',
    error_code: 'plugin_failed',
  },
];

const report: IngestReport = {
  schema_version: 'ingest_report.v1',
  run_id: 'run_018e5c3a0b7d',
  scope: {
    root: `${home}/KnowledgeBase`,
    include: ['**/*'],
    exclude: ['.git/**'],
    sources: [{ id: 'default', root: `${home}/KnowledgeBase` }],
  },
  scanned: 57,
  new: 1,
  updated: 0,
  unchanged: 30,
  skipped: 25,
  errors: 1,
  files: 32,
  unread: 1,
  purged: 7,
  purge_refused: [{ source_id: 'work', vanished: 6, indexed: 9, reason: 'mass_delete' }],
  embeddings_pending: 3,
  aborted: false,
  duration_ms: 1240,
  degraded: [],
  skipped_gitignore: 20,
  skipped_kebabignore: 0,
  skipped_builtin_blacklist: 2,
  skipped_excluded: 0,
  skipped_generated: 0,
  skipped_size_exceeded: 0,
  skipped_unfollowed_link: 0,
  skipped_secrets: 0,
  skipped_binary: 0,
  skipped_by_extension: { exe: 2, '<no-ext>': 1 },
  skip_examples: {
    gitignore: ['out.log'],
    kebabignore: [],
    builtin_blacklist: [],
    excluded: [],
    generated: [],
    size_exceeded: [],
    unfollowed_link: [],
    secrets: [],
    binary: [],
  },
  items,
};

export const ingestReports: readonly IngestReport[] = [
  report,
  {
    ...report,
    purged: 0,
    purge_refused: [],
    embeddings_pending: 0,
    aborted: true,
    degraded: [degraded],
    items: null,
  },
];

const shared = { schema_version: 'ingest_progress.v1', ts: time } as const;
const counts: IngestCounts = {
  scanned: 10,
  new: 1,
  updated: 2,
  unchanged: 3,
  skipped: 3,
  errors: 1,
  purged: 7,
  chunks_indexed: 4,
  embeddings_indexed: 0,
};

export const ingestProgress: readonly IngestProgress[] = [
  { ...shared, kind: 'scan_started', root: '/kb' },
  { ...shared, kind: 'scan_completed', total: 2, to_read: 1 },
  { ...shared, kind: 'asset_started', idx: 1, total: 2, path: 'a.md', media: 'markdown' },
  { ...shared, kind: 'asset_stage', idx: 1, stage: 'ocr', model: null, page: 3 },
  { ...shared, kind: 'asset_stage', idx: 1, stage: 'embed', model: 'multilingual-e5-small' },
  { ...shared, kind: 'embed_batch_started', n_chunks: 4 },
  { ...shared, kind: 'embed_batch_finished', n_chunks: 4, ms: 51.5 },
  { ...shared, kind: 'asset_finished', idx: 1, total: 2, result: 'new', chunks: 4 },
  { ...shared, kind: 'completed', counts },
  { ...shared, kind: 'aborted', counts },
];
