import { ENDLESS, declareSuite, languageModelSuite, suiteReply, type OpenLanguageModel } from '@kebab/testing';
import { startFakeOllama, type FakeChatBody } from '@kebab/ollama-kit/testing';
import { describe, it } from 'vitest';
import { modelAt } from './open-on-fake.ts';

const reply = ({ messages = [], format }: FakeChatBody): string =>
  suiteReply(messages.at(-1)?.content ?? '', { isStructured: format !== undefined });

async function openOnFake(): Promise<OpenLanguageModel> {
  const server = await startFakeOllama({ reply });
  const troubled = await startFakeOllama({ reply, fault: ({ path }) => (path === '/api/chat' ? 'cut' : null) });
  const hanging = await startFakeOllama({ fault: ({ path }) => (path === '/api/chat' ? 'hang' : null) });
  const endless = await startFakeOllama({ reply: ENDLESS });
  const gone = await startFakeOllama();
  await gone.close();
  return {
    model: modelAt(server.url),
    unreachable: () => modelAt(gone.url),
    missing: () => modelAt(server.url, { model: 'no-such-model' }),
    impatient: () => modelAt(hanging.url, { timeoutMs: 30 }),
    breaking: () => modelAt(troubled.url),
    endless: () => ({ model: modelAt(endless.url), stopped: () => endless.idle() }),
    close: async () => {
      await Promise.all([server, troubled, hanging, endless].map((each) => each.close()));
    },
  };
}

const arranges = ['unreachable', 'missing', 'impatient', 'breaking', 'endless', 'repeats'] as const;

describe('on the double', () => {
  declareSuite(languageModelSuite({ open: openOnFake, arranges }), { describe, it });
});

const realUrl = process.env['KEBAB_TEST_OLLAMA_URL'];
const realModel = process.env['KEBAB_TEST_OLLAMA_MODEL'] ?? 'qwen2.5:0.5b';

describe.skipIf(realUrl === undefined)(
  `on the server of KEBAB_TEST_OLLAMA_URL, with the model of KEBAB_TEST_OLLAMA_MODEL (skipped when no server is named)`,
  () => {
    const url = realUrl ?? '';
    const open = (): OpenLanguageModel => ({
      model: modelAt(url, { model: realModel, contextTokens: 4096 }),
      missing: () => modelAt(url, { model: 'no-such-model-for-tests' }),
      impatient: () => modelAt(url, { model: realModel, timeoutMs: 1 }),
    });
    declareSuite(languageModelSuite({ open, arranges: ['missing', 'impatient'] }), { describe, it });
  },
);
