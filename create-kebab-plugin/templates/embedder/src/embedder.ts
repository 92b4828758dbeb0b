import { throwIfCancelled, type Embedder } from '@kebab/plugin';

/** The settings of a user. */
export interface Settings {
  readonly dimensions: number;
}

/** Creates the embedder: words and their prefixes, hashed into the dimensions of a vector. It needs no model and no network. */
export function createEmbedder({ dimensions }: Settings): Embedder {
  return {
    id: '{{id}}',
    version: '1',
    modelId: '{{id}}',
    modelVersion: 'v1',
    dimensions,
    maxInputTokens: 1_000_000,
    languages: null,
    relevance: { floor: 0.1, ceil: 0.8 },
    fingerprint: () => `${dimensions}`,
    embed: async (inputs, { signal } = {}) => {
      throwIfCancelled(signal, 'embed');
      return inputs.map(({ text }) => vectorOf(text, dimensions));
    },
  };
}

/** A unit vector, or null for a text without words. */
function vectorOf(text: string, dimensions: number): Float32Array | null {
  const sums = new Float64Array(dimensions);
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu))
    for (const [feature, weight] of [
      [word, 1],
      [`${word.slice(0, 4)}…`, 0.5],
    ] as const) {
      const hash = hashOf(feature);
      const at = (hash >>> 1) % dimensions;
      sums[at] = (sums[at] ?? 0) + (hash % 2 === 0 ? weight : -weight);
    }
  const length = Math.hypot(...sums);
  return length === 0 ? null : Float32Array.from(sums, (sum) => sum / length);
}

/** FNV-1a over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
