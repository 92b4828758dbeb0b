import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createXlsxExtractor } from '../src/xlsx-extractor.ts';
import { workbook } from './workbook.ts';

declareSuite(
  extractorSuite({
    make: createXlsxExtractor,
    text: 'derived',
    fixtures: [{ path: 'a.xlsx', content: workbook() }],
    // No such file is an archive, and a large one is opened by the kit: the suite of EPUB shows both.
    hostile: [],
    hasLargeFiles: false,
  }),
  { describe, it },
);
