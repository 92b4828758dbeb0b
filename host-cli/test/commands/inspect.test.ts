import type { App } from '@kebab/core/app';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import { chunk, chunkId, docId, docInspection, fetchedDoc, time } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

describe('kebab inspect', () => {
  it('accepts shortened ids', async () => {
    const app: Partial<App> = {
      resolveId: async (kind, text) => `${kind}:${text}`,
      inspectDoc: async (id) => ({ ...docInspection, chunk_ids: [id] }),
      inspectChunk: async (id) => ({ ...chunk, chunk_id: id }),
    };
    const doc = await runCommand(['inspect', 'doc', '8547fe', '--json'], { app });
    expect(doc.stdout.json).toMatchObject([{ chunk_ids: ['document:8547fe'] }]);
    const one = await runCommand(['inspect', 'chunk', '9b4a8c', '--json'], { app });
    expect(one.stdout.json).toMatchObject([{ chunk_id: 'chunk:9b4a8c' }]);
  });
});

describe('kebab inspect doc --pages', () => {
  const words = ['A page of text', '한글 페이지', ''];
  let app: Partial<App>;
  beforeAll(() => {
    const text = words.join('\n\n');
    const [one = '', two = ''] = words;
    const second = one.length + 2;
    const end = second + two.length;
    const doc = {
      ...docInspection,
      provenance: { events: [{ at: time, agent: 'tesseract@1', kind: 'ocr_applied', note: 'pages 2–3' }] },
      pages: [
        { page: 1, start: 0, end: one.length },
        { page: 2, start: second, end },
        { page: 3, start: end + 2, end: end + 2 },
      ],
    } as const;
    app = {
      resolveId: async () => docId,
      inspectDoc: async () => doc,
      fetch: async () => ({ ...fetchedDoc, kind: 'doc', truncated: false, text, total_lines: 5 }),
    };
  });

  it('lists pages with their size, whether OCR read them, and their first words', async () => {
    const { stdout } = await runCommand(['inspect', 'doc', docId, '--pages'], { app });
    await expect(stdout.text).toMatchFileSnapshot('golden/inspect-doc-pages.txt');
  });

  it('does not change the output of --json', async () => {
    const { stdout } = await runCommand(['inspect', 'doc', docId, '--pages', '--json'], { app });
    expect(parseWire('doc_inspection', stdout.json[0]).pages).toHaveLength(3);
  });

  it('reports that a document has no pages', async () => {
    const plain = { ...app, inspectDoc: async () => ({ ...docInspection, pages: [] }) };
    const { stdout } = await runCommand(['inspect', 'doc', docId, '--pages'], { app: plain });
    expect(stdout.text).toContain('no pages: it is markdown');
  });

  it('is not a flag of inspect chunk', async () => {
    const { code } = await runCommand(['inspect', 'chunk', chunkId, '--pages'], { app });
    expect(code).toBe(2);
  });
});
