import { chunkerSuite, declareSuite, extractDocument, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createCodeTextExtractor } from '../src/text-extractors.ts';
import { createCodeWindowChunker } from '../src/text-chunkers.ts';

const SCRIPT = '#!/bin/sh\nset -e\n\nfor f in *; do\n  echo "$f"\ndone\n\n  exit 0\n';
const LONG = Array.from({ length: 300 }, (_, at) => `line ${at} of a long run${' x'.repeat(at % 7)}`).join('\n');
const WIDE = `short\n${'wide '.repeat(4000)}\n${LONG}\nlast`;

declareSuite(
  extractorSuite({
    make: createCodeTextExtractor,
    fixtures: [
      { path: 'a.sh', content: SCRIPT },
      { path: 'b.rs', content: LONG },
      { path: 'Makefile', content: 'all:\r\n\techo hi\r\n' },
    ],
  }),
  { describe, it },
);

declareSuite(
  chunkerSuite({
    make: createCodeWindowChunker,
    documents: () =>
      Promise.all(
        ['', SCRIPT, LONG, WIDE, `${SCRIPT}\n\n${WIDE}\n\n${SCRIPT}`].map((text, at) =>
          extractDocument(createCodeTextExtractor(), `${at}.sh`, text),
        ),
      ),
    overlap: 'lines',
  }),
  { describe, it },
);
