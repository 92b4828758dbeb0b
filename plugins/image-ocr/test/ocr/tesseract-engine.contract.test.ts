import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { declareSuite, ocrEngineSuite } from '@kebab/testing';
import sharp from 'sharp';
import { describe, it } from 'vitest';
import { DEFAULT_IMAGE_CONFIG } from '../../src/image-config.ts';
import { TesseractEngine } from '../../src/ocr/tesseract-engine.ts';

const columns = readFileSync(new URL('../fixtures/two-columns.png', import.meta.url));
const blank = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();
const words = ['harbour opens', 'tide', 'wall until then', 'Nobody swims', 'Visitors leave', 'seven crowns', 'Sunday'];

declareSuite(
  ocrEngineSuite({
    make: () => new TesseractEngine(DEFAULT_IMAGE_CONFIG, tmpdir()),
    fixtures: [
      { name: 'a page in two columns', png: columns, width: 1000, height: 420, languages: ['eng'], words },
      { name: 'a blank page', png: blank, width: 300, height: 200, languages: ['eng', 'kor'], words: [] },
    ],
  }),
  { describe, it },
);
