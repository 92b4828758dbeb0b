import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createCsvExtractor } from '../src/csv-extractor.ts';

declareSuite(
  extractorSuite({
    make: createCsvExtractor,
    text: 'derived',
    fixtures: [
      { path: 'ports.csv', content: 'Port,Depth\r\nBusan,12\r\n"Rotter,dam","2\n4"\r\n' },
      { path: 'ports.tsv', content: 'Port\tDepth\nBusan\t12\n' },
      { path: 'empty.csv', content: '' },
    ],
  }),
  { describe, it },
);
