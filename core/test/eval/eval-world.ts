import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AskRequest } from '../../src/requests/ask.ts';
import { aggregateRun, compareStoredRuns } from '../../src/eval/compare/compare-runs.ts';
import type { EvalCompareOptions, EvalOptions, EvalRequest } from '../../src/eval/query-result.ts';
import { runSuite, type EvalSources } from '../../src/eval/run/run-suite.ts';
import type { Answer, EvalAggregate, EvalCompare, EvalRun } from '../../src/wire/index.ts';
import type { KnowledgeBase, KnowledgeBaseOptions } from '../kb/knowledge-base.ts';

/** The environment of a test of evaluation. */
export interface EvalWorld {
  readonly kb: KnowledgeBase;
  /** Every request that was asked. */
  readonly asked: AskRequest[];
  /** The use cases, with their ports bound. */
  readonly evaluation: {
    readonly run: (request: EvalRequest, options?: EvalOptions) => Promise<EvalRun>;
    readonly aggregate: (runId: string) => Promise<EvalAggregate>;
    readonly compare: (a: string, b: string, options?: EvalCompareOptions) => Promise<EvalCompare>;
  };
  /** Writes a suite next to the notes, and returns its path. */
  readonly suite: (yaml: string) => string;
}

/** Answers a question; omitted members are those of a grounded answer without citations. */
export type Answering = (request: AskRequest, signal: AbortSignal | undefined) => Promise<Partial<Answer>>;

/** Options of {@link evalWorld}. */
export interface EvalWorldOptions extends KnowledgeBaseOptions {
  readonly answering?: Answering;
  readonly search?: EvalSources['search'];
  /** Replaces ports of the knowledge base. */
  readonly ports?: Partial<EvalSources>;
}

/** A knowledge base without vectors whose answers the test supplies. */
export async function evalWorld(
  open: (options?: KnowledgeBaseOptions) => Promise<KnowledgeBase>,
  { answering, search, ports, env, ...options }: EvalWorldOptions = {},
): Promise<EvalWorld> {
  const kb = await open({ ...options, env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', ...env } });
  const data = join(dirname(kb.root), 'data');
  const config = { ...kb.config, storage: { ...kb.config.storage, runsDir: join(data, 'runs') } };
  const asked: AskRequest[] = [];
  const sources: EvalSources = {
    ...kb.ports,
    ...ports,
    config,
    search: search ?? (async (query, askOptions) => (await kb.search.retrieve(query, askOptions)).response),
    verify: (uri, verifyOptions) => kb.verify(uri, verifyOptions),
    ask: async (request, askOptions) => {
      asked.push(request);
      if (answering === undefined) throw new Error('the test did not expect a question');
      return { ...ANSWER, ...(await answering(request, askOptions.signal)) };
    },
  };
  return {
    kb,
    asked,
    evaluation: {
      run: (request, runOptions) => runSuite(sources, request, runOptions),
      aggregate: (runId) => aggregateRun(sources, runId),
      compare: (a, b, compareOptions) => compareStoredRuns(sources, { a, b }, compareOptions),
    },
    suite: (yaml) => {
      const file = join(dirname(kb.root), 'golden.yaml');
      writeFileSync(file, yaml);
      return file;
    },
  };
}

const ANSWER: Answer = {
  schema_version: 'answer.v1',
  answer: 'It is so [1].',
  citations: [],
  grounded: true,
  refusal_reason: null,
  model: { id: 'made-up', provider: 'fake' },
  embedding: null,
  prompt_template_version: 'rag-v2',
  retrieval: {
    trace_id: 'ret_00000001',
    mode: 'lexical',
    k: 10,
    score_gate: 0.3,
    top_score: 0.9,
    chunks_returned: 1,
    chunks_used: 1,
  },
  usage: { prompt_tokens: 1, completion_tokens: 1, latency_ms: 1 },
  created_at: '2026-01-01T00:00:00.000Z',
  conversation_id: null,
  turn_index: null,
  unsupported: [],
  alerts: [],
  degraded: [],
};
