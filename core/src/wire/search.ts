import * as z from 'zod';
import { CitationSchema } from './citation.ts';
import {
  CountSchema,
  type DeepReadonly,
  FreshnessSchema,
  Hex16Schema,
  Hex32Schema,
  MediaSchema,
  ModeSchema,
  PositiveSchema,
  ScoreKindSchema,
  SourceTypeSchema,
  TimeSchema,
  TrustSchema,
  UnitSchema,
  wireObject,
} from './scalars.ts';

/** A skipped stage, with the reason and the remedy. */
export const DegradedSchema = z
  .strictObject({
    stage: z
      .enum(['vector', 'retriever', 'rerank', 'freshness', 'ocr', 'caption', 'check', 'update', 'words'])
      .describe('what was skipped'),
    reason: z
      .enum([
        'provider_none',
        'model_not_pulled',
        'model_unreachable',
        'vector_store_unreachable',
        'vectors_missing',
        'vectors_incomplete',
        'words_incomplete',
        'language_unsupported',
        'reranker_failed',
        'source_root_missing',
        'source_root_differs',
        'repository_unreachable',
        'plugin_failed',
      ])
      .describe('why it was skipped'),
    hint: z.string().describe('what to do about it'),
  })
  .describe('a stage that was skipped');

/** A skipped stage, with the reason and the remedy. */
export type Degraded = DeepReadonly<z.infer<typeof DegradedSchema>>;

const RankedSchema = z.strictObject({ chunk_id: Hex32Schema, rank: PositiveSchema, score: z.number() });
const MillisecondsSchema = z.number().min(0);

/** Requirements of a long query that the search did not enforce. */
const RelaxedSchema = z
  .strictObject({
    phrases: z.array(z.string()).describe('quoted phrases that need not occur; passages that contain one rank higher'),
    excluded: z.array(z.string()).describe('exclusions that were set aside'),
  })
  .describe('requirements of the query that were not enforced, since no passage meets them; +"…" enforces one');

/** A part of a query that looks like an operator but is not one. */
const QueryNoticeSchema = z
  .strictObject({
    text: z.string().describe('the part of the query, as typed'),
    hint: z.string().describe('why it is treated as words, or what to write instead'),
  })
  .describe('a part of the query that looks like an operator and is treated as words');

/** Suggestions for a search that found nothing. */
/** Values of filters that no document has. */
export const UnknownValuesSchema = z.array(
  z.strictObject({
    filter: z.enum(['source', 'lang', 'media', 'tag', 'path_glob', 'repo', 'code_lang', 'type']),
    value: z.string().describe('a value that no document has'),
    nearest: z.string().nullable().describe('the nearest value that there is'),
    known: z.array(z.string()).describe('values that exist, most common first; folders for path_glob'),
  }),
);

const SuggestionsSchema = z
  .strictObject({
    query: z
      .string()
      .nullable()
      .describe(
        'the query with its unknown words replaced by the nearest ones, or without the quotes around it; null when no word is near',
      ),
    words: z.array(
      z.strictObject({
        word: z.string().describe('a word of the query that occurs nowhere, folded'),
        nearest: z.array(z.string()).describe('words that stand somewhere, nearest first'),
      }),
    ),
    filters: UnknownValuesSchema,
  })
  .describe('other queries to try; only when something is near, and nothing was found or a word is unknown');

const UnknownTermsSchema = z
  .array(z.string())
  .describe('words of the query that no passage contains in any form, in lower case; only when there are some');

const NearestOnlySchema = z
  .literal(true)
  .describe('no hit answers the query: these are only the nearest, by their words or by meaning');

/** How a result was ranked; included only on request. */
export const TraceSchema = z
  .strictObject({
    lexical: z.array(RankedSchema).describe('results of the lexical side, best first'),
    vector: z.array(RankedSchema).describe('results of the vector side, best first'),
    retrievers: z
      .array(z.strictObject({ id: z.string(), entries: z.array(RankedSchema), ms: MillisecondsSchema }))
      .exactOptional()
      .describe('results of each retriever of a plugin, best first'),
    rrf_inputs: z
      .array(
        z.strictObject({
          chunk_id: Hex32Schema,
          lexical_rank: PositiveSchema.nullable(),
          vector_rank: PositiveSchema.nullable(),
          retriever_ranks: z
            .array(z.strictObject({ id: z.string(), rank: PositiveSchema }))
            .exactOptional()
            .describe('only for results of plugin retrievers'),
          holds_all_words: z
            .boolean()
            .exactOptional()
            .describe('whether it contains every content word; only when that matters'),
          fusion_score: z.number(),
        }),
      )
      .describe('what was fused'),
    fusion: z
      .strictObject({
        method: z.enum(['relevance', 'rrf']).exactOptional().describe('fused by score or by rank'),
        rrf_k: PositiveSchema,
        weight_lexical: z.number().describe('for this query: the configured weight times the factor of the query'),
        weight_vector: z.number().describe('for this query: the configured weight times the factor of the query'),
        weight_all_words: z
          .number()
          .exactOptional()
          .describe('bonus for containing every content word of a short query; only when that matters'),
        reason: z
          .enum(['nothing_to_compare', 'agreement', 'words_missing', 'identifiers', 'evidence'])
          .describe('the inputs from which the weight of the vector side is computed'),
      })
      .exactOptional()
      .describe('how rrf_inputs were weighted; only when several sides were fused'),
    code: z
      .array(
        z.strictObject({
          chunk_id: Hex32Schema,
          before: PositiveSchema.describe('rank before'),
          rank: PositiveSchema.describe('rank after it'),
          fit: z.number().exactOptional().describe('added to its share of the best score, for head, name and file'),
          factor: z.number().describe('on the sum'),
        }),
      )
      .exactOptional()
      .describe('source code whose rank was changed'),
    rerank: z.array(RankedSchema).exactOptional().describe("the reranker's order of the first candidates"),
    duplicates: z
      .array(z.strictObject({ chunk_id: Hex32Schema, of: Hex32Schema }))
      .exactOptional()
      .describe('passages moved down because they nearly equal a better one'),
    query: z
      .strictObject({
        terms: z.array(z.string()),
        phrases: z.array(z.string()),
        excluded: z.array(z.string()),
        relaxed: RelaxedSchema.exactOptional(),
      })
      .describe('the analysed query'),
    timing: z.strictObject({
      lexical_ms: MillisecondsSchema,
      vector_ms: MillisecondsSchema,
      fusion_ms: MillisecondsSchema,
      rerank_ms: MillisecondsSchema,
      total_ms: MillisecondsSchema.describe('the whole search'),
    }),
  })
  .describe('how the result came about');

/** How a result was ranked. */
export type Trace = DeepReadonly<z.infer<typeof TraceSchema>>;

/** One chunk in the list of one retriever, as shown in a trace. */
export type TraceEntry = DeepReadonly<z.infer<typeof RankedSchema>>;

/** The actual rank of an expected place, with the reason. */
const ExpectationSchema = z
  .strictObject({
    target: z.string().describe('the place as asked for'),
    outcome: z
      .enum([
        'on_page',
        'other_page',
        'set_back',
        'beyond_candidates',
        'no_match',
        'not_admitted',
        'excluded_by_filter',
        'no_such_place',
        'not_indexed',
      ])
      .describe('what became of it'),
    reason: z.string().describe('the same as a sentence'),
    hint: z.string().nullable().describe('what to do about it'),
    chunk_id: Hex32Schema.nullable().describe('the best chunk at the place'),
    rank: PositiveSchema.nullable().describe('rank in the list of hits; null when it is not in it'),
    lexical_rank: PositiveSchema.nullable().describe('null when that side did not return it'),
    vector_rank: PositiveSchema.nullable().describe('null when that side did not return it'),
    has_vector: z.boolean().nullable().describe('whether its vector is committed; null when vectors were not used'),
    filters: z.array(z.string()).describe('filters that leave it out'),
  })
  .describe('the actual rank of an expected place, with the reason');

/** The actual rank of an expected place, with the reason. */
export type Expectation = DeepReadonly<z.infer<typeof ExpectationSchema>>;

/** The inputs of a relevance estimate. */
export const RelevanceEvidenceSchema = z
  .strictObject({
    held: UnitSchema.describe("share of the question's weight that one passage covers"),
    held_by_two: UnitSchema.describe('share that two passages hold together'),
    in_order: UnitSchema.describe('share of neighbouring word pairs that appear close together, in order'),
    words: CountSchema.describe('content words of the question'),
    nearness: z
      .number()
      .nullable()
      .describe(
        'cosine scaled by model, corpus and query: 0 like a random passage, 1 like a matching one; null without vectors',
      ),
    reranked: UnitSchema.exactOptional().describe('score of the reranker; only if it scored the passage'),
  })
  .describe('what relevance was estimated from');

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
      .describe('scores from plugin retrievers; only if some contributed to the list'),
    relevance: UnitSchema.exactOptional().describe(
      'estimated relevance of the chunk to the query, 0.3 separates answers from the rest; only with explain or min_relevance',
    ),
    evidence: RelevanceEvidenceSchema.exactOptional(),
    named: z
      .enum(['file', 'symbol', 'entry', 'document', 'heading'])
      .exactOptional()
      .describe('what the query as a whole names, so that the hit comes first; only with explain'),
    kind: z
      .enum(['links', 'title', 'notice', 'changes', 'prose'])
      .exactOptional()
      .describe(
        'a list of links, a bare title, a licence header, notes of a release, or prose beside code, if that matters; only with explain',
      ),
    kind_factor: z.number().exactOptional().describe('on the score, for its kind; only with explain'),
    section_factor: z
      .number()
      .exactOptional()
      .describe(
        'on the score, for the heading of its section and what else of its document was found; only with explain',
      ),
    rerank_score: z.number().exactOptional().describe('only with a reranker'),
    rerank_rank: PositiveSchema.exactOptional().describe('only with a reranker'),
  })
  .describe('what each side gave this chunk');

/** One hit: search_hit.v1. */
export const SearchHitSchema = wireObject('search_hit', {
  rank: PositiveSchema.describe('from 1, absolute across pages'),
  score: z.number().describe('what score_kind says; ranks order the hits, not scores'),
  score_kind: ScoreKindSchema.describe(
    'relevance: estimated, 0..1, comparable across searches; fused: evidence of several sides, 0..1; rrf: their ranks, 0..1; cosine: -1..1; rerank: calibrated, 0..1',
  ),
  chunk_id: Hex32Schema,
  doc_id: Hex32Schema,
  doc_path: z.string().describe('path inside its source'),
  source_id: z.string(),
  media: MediaSchema,
  lang: z.string().describe('language of the document; "und" when unknown'),
  heading_path: z.array(z.string()).describe('headings above the start of the chunk, outermost first'),
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
  date: TimeSchema.exactOptional().describe('the date of the document, which since and until compare'),
  indexed_at: TimeSchema.describe('when the file was last known to match the index'),
  stale: z.boolean().describe('not fresh, or indexed too long ago'),
  freshness: FreshnessSchema.describe('how the file compares with its indexed version'),
  repo: z.string().exactOptional().describe('repository; only on code'),
  code_lang: z.string().exactOptional().describe('programming language; only on code'),
  unread: z
    .string()
    .exactOptional()
    .describe('the engine that would read its text; only on hits of pictures and pages without text'),
  also_at: z
    .array(z.string())
    .exactOptional()
    .describe(
      'paths of byte-identical files, linked or copied, with their source where it is another; the passage counts once',
    ),
  duplicates: PositiveSchema.exactOptional().describe(
    'number of near-identical passages ranked lower because of this one',
  ),
  duplicate_paths: z
    .array(z.string())
    .exactOptional()
    .describe('documents of the first few of them, those of other sources than default as source:path'),
  duplicate_of: Hex32Schema.exactOptional().describe('a higher-ranked chunk that this one nearly equals'),
  more_in_doc: PositiveSchema.exactOptional().describe(
    'other passages of the document that follow the first ten hits; on the last of its hits among these',
  ),
});

/** One hit. */
export type SearchHit = DeepReadonly<z.infer<typeof SearchHitSchema>>;

/** The state of the index when some changes could not be indexed before the search. */
export const IndexStateSchema = z
  .strictObject({
    changed: CountSchema.describe('files known to be new, changed or deleted that are not yet indexed'),
    refreshed: CountSchema.describe('files that were indexed just before the search'),
    reason: z
      .enum(['budget', 'locked', 'mass_delete', 'failed'])
      .describe(
        'budget: more has changed, or needs checking, than a search has time for; locked: another process is writing; mass_delete: too many files disappeared at once; failed: see the log',
      ),
    hint: z.string().describe('what to do'),
  })
  .describe('only when changed files are not yet indexed, or not all were checked');

/** The state of the index when some changes could not be indexed before the search. */
export type IndexState = DeepReadonly<z.infer<typeof IndexStateSchema>>;

const UnreadFilesSchema = z
  .array(
    z.strictObject({
      source_id: z.string(),
      doc_path: z.string().describe('path inside its source'),
      why: z.string().describe('why it could not be read'),
      remedy: z.string().describe('how to change it'),
    }),
  )
  .max(5)
  .describe(
    'files whose text could not be searched, or only in part: those named like the query or with hits; without hits, also other failed ones',
  );

const FacetsSchema = z
  .strictObject({
    documents: CountSchema.describe('documents that were counted'),
    complete: z.boolean().describe('whether these are all that the search finds by words'),
    fields: z.array(
      z.strictObject({
        field: z
          .enum(['source', 'type', 'lang', 'tag', 'year'])
          .describe('an operator of a query; year is since and until'),
        values: z.array(z.strictObject({ value: z.string(), count: PositiveSchema })).describe('most common first'),
      }),
    ),
  })
  .describe('the documents that the search finds, counted by the values that filters can have');

/** The documents that a search finds, counted by the values that filters can have. */
export type Facets = DeepReadonly<z.infer<typeof FacetsSchema>>;

/** What is to be said about a search besides its hits. */
const REMARKS = {
  relaxed: RelaxedSchema.exactOptional(),
  notices: z.array(QueryNoticeSchema).exactOptional(),
  suggestions: SuggestionsSchema.exactOptional(),
  unread: UnreadFilesSchema.exactOptional(),
  unknown_terms: UnknownTermsSchema.exactOptional(),
  nearest_only: NearestOnlySchema.exactOptional(),
  index: IndexStateSchema.exactOptional(),
};

/** One page of hits: search_response.v1. */
export const SearchResponseSchema = wireObject('search_response', {
  hits: z.array(SearchHitSchema).describe('best first'),
  next_cursor: z.string().nullable().describe('opaque; null when nothing follows'),
  truncated: z.boolean().describe('whether snippets or hits were truncated to fit the budget'),
  mode: ModeSchema.describe('the mode that really ran'),
  degraded: z.array(DegradedSchema).describe('stages that were skipped'),
  ...REMARKS,
  facets: FacetsSchema.exactOptional().describe('only on request'),
  trace: TraceSchema.exactOptional().describe('only with explain'),
  expect: ExpectationSchema.exactOptional().describe('only when a place was expected'),
});

/** One page of hits. */
export type SearchResponse = DeepReadonly<z.infer<typeof SearchResponseSchema>>;

/** The commits whose message or changed lines match a query: commit_result.v1. */
export const CommitResultSchema = wireObject('commit_result', {
  commits: z
    .array(
      z.strictObject({
        source_id: z.string(),
        commit: z.string().regex(/^[0-9a-f]{40,64}$/),
        author: z.string(),
        date: z.string().describe('when it was written, with the offset of its author'),
        subject: z.string().describe('the first line of its message'),
        message_line: z.string().exactOptional().describe('the first other line of its message that matches'),
        score: z.number().describe('orders the commits of one answer'),
        lines: z
          .array(
            z.strictObject({
              path: z.string().describe('path inside its source, at that commit'),
              line: PositiveSchema.describe('of an added line in the commit, of a removed one in its parent'),
              side: z.enum(['added', 'removed']),
              text: z.string(),
            }),
          )
          .max(5)
          .describe('the changed lines that match best, in the order of the patch'),
        more_lines: PositiveSchema.exactOptional().describe('further changed lines that match'),
      }),
    )
    .describe('best first'),
  searched: z
    .array(
      z.strictObject({
        source_id: z.string(),
        root: z.string(),
        commits: CountSchema,
        is_shallow: z
          .literal(true)
          .exactOptional()
          .describe('a shallow clone: older commits are missing, and the oldest is found by its message alone'),
      }),
    )
    .describe('the repositories, and how many of their last commits were read'),
  is_partial: z.literal(true).exactOptional().describe('the history was too large to be read in time'),
  notices: z.array(QueryNoticeSchema).exactOptional(),
});

/** The commits that match a query. */
export type CommitResult = DeepReadonly<z.infer<typeof CommitResultSchema>>;

/** One page of hits with what an agent needs to choose, read, cite and verify them: search_brief.v1. */
export const SearchBriefSchema = wireObject('search_brief', {
  hits: z
    .array(
      z.strictObject({
        uri: z.string().describe('its location, as in a citation'),
        section: z.string().exactOptional().describe('last heading, for code the symbol; absent when there is none'),
        score: z.number().describe('a ranking signal with three digits, not a confidence'),
        relevance: UnitSchema.exactOptional().describe('see search_hit.v1; only with explain or min_relevance'),
        content_hash: Hex16Schema.describe('of the text the uri designates'),
        snippet: z.string().describe('the part of the passage around the best match'),
        also_at: z.array(z.string()).exactOptional().describe('see search_hit.v1'),
        more_in_doc: PositiveSchema.exactOptional().describe('see search_hit.v1'),
        freshness: FreshnessSchema.exactOptional().describe('absent when the file is unchanged since it was indexed'),
      }),
    )
    .describe('best first'),
  next_cursor: z.string().nullable().describe('opaque; null when nothing follows'),
  mode: ModeSchema.describe('the mode that really ran'),
  truncated: z.literal(true).exactOptional().describe('snippets or hits were truncated to fit the budget'),
  degraded: z.array(DegradedSchema).exactOptional().describe('stages that were skipped'),
  ...REMARKS,
  trace: TraceSchema.exactOptional().describe('only with explain'),
  expect: ExpectationSchema.exactOptional().describe('only when a place was expected'),
});

/** One page of hits with what an agent needs. */
export type SearchBrief = DeepReadonly<z.infer<typeof SearchBriefSchema>>;
