import { readFileSync } from 'node:fs';
import { startFakeOllama, type FakeOllama } from '@kebab/ollama-kit/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../host-mcp/test/fakes/call.ts';
import type { Connection } from '../host-mcp/test/fakes/connection.ts';
import { ingest, newHome, type TestHome } from '../host-mcp/test/fakes/test-home.ts';
import { ALL_TOOLS } from '../host-mcp/src/kebab-surface.ts';

const PAGE = readFileSync(new URL('../docs/mcp.md', import.meta.url), 'utf8');
/** Tool, arguments and answer of each block. */
const CALLS = [...PAGE.matchAll(/^```text\n(\w+) (\{.*\})\n([\s\S]*?)\n```$/gm)].map(
  ([, tool = '', args = '', answer = '']) => [tool, args, answer] as const,
);

let model: FakeOllama;
let home: TestHome;
let server: Connection;
beforeAll(async () => {
  model = await startFakeOllama({
    models: { 'qwen3:8b': { contextTokens: 32_768, capabilities: ['completion'] } },
    reply: () => 'Green tea is steeped at eighty degrees [1].',
  });
  const env = {
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
    KEBAB_MODELS_LLM_PROVIDER: 'ollama',
    KEBAB_MODELS_LLM_MODEL: 'qwen3:8b',
    KEBAB_MODELS_LLM_ENDPOINT: model.url,
  };
  home = newHome({ env });
  await ingest(home);
  server = home.connection();
});
afterAll(async () => {
  await home.close();
  await model.close();
});

/** The answer of the page, where `…` stands for anything. */
function patternOf(answer: string): RegExp {
  const parts = answer.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(String.raw`[\s\S]*`)}$`);
}

describe('the calls that docs/mcp.md shows', () => {
  it('are of every tool', () => {
    expect(new Set(CALLS.map(([tool]) => tool))).toEqual(new Set(ALL_TOOLS.map(({ name }) => name)));
  });

  it.each(CALLS)('%s %s answers as it is shown', async (tool, args, answer) => {
    const { content, isError } = await call(server, tool, JSON.parse(args) as Readonly<Record<string, unknown>>);
    expect([content[0]?.text, isError]).toEqual([expect.stringMatching(patternOf(answer)), undefined]);
  });
});
