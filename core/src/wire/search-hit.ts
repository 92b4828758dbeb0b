import * as z from 'zod';
import { CitationSchema } from './citation.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { Hex32Schema, PositiveSchema, TimeSchema, versionOf } from './scalars.ts';
import {
  FreshnessSchema,
  MediaSchema,
  ModeSchema,
  ScoreKindSchema,
  SourceTypeSchema,
  TrustSchema,
} from './vocabulary.ts';

const RetrievalSchema = z
  .strictObject({
    method: ModeSchema,
    lexical_score: z
      .number()
      .nullable()
      .describe('BM25, higher is better; null when that side did not return the chunk'),
    vector_score: z.number().nullable().describe('cosine; null when that side did not return the chunk'),
    fusion_score: z.number().nullable().describe('null in a single mode'),
    lexical_rank: PositiveSchema.nullable(),
    vector_rank: PositiveSchema.nullable(),
    retrievers: z
      .array(z.strictObject({ id: z.string(), rank: PositiveSchema, score: z.number() }))
      .exactOptional()
      .describe('what retrievers of plugins gave it; only in lists that such took part in'),
    rerank_score: z.number().exactOptional().describe('only with a reranker'),
    rerank_rank: PositiveSchema.exactOptional().describe('only with a reranker'),
  })
  .describe('what each side gave this chunk');

/** One chunk found: search_hit.v1. */
export const SearchHitSchema = z.strictObject({
  schema_version: versionOf('search_hit'),
  rank: PositiveSchema.describe('from 1, absolute across pages'),
  score: z.number().describe('a ranking signal, not a confidence; score_kind tells its meaning'),
  score_kind: ScoreKindSchema.describe(
    'rrf: fused, 0..1; bm25: from 0, unbounded; cosine: -1..1; rerank: calibrated, 0..1',
  ),
  chunk_id: Hex32Schema,
  doc_id: Hex32Schema,
  doc_path: z.string().describe('path inside its source'),
  source_id: z.string(),
  media: MediaSchema,
  lang: z.string().describe('language of the document; "und" when unknown'),
  heading_path: z.array(z.string()).describe('headings in force at the start of the chunk, outermost first'),
  section_label: z.string().nullable().describe('last heading ("§<n> <rest>" when numbered); for code the symbol'),
  snippet: z.string().describe('the part of the chunk around the best match'),
  snippet_full_text: z.boolean().describe('whether the snippet is the whole chunk'),
  citation: CitationSchema,
  retrieval: RetrievalSchema,
  index_version: z.string(),
  embedding_model: z.string().nullable().describe('null when the vector side did not run'),
  chunker_version: z.string(),
  trust_level: TrustSchema,
  source_type: SourceTypeSchema,
  indexed_at: TimeSchema.describe('when the index was last known to equal the source'),
  stale: z.boolean().describe('not fresh, or indexed too long ago'),
  freshness: FreshnessSchema.describe('how the file compares with what was indexed'),
  repo: z.string().exactOptional().describe('repository; only on code'),
  code_lang: z.string().exactOptional().describe('programming language; only on code'),
  duplicates: PositiveSchema.exactOptional().describe(
    'near-identical passages that stand further down because of this one',
  ),
  duplicate_paths: z.array(z.string()).exactOptional().describe('documents that hold the first few of them'),
  duplicate_of: Hex32Schema.exactOptional().describe('chunk that this one nearly equals, which stands higher'),
});

/** One chunk found. */
export type SearchHit = DeepReadonly<z.infer<typeof SearchHitSchema>>;
