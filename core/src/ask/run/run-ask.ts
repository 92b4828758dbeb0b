import type { LanguageModel } from '../../contracts/language-model.ts';
import { isAbort, throwIfCancelled, withDeadline } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { notifyHooks } from '../../plugin/hooks.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import type { AnswerEvent, Degraded, RefusalReason } from '../../wire/index.ts';
import type { AskStage, AskPorts } from './ask-sources.ts';
import { AnswerWriter } from '../generate/answer-writer.ts';
import { firstLineOf, MarkerStream } from '../generate/generate-text.ts';
import { collectEvidence, synthesisHop, verifyEntailment } from '../multi-hop/collect-evidence.ts';
import { ANSWER_SCHEMA, SentenceStream } from '../generate/sentence-stream.ts';
import {
  type AnswerFormat,
  contextBudget,
  type ContextBudget,
  packContext,
  drawDelimiter,
  type PromptDelimiter,
  formOf,
  type NumberedEvidence,
} from '../prompt/pack-context.ts';
import { type Evidence, fileEvidence, retrieveEvidence, scoreGate } from '../retrieval/retrieve-evidence.ts';
import { expandedQuery, openSession, type OpenSession } from '../sessions/chat-sessions.ts';
import type { Extensions } from '../submit/submit-prompt.ts';
import { checkAnswer, type ModelAnswer } from '../verify/check-answer.ts';
import { judgeWith } from '../verify/judge-with.ts';
import type { AskResult, KnowledgeBase, Outcome, WrittenAnswer } from './write-answer.ts';
import { openStore } from '../../documents/open-store.ts';
import { chooseModel, submitQuestion, type SubmittedQuestion } from './submit-question.ts';

/** The context of every stage of one question. */
export interface AskContext {
  readonly ports: AskPorts;
  readonly asked: CheckedAsk;
  readonly extensions: Extensions;
  /** Receives events before the final one. */
  readonly emit: (event: EventContent) => void;
  /** Receives the stage that the question is waiting for. */
  readonly stage: (stage: AskStage) => void;
  readonly signal: AbortSignal | undefined;
}

/** An event without its envelope. */
export type EventContent =
  | Pick<Extract<AnswerEvent, { kind: 'retrieval_done' }>, 'kind' | 'hits'>
  | Pick<Extract<AnswerEvent, { kind: 'token' }>, 'kind' | 'delta'>;

/**
 * Runs the stages of one question: submit, retrieve, gate, pack, generate, check. Each stage returns its results; when the signal fires,
 * the question is refused with the results so far. Errors: those of submitting and searching, and of the model before its first token.
 */
export async function runAsk(context: AskContext): Promise<AskResult> {
  const { ports, asked, signal } = context;
  let submitted: SubmittedQuestion | null = null;
  let base: KnowledgeBase | null = null;
  let found: FoundEvidence | null = null;
  let writer: AnswerWriter | null = null;
  let collected: CollectedEvidence | null = null;
  let written: Written | null = null;
  let verification: AskResult['verification'] = null;
  const ended = (outcome: Outcome): AskResult => ({
    outcome,
    submitted,
    base,
    search: found?.search ?? null,
    hops: [
      ...(collected?.hops ?? []),
      ...(written === null ? [] : [synthesisHop(collected?.hops.length ?? 0, written.ms)]),
    ],
    written,
    call: writer === null ? null : { model: writer.model, ...writer.usage },
    verification,
    degraded: distinct([...(found?.degraded ?? []), ...(collected?.degraded ?? []), ...(written?.degraded ?? [])]),
  });
  try {
    throwIfCancelled(signal, 'ask');
    submitted = await submit(context);
    packPrompt(context, { submitted, evidence: [], session: null, model: null }); // rejected before anything is searched for
    base = await openKnowledgeBase(context);
    if (!base.hasDocuments) return ended(refusal('no_index'));

    const { session } = base;
    const { historyExpandChars } = ports.config.rag;
    found = await retrieve(context, expandedQuery(submitted.text, session, historyExpandChars));
    const { search, evidence } = found;
    if (submitted.files.length === 0) {
      if (evidence.length === 0) return ended(refusal('no_chunks'));
      if (search !== null && search.topScore < search.scoreGate) return ended(refusal('score_gate', evidence));
    }

    const model = await chooseModel(ports, asked);
    writer = new AnswerWriter({ model, asked, budget: budgetOf(ports, model) }, { signal });
    const question = { submitted, session, model, writer };
    if (asked.multiHop) collected = await collect(context, evidence, question);
    if (collected?.evidence === null) return ended(notTakenApart(evidence, model, collected.failed));

    written = await write(context, collected?.evidence ?? evidence, question);
    if (!asked.multiHop) return ended(written.outcome);
    const verified = await verify(context, written.outcome, written.passages);
    ({ verification } = verified);
    return ended(verified.outcome);
  } catch (error) {
    if (signal?.aborted !== true || !(isAbort(error) || isKebabError(error, 'cancelled'))) throw error;
    return ended(refusal('llm_stream_aborted'));
  }
}

async function submit({ ports, asked, extensions, signal }: AskContext): Promise<SubmittedQuestion> {
  const context = { signal: signal ?? new AbortController().signal, log: ports.log, progress: () => {} };
  const work = (): Promise<SubmittedQuestion> => submitQuestion(ports, asked, { ...extensions, context });
  return withDeadline(work, { signal, operation: 'ask' });
}

async function openKnowledgeBase({ ports, asked }: AskContext): Promise<KnowledgeBase> {
  const store = await openStore(ports.documents);
  if (store === null) return { hasDatabase: false, hasDocuments: false, session: null };
  const session = asked.session === null ? null : await openSession(await ports.sessions.write(), asked.session);
  return { hasDatabase: true, hasDocuments: (await store.documentCount()) > 0, session };
}

/** The passages found for a question. */
interface FoundEvidence extends Pick<AskResult, 'search' | 'degraded'> {
  readonly evidence: readonly Evidence[];
}

/** Searches for a question; one that consists only of files is not searched for. */
async function retrieve(context: AskContext, query: string): Promise<FoundEvidence> {
  if (query === '') return { evidence: [], search: null, degraded: [] };
  const { ports, asked, extensions, emit } = context;
  const { response, evidence, together, embedder } = await lookUp(context, query, asked.explain);
  const { provider } = ports.config.models.embedding;
  const search = {
    mode: response.mode,
    embedding: embedder === null ? null : { id: embedder.modelId, provider, dimensions: embedder.dimensions },
    scoreGate: scoreGate(ports.config.rag, response.mode),
    topScore: Math.round((together?.relevance ?? 0) * 1e6) / 1e6,
    relevance: together?.evidence ?? null,
    chunksReturned: evidence.length,
    trace: response.trace ?? null,
  };
  emit({ kind: 'retrieval_done', hits: response.hits });
  const { trace: _trace, ...shown } = response;
  notifyHooks(extensions.hooks, 'onRetrieved', { value: shown, log: ports.log });
  return { evidence, search, degraded: response.degraded };
}

async function lookUp(
  { ports, asked: { mode, k, filters }, stage, signal }: AskContext,
  query: string,
  explain: boolean,
): ReturnType<typeof retrieveEvidence> {
  stage({ kind: 'searching' });
  const options = { signal };
  return withDeadline(() => retrieveEvidence(ports, { query, mode, k, filters, explain }, options), {
    signal,
    operation: 'ask',
  });
}

/** A submitted question with its model. */
interface Question {
  readonly submitted: SubmittedQuestion;
  readonly session: OpenSession | null;
  readonly model: LanguageModel;
  readonly writer: AnswerWriter;
}

/** The evidence of several hops, and the skipped stages of their searches. */
type CollectedEvidence = Awaited<ReturnType<typeof collectEvidence>> & Pick<AskResult, 'degraded'>;

async function collect(
  context: AskContext,
  first: readonly Evidence[],
  { submitted, model, writer }: Question,
): Promise<CollectedEvidence> {
  const { ports, asked, stage } = context;
  const { rag } = ports.config;
  const degraded: Degraded[] = [];
  const collected = await collectEvidence({
    question: submitted.text === '' ? asked.question : submitted.text,
    first,
    limits: {
      maxDepth: rag.multiHopMaxDepth,
      maxSubQueries: rag.multiHopMaxSubQueries,
      maxPoolChunks: rag.multiHopMaxPoolChunks,
    },
    budget: budgetOf(ports, model).promptTokens,
    drawDelimiter: (texts) => drawDelimiter(texts, ports.randomBytes),
    ask: (messages) => {
      stage({ kind: 'waiting', model: model.model.id, reading: [] });
      return writer.list(messages);
    },
    retrieve: async (query) => {
      try {
        const { response, evidence } = await lookUp(context, query, false);
        degraded.push(...response.degraded);
        return evidence;
      } catch (error) {
        if (isKebabError(error, 'invalid_input')) return []; // the query was written by a model, and may be invalid
        throw error;
      }
    },
  });
  return { ...collected, degraded };
}

function notTakenApart(found: readonly Evidence[], model: LanguageModel, failed: CollectedEvidence['failed']): Outcome {
  return refusal('multi_hop_decompose_failed', found, {
    failure: failed?.failure ?? `${model.model.id} named no searches`,
    written: failed?.text,
  });
}

/** The model's output for a prompt, and the prompt's passages. */
interface Written extends WrittenAnswer, Pick<AskResult, 'degraded'> {
  readonly outcome: Outcome;
  readonly ms: number;
}

/** Runs the model, streams its text, and checks it. A server that does not take a schema is asked for plain text. */
async function write(context: AskContext, evidence: readonly Evidence[], question: Question): Promise<Written> {
  const { asked, ports } = context;
  const isStructured =
    asked.template === 'rag-v3' && asked.answerFormat === 'json' && question.model.structured === true;
  if (!isStructured) return writeAs('text', context, { evidence, question });
  try {
    return await writeAs('json', context, { evidence, question });
  } catch (error) {
    if (!isKebabError(error, 'invalid_input') || context.signal?.aborted === true) throw error;
    ports.log.info('the server took no schema', { model: question.model.model.id, cause: error.message });
    return writeAs('text', context, { evidence, question });
  }
}

async function writeAs(
  format: AnswerFormat,
  context: AskContext,
  { evidence, question }: { readonly evidence: readonly Evidence[]; readonly question: Question },
): Promise<Written> {
  const { asked, emit, stage } = context;
  const { packed, delimiter } = packPrompt(context, { ...question, evidence, format });
  const { passages, chunksUsed } = packed;
  const stream = new MarkerStream(passages.length);
  const show = (delta: string): void => {
    if (delta !== '') emit({ kind: 'token', delta });
  };
  stage({
    kind: 'waiting',
    model: question.model.model.id,
    reading: [...new Set(passages.map(({ citation }) => citation.path))],
  });
  const sentences = format === 'json' ? new SentenceStream(passages.length) : null;
  let text = '';
  const take = (written: string): void => {
    text += written;
    show(stream.push(written));
  };
  const { interrupted, failure, ms } = await question.writer.write(packed.messages, {
    delimiter,
    schema: format === 'json' ? ANSWER_SCHEMA : undefined,
    isComplete: () => sentences?.isComplete === true,
    onToken: (token) => take(sentences?.push(token) ?? token),
  });
  take(sentences?.end() ?? '');
  show(stream.end());
  const model = { raw: text, question: asked.question, passages, isCutOff: interrupted !== null };
  const { checked, degraded } = await check(context, model);
  const aborted = interrupted !== null || context.signal?.aborted === true ? 'llm_stream_aborted' : null;
  if (checked.kind === 'no_answer') {
    const outcome = refusal(aborted ?? 'llm_self_judge', passages, { failure, written: checked.written });
    return { outcome, passages, chunksUsed, degraded, ms };
  }
  return { outcome: { ...checked, reason: aborted ?? checked.reason, failure }, passages, chunksUsed, degraded, ms };
}

/** Has a text checked by the configured checker. An interrupted text is checked, too: its signal has fired before. */
async function check(
  { ports, signal }: AskContext,
  model: ModelAnswer,
): Promise<{ readonly checked: Awaited<ReturnType<typeof checkAnswer>>; readonly degraded: readonly Degraded[] }> {
  let degraded: readonly Degraded[] = [];
  const checked = await checkAnswer(model, async (answer) => {
    const judged = await judgeWith(ports, answer, answer.isCutOff ? {} : { signal });
    ({ degraded } = judged);
    return judged.judgement;
  });
  return { checked, degraded };
}

/** A model reads every statement with every passage: this many take half a minute. */
const MAX_VERIFIED = 100;

/**
 * Verifies a multi-hop answer against its passages, if configured; without a working checker it is not grounded, nor when the signal fires
 * meanwhile.
 */
async function verify(
  { ports, signal }: AskContext,
  outcome: Outcome,
  passages: readonly NumberedEvidence[],
): Promise<{ readonly outcome: Outcome; readonly verification: AskResult['verification'] }> {
  const { rag, models } = ports.config;
  if (outcome.kind !== 'answer' || outcome.reason === 'llm_stream_aborted' || rag.nliThreshold <= 0)
    return { outcome, verification: null };
  const claims = [...new Set(outcome.statements)];
  if (claims.length > MAX_VERIFIED) {
    const failure = `it says ${claims.length} things, and no more than ${MAX_VERIFIED} are compared with the passages by what they mean`;
    return { outcome: { ...outcome, reason: 'nli_verification_failed', failure }, verification: null };
  }
  let score: number;
  try {
    const checker = await ports.groundednessCheckers.get(models.nli.provider);
    const pairs = { claims, passages: passages.map(({ text }) => text) };
    score = await withDeadline(() => verifyEntailment(checker, pairs, { signal }), {
      signal,
      operation: 'ask',
    });
  } catch (error) {
    if (signal?.aborted === true) return { outcome: { ...outcome, reason: 'llm_stream_aborted' }, verification: null };
    ports.log.error('the answer cannot be verified', { provider: models.nli.provider, cause: String(error) });
    return {
      outcome: { ...outcome, reason: 'nli_model_unavailable', failure: firstLineOf(error) },
      verification: null,
    };
  }
  const passed = score >= rag.nliThreshold;
  const verification = { nli_score: score, nli_threshold: rag.nliThreshold, nli_passed: passed };
  if (!passed) return { outcome: { ...outcome, reason: 'nli_verification_failed' }, verification };
  const { checks } = outcome;
  if (checks?.method !== 'lexical') return { outcome, verification };
  return { outcome: { ...outcome, checks: { ...checks, method: 'lexical+entailment' } }, verification };
}

/** The parts of a prompt. */
interface PromptParts extends Pick<Question, 'submitted' | 'session'> {
  readonly evidence: readonly Evidence[];
  /** Null before it is known: the requested context size is used then. */
  readonly model: LanguageModel | null;
  readonly format?: AnswerFormat;
}

function packPrompt(
  { ports, asked }: AskContext,
  { submitted, evidence, session, model, format }: PromptParts,
): { readonly packed: ReturnType<typeof packContext>; readonly delimiter: PromptDelimiter } {
  const history = session?.history ?? [];
  const texts = [...evidence.map(({ text }) => text), ...submitted.items.map(({ text }) => text)];
  const delimiter = drawDelimiter([...texts, ...history.flat().map(({ text }) => text)], ports.randomBytes);
  const packed = packContext({
    form: formOf(asked.template, format),
    submitted: submitted.items,
    chunks: evidence,
    files: submitted.files.map((file) => fileEvidence(file, ports.clock.now())),
    history,
    budget: budgetOf(ports, model).promptTokens,
    delimiter,
  });
  return { packed, delimiter };
}

function budgetOf({ config }: AskPorts, model: LanguageModel | null): ContextBudget {
  return contextBudget(model?.contextTokens ?? config.models.llm.contextTokens, config.rag);
}

/** Each skipped stage once. */
function distinct(stages: readonly Degraded[]): readonly Degraded[] {
  return [...new Map(stages.map((stage) => [JSON.stringify(stage), stage])).values()];
}

function refusal(
  reason: RefusalReason,
  near: readonly Evidence[] = [],
  { failure = null, written = '' }: { readonly failure?: string | null; readonly written?: string | undefined } = {},
): Outcome {
  return { kind: 'refusal', reason, near, failure, written };
}
