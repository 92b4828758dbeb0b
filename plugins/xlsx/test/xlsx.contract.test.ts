import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createXlsxExtractor } from '../src/xlsx-extractor.ts';
import { workbook } from './workbook.ts';

declareSuite(
  extractorSuite({
    make: createXlsxExtractor,
    text: 'derived',
    fixtures: [{ path: 'a.xlsx', content: workbook() }],
  }),
  { describe, it },
);
