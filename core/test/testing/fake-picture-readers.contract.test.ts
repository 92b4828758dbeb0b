import { describe, it } from 'vitest';
import { captionerSuite } from '../../src/testing/captioner-suite.ts';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { FakeCaptioner, FakeOcrEngine } from '../../src/testing/fake-picture-readers.ts';
import { ocrEngineSuite } from '../../src/testing/ocr-engine-suite.ts';

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
