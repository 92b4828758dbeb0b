import type { LanguageModel } from '../../contracts/language-model.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { HistoryItem } from '../../domain/turn.ts';
import type { AnswerChecks, AnswerEvent, Degraded, RefusalReason, SearchResponse } from '../../wire/index.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import { firstLineOf } from '../generate/generate-text.ts';
import { MarkerStream } from '../generate/marker-stream.ts';
import { collectEvidence, synthesisHop } from '../multi-hop/collect-evidence.ts';
import { verifyEntailment } from '../multi-hop/verify-entailment.ts';
import { contextBudget, type ContextBudget, packContext } from '../prompt/pack-context.ts';
import { drawFence, type Fence, rulesOf } from '../prompt/templates.ts';
import { type Evidence, fileEvidence } from '../retrieval/evidence.ts';
import { retrieveEvidence } from '../retrieval/retrieve-evidence.ts';
import type { JudgedPassage } from '../../relevance/judge-passages.ts';
import { scoreGate } from '../retrieval/score-gate.ts';
import { expandedQuery, openSession, type OpenSession } from '../sessions/open-session.ts';
import type { Extensions } from '../submit/submit-prompt.ts';
import { postValidate } from '../verify/post-validate.ts';
import type { AskStage } from '../ask-options.ts';
import { chooseModel } from './choose-model.ts';
import type { AnswerFacts, Outcome } from './write-answer.ts';
import { AnswerWriter } from './answer-writer.ts';
import { tellHooks } from '../../plugin/hooks.ts';
import { type AskPorts, openStore } from './ask-sources.ts';
import { submitQuestion, type SubmittedQuestion } from './submit-question.ts';
import { withDeadline } from '../../errors/with-deadline.ts';

/** What one question is answered with. */
export interface AskRunInit {
  readonly sources: AskPorts;
  readonly asked: CheckedAsk;
  readonly extensions: Extensions;
  readonly facts: AnswerFacts;
  /** Receives what happens before the end. */
  readonly emit: (event: EventContent) => void;
  /** Receives what the question waits for. */
  readonly stage: (stage: AskStage) => void;
  readonly signal: AbortSignal | undefined;
}

/** An event before it is stamped. */
export type EventContent =
  | Pick<Extract<AnswerEvent, { kind: 'retrieval_done' }>, 'kind' | 'hits'>
  | Pick<Extract<AnswerEvent, { kind: 'token' }>, 'kind' | 'delta'>;

/** The way of one question: submit, retrieve, gate, pack, generate, check. What it learns on the way is kept in `facts`. */
export class AskRun {
  readonly #init: AskRunInit;
  #facts: AnswerFacts;
  #items: readonly HistoryItem[] = [];
  #session: OpenSession | null = null;
  #hasDatabase = false;

  constructor(init: AskRunInit) {
    this.#init = init;
    this.#facts = init.facts;
  }

  get facts(): AnswerFacts {
    return this.#facts;
  }

  /** The user's message and the items behind it; empty until the question is submitted. */
  get items(): readonly HistoryItem[] {
    return this.#items;
  }

  /** Null for a single question, and without a database. */
  get session(): OpenSession | null {
    return this.#session;
  }

  get hasDatabase(): boolean {
    return this.#hasDatabase;
  }

  /** Goes the whole way, or as far as it leads. Errors: those of submitting and searching, and of the model before its first token. */
  async outcome(): Promise<Outcome> {
    const { sources, asked, extensions, signal } = this.#init;
    const { log } = sources;
    const context = { signal: signal ?? new AbortController().signal, log, progress: () => {} };
    throwIfCancelled(signal, 'ask');
    const submitted = await withDeadline(() => submitQuestion(sources, asked, { ...extensions, context }), {
      signal,
      operation: 'ask',
    });
    this.#items = submitted.items;
    this.#learn({ alerts: submitted.alerts });
    this.#pack(submitted, [], this.#budget(null)); // what cannot fit anyway is refused before anything is looked up
    if (!(await this.#openKnowledgeBase())) return refusal('no_index');
    const found = await this.#retrieve(
      expandedQuery(submitted.text, this.#session, sources.config.rag.historyExpandChars),
    );
    if (submitted.files.length === 0) {
      if (found.length === 0) return refusal('no_chunks');
      if (this.#facts.topScore < this.#facts.scoreGate) return refusal('score_gate', found);
    }
    return this.#answer(submitted, found);
  }

  async #answer(submitted: SubmittedQuestion, found: readonly Evidence[]): Promise<Outcome> {
    const { sources, asked, signal } = this.#init;
    const model = await chooseModel(sources, asked);
    this.#learn({ model: model.model });
    const budget = this.#budget(model);
    const writer = new AnswerWriter({ model, asked, budget }, signal === undefined ? {} : { signal });
    try {
      if (!asked.multiHop) return await this.#synthesize(submitted, found, { writer, budget });
      const { evidence, failed } = await this.#collect(submitted, found, { writer, budget });
      if (evidence === null)
        return refusal('multi_hop_decompose_failed', found, {
          failure: failed?.failure ?? `${model.model.id} named no searches`,
          written: failed?.text,
        });
      return await this.#verify(await this.#synthesize(submitted, evidence, { writer, budget }));
    } finally {
      this.#learn(writer.usage);
    }
  }

  /** Whether there are documents to look in. */
  async #openKnowledgeBase(): Promise<boolean> {
    const { documents, sessions } = this.#init.sources;
    const { session } = this.#init.asked;
    const store = await openStore(documents);
    if (store === null) return false;
    this.#hasDatabase = true;
    if (session !== null) {
      this.#session = openSession(await sessions.write(), session);
      this.#learn({ turn: { sessionId: session, index: this.#session.nextIndex } });
    }
    return (await store.documentCount()) > 0;
  }

  async #retrieve(query: string): Promise<readonly Evidence[]> {
    if (query === '') return [];
    const { response, evidence, together, embedding } = await this.#lookUp(query, this.#init.asked.explain);
    const { sources, extensions, emit } = this.#init;
    this.#learn({
      mode: response.mode,
      embedding,
      scoreGate: scoreGate(sources.config.rag, response.mode),
      topScore: Math.round((together?.relevance ?? 0) * 1e6) / 1e6,
      relevance: together?.evidence ?? null,
      chunksReturned: evidence.length,
      trace: response.trace ?? null,
    });
    emit({ kind: 'retrieval_done', hits: response.hits });
    const { trace: _trace, ...told } = response;
    tellHooks(extensions.hooks, 'onRetrieved', { value: told, log: sources.log });
    return evidence;
  }

  async #lookUp(
    query: string,
    explain: boolean,
  ): Promise<{
    response: SearchResponse;
    evidence: readonly Evidence[];
    together: JudgedPassage | null;
    embedding: AnswerFacts['embedding'];
  }> {
    const { sources, asked, signal, stage } = this.#init;
    const { mode, k, filters } = asked;
    stage({ kind: 'searching' });
    const work = retrieveEvidence(
      sources,
      { query, mode, k, filters, explain },
      signal === undefined ? {} : { signal },
    );
    const { response, evidence, together, embedder } = await withDeadline(() => work, { signal, operation: 'ask' });
    this.#degrade(response.degraded);
    const { provider } = sources.config.models.embedding;
    const embedding = embedder === null ? null : { id: embedder.modelId, provider, dimensions: embedder.dimensions };
    return { response, evidence, together, embedding };
  }

  async #collect(
    submitted: SubmittedQuestion,
    first: readonly Evidence[],
    { writer, budget }: { readonly writer: AnswerWriter; readonly budget: ContextBudget },
  ): Promise<Pick<Awaited<ReturnType<typeof collectEvidence>>, 'evidence' | 'failed'>> {
    const { rag } = this.#init.sources.config;
    const { evidence, hops, failed } = await collectEvidence({
      question: submitted.text === '' ? this.#init.asked.question : submitted.text,
      first,
      limits: {
        maxDepth: rag.multiHopMaxDepth,
        maxSubQueries: rag.multiHopMaxSubQueries,
        maxPoolChunks: rag.multiHopMaxPoolChunks,
      },
      budget: budget.promptTokens,
      drawFence: (texts) => this.#drawFence(texts),
      ask: (messages) => {
        this.#init.stage({ kind: 'waiting', model: this.#facts.model.id, reading: [] });
        return writer.list(messages);
      },
      retrieve: async (query) => {
        try {
          return (await this.#lookUp(query, false)).evidence;
        } catch (error) {
          if (isKebabError(error, 'invalid_input')) return []; // a model wrote the query: it may not be one
          throw error;
        }
      },
    });
    this.#learn({ hops });
    return { evidence, failed };
  }

  async #synthesize(
    submitted: SubmittedQuestion,
    evidence: readonly Evidence[],
    { writer, budget }: { readonly writer: AnswerWriter; readonly budget: ContextBudget },
  ): Promise<Outcome> {
    const { emit, stage } = this.#init;
    const { packed, fence } = this.#pack(submitted, evidence, budget);
    const { passages } = packed;
    this.#learn({ passages, chunksUsed: packed.chunksUsed });
    const stream = new MarkerStream(passages.length);
    const show = (delta: string): void => {
      if (delta !== '') emit({ kind: 'token', delta });
    };
    const { hops, model } = this.#facts;
    stage({
      kind: 'waiting',
      model: model.id,
      reading: [...new Set(passages.map(({ citation }) => citation.path))],
    });
    const { text, interrupted, failure, ms } = await writer.write(packed.messages, {
      fence,
      onToken: (token) => show(stream.push(token)),
    });
    show(stream.end());
    if (hops !== null) this.#learn({ hops: [...hops, synthesisHop(hops.length, ms)] });
    const validated = postValidate(text, passages, this.#init.asked.question);
    const aborted = interrupted === null ? null : 'llm_stream_aborted';
    if (validated.kind === 'answer') {
      const checks = aborted === null ? validated.checks : withoutOpenEnd(validated);
      return { ...validated, checks, reason: aborted ?? validated.reason, failure };
    }
    return refusal(aborted ?? 'llm_self_judge', passages, { failure, written: validated.written });
  }

  /** Holds a multi-hop answer against its passages, if that is configured; without a working checker it is not grounded. */
  async #verify(outcome: Outcome): Promise<Outcome> {
    const { sources, signal } = this.#init;
    const { rag, models } = sources.config;
    if (outcome.kind !== 'answer' || outcome.reason === 'llm_stream_aborted' || rag.nliThreshold <= 0) return outcome;
    const { passages } = this.#facts;
    let score: number;
    try {
      const checker = await sources.groundednessCheckers.get(models.nli.provider);
      const pairs = { claims: outcome.statements, passages: passages.map(({ text }) => text) };
      score = await withDeadline(() => verifyEntailment(checker, pairs, signal === undefined ? {} : { signal }), {
        signal,
        operation: 'ask',
      });
    } catch (error) {
      throwIfCancelled(signal, 'ask');
      sources.log.error('the answer cannot be verified', { provider: models.nli.provider, cause: String(error) });
      return { ...outcome, reason: 'nli_model_unavailable', failure: firstLineOf(error) };
    }
    const passed = score >= rag.nliThreshold;
    this.#learn({ verification: { nli_score: score, nli_threshold: rag.nliThreshold, nli_passed: passed } });
    if (!passed) return { ...outcome, reason: 'nli_verification_failed' };
    return { ...outcome, checks: { ...outcome.checks, method: 'lexical+entailment' } };
  }

  #pack(
    submitted: SubmittedQuestion,
    evidence: readonly Evidence[],
    budget: ContextBudget,
  ): { readonly packed: ReturnType<typeof packContext>; readonly fence: Fence } {
    const { sources, asked } = this.#init;
    const history = this.#session?.history ?? [];
    const texts = [...evidence.map(({ text }) => text), ...submitted.items.map(({ text }) => text)];
    const fence = this.#drawFence([...texts, ...history.flat().map(({ text }) => text)]);
    const packed = packContext({
      rules: rulesOf(asked.template),
      submitted: submitted.items,
      chunks: evidence,
      files: submitted.files.map((file) => fileEvidence(file, sources.clock.now())),
      history,
      budget: budget.promptTokens,
      fence,
    });
    return { packed, fence };
  }

  /** Before the model is known, the context that is asked of it counts. */
  #budget(model: LanguageModel | null): ContextBudget {
    const { models, rag } = this.#init.sources.config;
    return contextBudget(model?.contextTokens ?? models.llm.contextTokens, rag);
  }

  #drawFence(texts: readonly string[]): Fence {
    return drawFence(texts, this.#init.sources.randomBytes);
  }

  #degrade(entries: readonly Degraded[]): void {
    const known = new Set(this.#facts.degraded.map((entry) => JSON.stringify(entry)));
    const added = entries.filter((entry) => !known.has(JSON.stringify(entry)));
    if (added.length > 0) this.#learn({ degraded: [...this.#facts.degraded, ...added] });
  }

  #learn(facts: Partial<AnswerFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
  }
}

/** The checks of a text that broke off: its last sentence had no time to cite anything. */
function withoutOpenEnd({ text, checks }: Pick<Extract<Outcome, { kind: 'answer' }>, 'text' | 'checks'>): AnswerChecks {
  const isOpen = ({ kind, cited, end }: AnswerChecks['findings'][number]): boolean =>
    kind === 'citation' && cited.length === 0 && end >= text.length;
  return { ...checks, findings: checks.findings.filter((finding) => !isOpen(finding)) };
}

function refusal(
  reason: RefusalReason,
  near: readonly Evidence[] = [],
  { failure = null, written = '' }: { readonly failure?: string | null; readonly written?: string | undefined } = {},
): Outcome {
  return { kind: 'refusal', reason, near, failure, written };
}
