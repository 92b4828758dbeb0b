import { captionerSuite, declareSuite } from '@kebab/testing';
import { startFakeOllama, type FakeChatBody } from '@kebab/ollama-kit/testing';
import { describe, it } from 'vitest';
import { OllamaCaptioner } from '../src/ollama-pictures.ts';
import { modelAt } from './open-on-fake.ts';
import { TINY_PNG } from './tiny-png.ts';

/** Answers in the language that the prompt names. */
const reply = ({ messages = [] }: FakeChatBody): string =>
  /Korean/.test(messages.at(-1)?.content ?? '') ? '회색 점이 하나\n있습니다. ' : 'There is one\ngrey dot. ';

const suite = captionerSuite({
  open: async () => {
    const fake = await startFakeOllama({ reply });
    return {
      captioner: new OllamaCaptioner(modelAt(fake.url, { model: 'eyes' }), fake.url),
      close: () => fake.close(),
    };
  },
  png: TINY_PNG,
});

declareSuite(suite, { describe, it });
