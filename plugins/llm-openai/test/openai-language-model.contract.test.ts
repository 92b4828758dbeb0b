import { ENDLESS, declareSuite, languageModelSuite, suiteReply, type OpenLanguageModel } from '@kebab/testing';
import { describe, it } from 'vitest';
import { OpenaiLanguageModel } from '../src/openai-language-model.ts';
import { startFakeOpenai, type ChatBody } from './fake-openai.ts';

const modelAt = (endpoint: string, model = 'tiny', timeoutMs = 0): OpenaiLanguageModel =>
  new OpenaiLanguageModel({ endpoint, model, contextTokens: 8192, timeoutMs, apiKey: '' });

const reply = ({ messages, response_format: format }: ChatBody): string =>
  suiteReply(String(messages.at(-1)?.content), { isStructured: format !== undefined });

async function open(): Promise<OpenLanguageModel> {
  const server = await startFakeOpenai({ reply });
  const troubled = await startFakeOpenai({ reply, fault: 'cut' });
  const hanging = await startFakeOpenai({ fault: 'hang' });
  const endless = await startFakeOpenai({ reply: () => ENDLESS });
  const gone = await startFakeOpenai();
  await gone.close();
  return {
    model: modelAt(server.url),
    unreachable: () => modelAt(gone.url),
    missing: () => modelAt(server.url, 'no-such-model'),
    impatient: () => modelAt(hanging.url, 'tiny', 30),
    breaking: () => modelAt(troubled.url),
    endless: () => ({ model: modelAt(endless.url), stopped: () => endless.idle() }),
    close: async () => {
      await Promise.all([server, troubled, hanging, endless].map((each) => each.close()));
    },
  };
}

const arranges = ['unreachable', 'missing', 'impatient', 'breaking', 'endless', 'repeats'] as const;

declareSuite(languageModelSuite({ open, arranges }), { describe, it });
