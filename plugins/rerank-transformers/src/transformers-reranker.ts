import { throwIfCancelled, type AbortOptions, type ChunkId, type Reranker } from '@kebab/core';
import { CrossEncoder, type CrossEncoderConfig, type CrossEncoderTask } from '@kebab/onnx-kit';

/** The plugin's name in errors. */
const PLUGIN = { name: '@kebab/plugin-rerank-transformers', version: '0.1.0' } as const;

const TASK: CrossEncoderTask = {
  role: 'rerank',
  passage: 'second',
  answers: 1,
  operation: 'reranking',
  plugin: PLUGIN,
  kind: 'reranker',
};

/** Scores passages with a model that reads query and passage together. Passages with equal text have equal scores. */
export class TransformersReranker implements Reranker {
  readonly id = 'transformers';
  readonly version = '1.0.0';
  readonly #model: CrossEncoder;

  private constructor(model: CrossEncoder) {
    this.#model = model;
  }

  /**
   * Locates the model; it is loaded on first use. Errors: `model_not_pulled` for a missing or damaged model, `config_invalid` for none, an
   * unknown one, or one for another purpose.
   */
  static async open(config: CrossEncoderConfig): Promise<TransformersReranker> {
    return new TransformersReranker(await CrossEncoder.open(config, TASK));
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${this.#model.fingerprint()}`;
  }

  /** The passages by descending score, equal scores by chunk id. */
  async rerank(
    query: string,
    items: readonly { readonly chunkId: ChunkId; readonly text: string }[],
    options: AbortOptions = {},
  ): Promise<readonly { readonly chunkId: ChunkId; readonly score: number }[]> {
    throwIfCancelled(options.signal, TASK.operation);
    if (items.length === 0) return [];
    // Sorted, so that the texts are grouped into the same batches whatever their order.
    const texts = [...new Set(items.map(({ text }) => text))].toSorted((a, b) => compare(a, b));
    const judged = await this.#model.judge(
      texts.map((passage) => ({ text: query, passage })),
      options,
    );
    const scores = new Map(texts.map((text, n) => [text, scoreOf(judged[n] ?? [])]));
    return items
      .map(({ chunkId, text }) => ({ chunkId, score: scores.get(text) ?? 0 }))
      .toSorted((a, b) => b.score - a.score || compare(a.chunkId, b.chunkId));
  }

  close(): Promise<void> {
    return this.#model.close();
  }
}

/** The score of the best window of the passage; for a split query, the mean over its parts. 0 to 1. */
function scoreOf(parts: readonly (readonly Float32Array[])[]): number {
  const best = parts.map((windows) => Math.max(...windows.map(([logit]) => logit ?? Number.NaN)));
  const mean = best.reduce((sum, logit) => sum + logit, 0) / best.length;
  return 1 / (1 + Math.exp(-mean));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
