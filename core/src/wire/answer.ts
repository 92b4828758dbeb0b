import * as z from 'zod';
import { CitationSchema } from './citation.ts';
import {
  CountSchema,
  type DeepReadonly,
  FreshnessSchema,
  ModeSchema,
  PositiveSchema,
  TimeSchema,
  UnitSchema,
  versionOf,
  wireObject,
} from './scalars.ts';
import { DegradedSchema, IndexStateSchema, RelevanceEvidenceSchema, SearchHitSchema, TraceSchema } from './search.ts';

/** The passage that a marker of an answer refers to. */
const AnswerCitationSchema = z.strictObject({
  marker: z
    .string()
    .regex(/^\[\d+\]$/)
    .nullable()
    .describe('as in the answer; null for a near candidate of a refusal'),
  citation: CitationSchema,
  score: UnitSchema.describe('relevance of this passage by itself; the gate uses retrieval.top_score'),
  indexed_at: TimeSchema.describe('when the file was last known to match the index'),
  stale: z.boolean().describe('not fresh, or indexed too long ago'),
  freshness: FreshnessSchema.describe('how the file compares with its indexed version'),
  quotes: z
    .array(z.strictObject({ text: z.string(), verified: z.boolean() }))
    .describe('quotations of the sentences that cite it, and whether they occur verbatim'),
  verified: z.boolean().nullable().describe('all quotes verbatim; some not; null when no quote was given'),
  attributed: z
    .literal(true)
    .exactOptional()
    .describe('the model did not cite it; kebab set the marker, because the passage covers the sentence'),
});

/** The passage that a marker of an answer refers to. */
export type AnswerCitation = DeepReadonly<z.infer<typeof AnswerCitationSchema>>;

const RefusalReasonSchema = z.enum([
  'score_gate',
  'llm_self_judge',
  'no_index',
  'no_chunks',
  'llm_stream_aborted',
  'multi_hop_decompose_failed',
  'nli_verification_failed',
  'nli_model_unavailable',
  'unverified',
]);

/** Why a question was not answered. */
export type RefusalReason = z.infer<typeof RefusalReasonSchema>;

const HopRecordSchema = z.strictObject({
  iter: CountSchema.describe('0-based'),
  kind: z.enum(['decompose', 'decide', 'synthesize']),
  sub_queries: z.array(z.string()),
  context_chunks_added: CountSchema,
  forced_stop: z.boolean().describe('whether a limit ended the search'),
  llm_call_ms: z.number().min(0).describe('0 when no model was called'),
});

/** One step of a multi-hop answer. */
export type HopRecord = DeepReadonly<z.infer<typeof HopRecordSchema>>;

const AlertSchema = z.strictObject({
  level: z.literal('warn'),
  code: z.enum([
    'file_ref_out_of_scope',
    'file_ref_not_found',
    'file_ref_binary',
    'file_ref_io',
    'orders_in_passage',
    'asked_value_missing',
  ]),
  path: z
    .string()
    .describe('of the file reference, or of the passage that gives orders; empty when it is about the answer'),
  line: PositiveSchema.exactOptional().describe('of the first order in that passage'),
  message: z.string(),
});

/**
 * What the reader of an answer should know: a file reference of the question that could not be resolved, a passage that gives orders to
 * whoever reads the prompt, or that the answer does not name the kind of value that was asked for.
 */
export type Alert = DeepReadonly<z.infer<typeof AlertSchema>>;

const ClaimSchema = z.strictObject({
  text: z.string().describe('a sentence of the answer without its markers'),
  evidence: z.array(
    z.strictObject({
      marker: z.string(),
      uri: z.string().describe('narrowed to the quoted lines when a verified quote exists'),
      quote: z.string().nullable(),
      verified: z.boolean().nullable(),
    }),
  ),
});

/** One sentence of an answer and its evidence. */
export type Claim = DeepReadonly<z.infer<typeof ClaimSchema>>;

const AnswerFindingSchema = z.strictObject({
  kind: z
    .enum(['quotation', 'number', 'date', 'unit', 'name', 'citation', 'claim', 'computed'])
    .describe(
      'citation also for a sentence without one; claim for a sentence that what it cites does not say, or says otherwise; computed for a number that follows from those of a passage',
    ),
  level: z.enum(['failed', 'warning']).describe('failed: the answer is not grounded; warning: check it yourself'),
  text: z.string().describe('as it stands in the answer'),
  start: CountSchema.describe('UTF-16 offset into the answer'),
  end: CountSchema.describe('exclusive; equal to start where the marker of an unknown passage was removed'),
  cited: z.array(CountSchema).describe('numbers of the passages it was compared with; empty: all of them'),
  message: z.string().describe('for people'),
});

/** Something in an answer that its passages do not support. */
export type AnswerFinding = DeepReadonly<z.infer<typeof AnswerFindingSchema>>;

const AnswerChecksSchema = z.strictObject({
  method: z
    .enum(['lexical', 'entailment', 'lexical+entailment'])
    .describe('lexical: words, numbers and quotations are compared, not their meaning'),
  sentences: CountSchema.describe('sentences that claim something'),
  cited: CountSchema.describe('of these, how many cite a passage'),
  details: CountSchema.describe('quotations, numbers, dates, units and names compared with cited passages'),
  reason: z
    .enum(['not_in_passage', 'unknown_citation', 'no_citation', 'nothing_to_check', 'beside_the_question'])
    .nullable()
    .describe('why the answer failed; null when it passed'),
  findings: z.array(AnswerFindingSchema).describe('in the order of the text'),
});

/** The checks of an answer and their findings. */
export type AnswerChecks = DeepReadonly<z.infer<typeof AnswerChecksSchema>>;

const ExplainedPassageSchema = z.strictObject({
  marker: z.string(),
  uri: z.string(),
  score: UnitSchema.describe('relevance of this passage by itself; the gate uses retrieval.top_score'),
  lexical_score: z.number().nullable().describe('null when the lexical side did not return it'),
  vector_score: z.number().nullable().describe('null when the vector side did not return it'),
});

/** An answer, or a refusal to give one: answer.v1. */
export const AnswerSchema = wireObject('answer', {
  answer: z.string().describe('with markers [n]; for a refusal a sentence for the reader'),
  citations: z.array(AnswerCitationSchema).describe('in order of first appearance; near candidates when none is cited'),
  grounded: z.boolean().describe('false: a refusal, or an answer that failed its checks'),
  refusal_reason: RefusalReasonSchema.nullable().describe('null when grounded'),
  model: z.strictObject({ id: z.string(), provider: z.string() }),
  embedding: z
    .strictObject({ id: z.string(), provider: z.string(), dimensions: PositiveSchema })
    .nullable()
    .describe('null when no embedder took part'),
  prompt_template_version: z.string(),
  retrieval: z.strictObject({
    trace_id: z.string().regex(/^ret_[0-9a-f]{8}$/),
    mode: ModeSchema.describe('the mode that really ran'),
    k: CountSchema,
    score_gate: z.number().describe('minimum top_score of an answer, in the mode that ran'),
    top_score: UnitSchema.describe(
      'relevance of all passages together, compared with score_gate; in a hybrid search it can be below that of a single passage',
    ),
    chunks_returned: CountSchema,
    chunks_used: CountSchema,
    evidence: RelevanceEvidenceSchema.exactOptional(),
  }),
  usage: z.strictObject({ prompt_tokens: CountSchema, completion_tokens: CountSchema, latency_ms: z.number().min(0) }),
  created_at: TimeSchema,
  conversation_id: z.string().nullable().describe('null for a single question'),
  turn_index: CountSchema.nullable().describe('0-based; null for a single question'),
  unsupported: z.array(z.string()).describe('numbers in the answer that occur in no passage'),
  checks: AnswerChecksSchema.exactOptional().describe('only when a model wrote an answer and a checker judged it'),
  failure: z
    .string()
    .exactOptional()
    .describe('what went wrong during generation, as reported by the server; only when something did'),
  written: z
    .string()
    .exactOptional()
    .describe('model output that is not an answer; not checked, and not part of answer'),
  alerts: z.array(AlertSchema),
  degraded: z.array(DegradedSchema).describe('stages that were skipped'),
  index: IndexStateSchema.exactOptional(),
  explain: z
    .strictObject({
      claims: z.array(ClaimSchema),
      passages: z.array(ExplainedPassageSchema).exactOptional().describe('everything the model received, by number'),
      trace: TraceSchema,
    })
    .exactOptional()
    .describe('only with explain'),
  hops: z.array(HopRecordSchema).exactOptional().describe('multi-hop only'),
  verification: z
    .strictObject({ nli_score: UnitSchema, nli_threshold: UnitSchema, nli_passed: z.boolean() })
    .exactOptional()
    .describe('only when the entailment gate ran'),
});

/** An answer, or a refusal to give one. */
export type Answer = DeepReadonly<z.infer<typeof AnswerSchema>>;

const event = { schema_version: versionOf('answer_event'), ts: TimeSchema };

/** One event of an answer stream: answer_event.v1, discriminated by `kind`. Exactly one `final` ends the stream. */
export const AnswerEventSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...event, kind: z.literal('retrieval_done'), hits: z.array(SearchHitSchema) }),
    z.strictObject({ ...event, kind: z.literal('token'), delta: z.string().describe('text to append') }),
    z.strictObject({ ...event, kind: z.literal('final'), answer: AnswerSchema.describe('authoritative') }),
  ])
  .describe('one event of an answer stream; the last one is final');

/** One event of an answer stream. */
export type AnswerEvent = DeepReadonly<z.infer<typeof AnswerEventSchema>>;

/** One conversation in a list: session_summary.v1. */
export const SessionSummarySchema = wireObject('session_summary', {
  conversation_id: z.string().describe('its name'),
  title: z.string().nullable().describe('the beginning of its first question'),
  turn_count: CountSchema,
  created_at: TimeSchema,
  updated_at: TimeSchema.describe('of its last turn'),
});

/** One conversation in a list. */
export type SessionSummary = DeepReadonly<z.infer<typeof SessionSummarySchema>>;

const SessionTurnSchema = z.strictObject({
  turn_index: CountSchema.describe('0-based'),
  question: z.string(),
  answer: z.string(),
  grounded: z
    .boolean()
    .describe(
      'false: a refusal, or an answer that failed its checks; where refusal_reason is absent, whether passages are cited and quoted verbatim',
    ),
  refusal_reason: RefusalReasonSchema.nullable().exactOptional().describe('absent from turns of earlier versions'),
  citations: z.array(AnswerCitationSchema).describe('as they were when the question was answered'),
  unsupported: AnswerSchema.shape.unsupported.exactOptional().describe('absent from turns of earlier versions'),
  checks: AnswerSchema.shape.checks,
  failure: AnswerSchema.shape.failure,
  created_at: TimeSchema,
});

/** One question of a conversation with its answer. */
export type SessionTurn = DeepReadonly<z.infer<typeof SessionTurnSchema>>;

/** A conversation with its turns: session_turns.v1. */
export const SessionTurnsSchema = wireObject('session_turns', {
  session: SessionSummarySchema,
  turns: z.array(SessionTurnSchema).describe('in order'),
});

/** A conversation with its turns. */
export type SessionTurns = DeepReadonly<z.infer<typeof SessionTurnsSchema>>;
