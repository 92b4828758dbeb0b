// Measures what `ask` adds to the same search, warm, with a model that answers immediately; and how long a token takes from the server to
// the caller. Prints both beside the search of the same run.
//   node --import ./scripts/run-ts.mjs bench/ask.ts [FOLDER] [QUESTIONS]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtins } from '@kebab/builtins';
import { openApp } from '@kebab/core/app';
import { startFakeOllama } from '@kebab/ollama-kit/testing';

const folder = path.resolve(process.argv[2] ?? 'docs');
const count = Number(process.argv[3] ?? 30);
const REPLY = 'It is written there [#1].';
let sentAt = 0;

const server = await startFakeOllama({
  models: { 'bench-model:latest': { contextTokens: 32_768, capabilities: ['completion'] } },
  reply: () => {
    sentAt = performance.now();
    return REPLY;
  },
  partDelayMs: 0,
});
const home = mkdtempSync(path.join(tmpdir(), 'kebab-bench-ask-'));
const env = {
  KEBAB_WORKSPACE_ROOT: folder,
  KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
  KEBAB_MODELS_LLM_MODEL: 'bench-model',
  KEBAB_MODELS_LLM_ENDPOINT: server.url,
};
const app = await openApp({ builtins, environment: { cwd: home, homeDir: home, tmpDir: tmpdir(), env } });
try {
  await app.ingest({ summaryOnly: true });
  const { docs } = await app.listDocs({}, { limit: count });
  const questions = docs.map(({ title }) => title).filter((title) => title.trim() !== '');
  const [search, ask, firstToken]: number[][] = [[], [], []];
  for (const round of [0, 1, 2])
    for (const question of questions) {
      const started = performance.now();
      await app.search({ text: `${question} `.repeat(1 + round), k: 8, mode: 'lexical' });
      const searched = performance.now();
      let seenAt = 0;
      const answer = await app.ask(
        { question: `${question} `.repeat(1 + round), k: 8, mode: 'lexical' },
        {
          onEvent: ({ kind }) => {
            if (kind === 'token' && seenAt === 0) seenAt = performance.now();
          },
        },
      );
      if (answer.usage.completion_tokens === 0 || round === 0) continue; // refused at the gate, or not yet warm
      search?.push(searched - started);
      ask?.push(performance.now() - searched);
      firstToken?.push(seenAt - sentAt);
    }
  const added = (ask ?? []).map((ms, i) => ms - (search?.[i] ?? 0));
  console.log(`${ask?.length} answers over ${docs.length} documents of ${folder}; median / 95 % in ms`);
  console.log(`search                          ${told(search)}`);
  console.log(`ask, the model's time included  ${told(ask)}`);
  console.log(`added by ask (asked for: 30)    ${told(added)}`);
  console.log(`token, server to caller (20)    ${told(firstToken)}`);
} finally {
  await app.close();
  await server.close();
  rmSync(home, { recursive: true, force: true });
}

function told(values: readonly number[] = []): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(1);
  return `${at(0.5)} / ${at(0.95)}`;
}
