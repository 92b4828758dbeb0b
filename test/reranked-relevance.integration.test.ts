import { describe, expect, it, onTestFinished } from 'vitest';
import { builtins } from '@kebab/builtins';
import { definePlugin, type Reranker } from '@kebab/core';
import type { App, BuiltinPlugin } from '@kebab/core/app';
import { REFUSING_MODEL, refusingModel } from '../bench/lib/refusing-model.ts';
import { UserHome } from './user-home.ts';

/** A reranker that gives every passage the scripted score of the question. */
class ScriptedReranker implements Reranker {
  readonly id = 'scripted';
  readonly version = '1';
  readonly #scores: Readonly<Record<string, number>>;

  constructor(scores: Readonly<Record<string, number>>) {
    this.#scores = scores;
  }

  fingerprint(): string {
    return 'scripted@1';
  }

  async rerank(query: string, items: Parameters<Reranker['rerank']>[1]): ReturnType<Reranker['rerank']> {
    return items.map(({ chunkId }) => ({ chunkId, score: this.#scores[query] ?? 0.5 }));
  }
}

function pluginOf(scores: Readonly<Record<string, number>>): BuiltinPlugin {
  const common = {
    name: 'scripted-reranker',
    version: '1.0.0',
    apiVersion: 1,
    permissions: { fs: 'none', net: [], spawn: [] },
  } as const;
  const plugin = definePlugin({
    ...common,
    kebab: '*',
    contributes: { reranker: { scripted: () => new ScriptedReranker(scores) } },
  });
  return { manifest: { ...common, contributes: { reranker: ['scripted'] } }, load: async () => ({ default: plugin }) };
}

/** Notes on tea with a model that always refuses: only the relevance threshold is tested. */
async function openTea(scores: Readonly<Record<string, number>> | null): Promise<App> {
  const home = new UserHome();
  onTestFinished(() => home.remove());
  home.put({
    'tea.md': '# Tea\n\nGreen tea is steeped at 80 degrees for 3 minutes.\n',
    'garden.md': '# Garden\n\nRoses are pruned in late winter.\n',
  });
  const app = await home.open(
    {
      KEBAB_MODELS_LLM_PROVIDER: REFUSING_MODEL,
      ...(scores === null ? {} : { KEBAB_MODELS_RERANK_PROVIDER: 'scripted' }),
    },
    { builtins: [...builtins, refusingModel, ...(scores === null ? [] : [pluginOf(scores)])] },
  );
  await app.ingest({ summaryOnly: true });
  return app;
}

/** A question that shares most of its words with a passage that does not answer it. */
const NEAR = 'Why is green tea steeped at degrees below boiling?';
/** A question that shares one word with the passage that answers it. */
const IN_OTHER_WORDS = 'How hot should water for green leaves be, and how long do they stay in it?';

describe('the score of a reranker', () => {
  it('contributes to the relevance of an answer: look-alike passages are refused and paraphrases pass', async () => {
    const words = await openTea(null);
    const read = await openTea({ [NEAR]: 0.001, [IN_OTHER_WORDS]: 0.99 });
    const reasons = async (question: string): Promise<readonly unknown[]> => [
      (await words.ask({ question })).refusal_reason,
      (await read.ask({ question })).refusal_reason,
    ];
    expect(await reasons(NEAR)).toEqual(['llm_self_judge', 'score_gate']);
    expect(await reasons(IN_OTHER_WORDS)).toEqual(['score_gate', 'llm_self_judge']);
  });

  it('is listed among the inputs to the relevance of an answer and of a hit', async () => {
    const app = await openTea({ [NEAR]: 0.001 });
    const { retrieval } = await app.ask({ question: NEAR, explain: true });
    expect(retrieval.evidence?.reranked).toBe(0.001);
    const { hits } = await app.search({ text: NEAR }, { explain: true });
    expect(hits[0]?.retrieval.evidence?.reranked).toBe(0.001);
    const plain = await openTea(null);
    expect((await plain.ask({ question: NEAR, explain: true })).retrieval.evidence).not.toHaveProperty('reranked');
  });
});
