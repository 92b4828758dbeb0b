import { existsSync, readFileSync } from 'node:fs';
import { PackUnderTest } from '@kebab/code-kit/testing';
import { assertChunks, DEFAULT_POLICY } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const CORPUS = new URL('../../../../shared/data/cosqa-dev/corpus.jsonl', import.meta.url);
const FUNCTIONS = 400;
const PER_FILE = 20;

describe('real Python', () => {
  it.skipIf(!existsSync(CORPUS))('finds each function of a corpus of code (skipped without ../shared)', async () => {
    const functions = readFileSync(CORPUS, 'utf8')
      .split('\n', FUNCTIONS)
      .map((line) => (JSON.parse(line) as { readonly text: string }).text.trimEnd())
      .filter((text) => /^def \w+/.test(text));
    expect(functions.length).toBeGreaterThan(FUNCTIONS / 2);
    const python = new PackUnderTest(plugin, 'python');
    const missing: string[] = [];
    for (let at = 0; at < functions.length; at += PER_FILE) {
      const file = functions.slice(at, at + PER_FILE);
      const { document, chunks } = await python.read('corpus.py', `${file.join('\n\n\n')}\n`);
      assertChunks(document, chunks, { policy: DEFAULT_POLICY, overlap: 'none' });
      const found = new Set(chunks.map(({ symbol }) => symbol?.replace(/ \[part.*/, '')));
      const names = file.map((text) => /^def (\w+)/.exec(text)?.[1] ?? '');
      missing.push(...names.filter((name) => !found.has(`corpus.${name}`)));
    }
    expect(missing).toEqual([]);
  });
});
