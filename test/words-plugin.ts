import { definePlugin } from '@kebab/core';
import type { BuiltinPlugin } from '@kebab/core/app';
import type { WordEmbedder } from '../core/test/ingest/embedding/word-embedder.ts';

/** A built-in plugin whose embedder `words` is the current one of a test. */
export function wordsPlugin(current: () => WordEmbedder): BuiltinPlugin {
  const common = {
    name: 'words',
    version: '1.0.0',
    apiVersion: 1,
    permissions: { fs: 'none', net: [], spawn: [] },
  } as const;
  const plugin = definePlugin({ ...common, contributes: { embedder: { words: current } } });
  return { manifest: { ...common, contributes: { embedder: ['words'] } }, load: async () => ({ default: plugin }) };
}
