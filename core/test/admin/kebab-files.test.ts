import { describe, expect, it } from 'vitest';
import { KEBAB_FILES } from '../../src/admin/kebab-files.ts';

const id = 'cec9353553efb238a7919d38d3e148f1';

describe('KEBAB_FILES', () => {
  it.each([
    ['vectors', 'chunk_embeddings_multilingual-e5-small_384_0123456789ab/segments.bin'],
    ['assets', `ce/${id}`],
    ['artifacts', `${id}/ocr.json`],
    ['runs', 'run_018f3c/report.md'],
    ['runs', 'run_018f3c/per_query.jsonl'],
    ['models', 'Xenova/multilingual-e5-small/onnx/model_quantized.onnx'],
    ['models', 'multilingual-e5-small/tokenizer.json'],
    ['logs', 'kebab-2026-01-31.jsonl'],
    ['cache', 'code/main.bin'],
  ] as const)('knows its own: %s/%s', (kind, name) => {
    expect(KEBAB_FILES[kind].files.test(name)).toBe(true);
  });

  it.each([
    ['vectors', 'notes.md'],
    ['vectors', 'backup/segments.bin'],
    ['assets', id],
    ['assets', 'ce/holiday.jpg'],
    ['artifacts', `${id}/thesis.pdf`],
    ['runs', 'run_1/thoughts.txt'],
    ['models', 'config.json'],
    ['models', 'my/notes.md'],
    ['logs', 'other.log'],
    ['cache', 'keep.txt'],
  ] as const)('knows what is not: %s/%s', (kind, name) => {
    expect(KEBAB_FILES[kind].files.test(name)).toBe(false);
  });
});
