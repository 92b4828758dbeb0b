import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { embedderSuite } from '../../src/testing/embedder-suite.ts';
import { HashEmbedder, FakeReranker, FakeCaptioner, FakeOcrEngine } from '../../src/testing/fake-models.ts';
import { languageModelSuite } from '../../src/testing/language-model-suite.ts';
import { captionerSuite, ocrEngineSuite } from '../../src/testing/ocr-engine-suite.ts';
import { rerankerSuite } from '../../src/testing/passage-suites.ts';
import { openScripted } from './open-scripted.ts';

const arranges = ['unreachable', 'missing', 'impatient', 'breaking', 'endless', 'repeats'] as const;

declareSuite(languageModelSuite({ open: () => openScripted(), arranges }), { describe, it });

declareSuite(embedderSuite({ name: 'hash', create: () => new HashEmbedder() }), { describe, it });

declareSuite(rerankerSuite({ open: async () => ({ reranker: new FakeReranker() }) }), { describe, it });

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const size = { png, height: 20, languages: ['eng'] };

declareSuite(
  ocrEngineSuite({
    make: () => new FakeOcrEngine({ read: ({ width }) => (width === 1 ? [] : ['one line', 'and another']) }),
    fixtures: [
      { name: 'a page', ...size, width: 30, words: ['one', 'line', 'another'] },
      { name: 'a blank', ...size, width: 1, words: [] },
    ],
  }),
  { describe, it },
);

declareSuite(captionerSuite({ open: async () => ({ captioner: new FakeCaptioner() }), png }), { describe, it });
