import type { LanguageModel } from '../../contracts/language-model.ts';
import type { HistoryItem } from '../../domain/turn.ts';
import { isAbort, throwIfCancelled, withDeadline } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { notifyHooks } from '../../plugin/hooks.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import type { Answer, AnswerEvent, Degraded, RefusalReason } from '../../wire/index.ts';
import type { AskStage, AskPorts } from './ask-sources.ts';
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
import { AnswerWriter, type AnswerFacts, type Outcome } from './write-answer.ts';
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

/** The outcome of a question, with everything known so far. */
export interface AskResult extends KnowledgeBase {
  readonly outcome: Outcome;
  readonly facts: AnswerFacts;
  /** The user's message and the items after it; empty when the question was not submitted. */
  readonly items: readonly HistoryItem[];
}

/**
 * Runs the stages of one question: submit, retrieve, gate, pack, generate, check. Each stage returns its results; when the signal fires,
 * the question is refused with the results so far. Errors: those of submitting and searching, and of the model before its first token.
 */
export async function runAsk(context: AskContext, first: AnswerFacts): Promise<AskResult> {
  const { ports, asked, signal } = context;
  let facts = first;
  let items: readonly HistoryItem[] = [];
  let base: KnowledgeBase = { hasDatabase: false, session: null };
  let writer: AnswerWriter | null = null;
  const ended = (outcome: Outcome): AskResult => ({ ...base, outcome, items, facts: { ...facts, ...writer?.usage } });
  try {
    throwIfCancelled(signal, 'ask');
    const submitted = await submit(context);
    items = submitted.items;
    facts = { ...facts, alerts: submitted.alerts };
    packPrompt(context, { submitted, evidence: [], session: null, model: null }); // rejected before anything is searched for
    const opened = await openKnowledgeBase(context);
    base = { hasDatabase: opened.hasDatabase, session: opened.session };
    facts = { ...facts, turn: opened.turn };
    if (!opened.hasDocuments) return ended(refusal('no_index'));

    const { historyExpandChars } = ports.config.rag;
    const retrieved = await retrieve(context, expandedQuery(submitted.text, base.session, historyExpandChars));
    facts = { ...facts, ...retrieved.facts };
    const found = retrieved.evidence;
    if (submitted.files.length === 0) {
      if (found.length === 0) return ended(refusal('no_chunks'));
      if (facts.topScore < facts.scoreGate) return ended(refusal('score_gate', found));
    }

    const model = await chooseModel(ports, asked);
    facts = { ...facts, model: model.model };
    writer = new AnswerWriter({ model, asked, budget: budgetOf(ports, model) }, signal === undefined ? {} : { signal });
    const question = { submitted, session: base.session, model, writer };
    const collected = asked.multiHop ? await collect(context, found, question) : null;
    if (collected !== null)
      facts = { ...facts, hops: collected.hops, degraded: merged(facts.degraded, collected.degraded) };
    const evidence = collected === null ? found : collected.evidence;
    if (evidence === null) return ended(notTakenApart(found, model, collected?.failed));

    const written = await write(context, evidence, question);
    const { passages, chunksUsed } = written;
    if (written.outcome.kind === 'answer') facts = { ...facts, alerts: [...facts.alerts, ...written.outcome.alerts] };
    facts = { ...facts, degraded: merged(facts.degraded, written.degraded) };
    const hops = facts.hops === null ? null : [...facts.hops, synthesisHop(facts.hops.length, written.ms)];
    facts = { ...facts, passages, chunksUsed, hops };
    if (!asked.multiHop) return ended(written.outcome);
    const { outcome, verification } = await verify(context, written.outcome, passages);
    facts = { ...facts, verification };
    return ended(outcome);
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

/** The knowledge base that a question is asked of. */
interface KnowledgeBase {
  readonly hasDatabase: boolean;
  /** Null for a single question, and without a database. */
  readonly session: OpenSession | null;
}

async function openKnowledgeBase({
  ports,
  asked,
}: AskContext): Promise<KnowledgeBase & Pick<AnswerFacts, 'turn'> & { readonly hasDocuments: boolean }> {
  const store = await openStore(ports.documents);
  if (store === null) return { hasDatabase: false, hasDocuments: false, session: null, turn: null };
  const session = asked.session === null ? null : openSession(await ports.sessions.write(), asked.session);
  const turn = session === null ? null : { sessionId: session.sessionId, index: session.nextIndex };
  return { hasDatabase: true, hasDocuments: (await store.documentCount()) > 0, session, turn };
}

/** The facts from retrieval. */
type RetrievalFacts = Pick<
  AnswerFacts,
  'mode' | 'embedding' | 'scoreGate' | 'topScore' | 'relevance' | 'chunksReturned' | 'trace' | 'degraded'
>;

/** Searches for a question; one that consists only of files is not searched for, and adds no facts. */
async function retrieve(
  context: AskContext,
  query: string,
): Promise<{ readonly evidence: readonly Evidence[]; readonly facts: RetrievalFacts | null }> {
  if (query === '') return { evidence: [], facts: null };
  const { ports, asked, extensions, emit } = context;
  const { response, evidence, together, embedder } = await lookUp(context, query, asked.explain);
  const { provider } = ports.config.models.embedding;
  const facts = {
    mode: response.mode,
    embedding: embedder === null ? null : { id: embedder.modelId, provider, dimensions: embedder.dimensions },
    scoreGate: scoreGate(ports.config.rag, response.mode),
    topScore: Math.round((together?.relevance ?? 0) * 1e6) / 1e6,
    relevance: together?.evidence ?? null,
    chunksReturned: evidence.length,
    trace: response.trace ?? null,
    degraded: merged([], response.degraded),
  };
  emit({ kind: 'retrieval_done', hits: response.hits });
  const { trace: _trace, ...told } = response;
  notifyHooks(extensions.hooks, 'onRetrieved', { value: told, log: ports.log });
  return { evidence, facts };
}

async function lookUp(
  { ports, asked: { mode, k, filters }, stage, signal }: AskContext,
  query: string,
  explain: boolean,
): ReturnType<typeof retrieveEvidence> {
  stage({ kind: 'searching' });
  const options = signal === undefined ? {} : { signal };
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

/** Collects evidence in several hops, and reports the skipped stages of their searches. */
async function collect(
  context: AskContext,
  first: readonly Evidence[],
  { submitted, model, writer }: Question,
): Promise<Awaited<ReturnType<typeof collectEvidence>> & { readonly degraded: readonly Degraded[] }> {
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

function notTakenApart(
  found: readonly Evidence[],
  model: LanguageModel,
  failed: Awaited<ReturnType<typeof collectEvidence>>['failed'] | undefined,
): Outcome {
  return refusal('multi_hop_decompose_failed', found, {
    failure: failed?.failure ?? `${model.model.id} named no searches`,
    written: failed?.text,
  });
}

/** The model's output for a prompt, and the prompt's passages. */
interface Written extends Pick<AnswerFacts, 'passages' | 'chunksUsed' | 'degraded'> {
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
): Promise<{ readonly outcome: Outcome; readonly verification: Answer['verification'] | null }> {
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
    score = await withDeadline(() => verifyEntailment(checker, pairs, signal === undefined ? {} : { signal }), {
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

/** Merges lists of skipped stages, each stage once. */
function merged(known: readonly Degraded[], more: readonly Degraded[]): readonly Degraded[] {
  return [...new Map([...known, ...more].map((entry) => [JSON.stringify(entry), entry])).values()];
}

function refusal(
  reason: RefusalReason,
  near: readonly Evidence[] = [],
  { failure = null, written = '' }: { readonly failure?: string | null; readonly written?: string | undefined } = {},
): Outcome {
  return { kind: 'refusal', reason, near, failure, written };
}
