import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App, SearchHit } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseChunkId, parseDocumentId } from '@kebab/core/app';
import { readJudgedSet } from '../bench/lib/judged-set.ts';
import { UserHome } from './user-home.ts';

const data = fileURLToPath(new URL('../../shared/data', import.meta.url));
const SETS = ['cranfield', 'ko-autorag', 'cosqa-dev'];
const present = SETS.every((set) => existsSync(path.join(data, set)));
/** `KEBAB_TEST_ROUND_TRIP=200` asks that many questions of each set, over all its documents. */
const asked = Number(process.env['KEBAB_TEST_ROUND_TRIP'] ?? '0');
const [questions, documents] = asked > 0 ? [asked, Infinity] : [12, 80];

describe.skipIf(!present)(
  `a passage cited by a search on real data${present ? '' : ' (skipped: ../shared/data is not there)'}`,
  { timeout: 600_000 },
  () => {
    const home = new UserHome();
    const root = present ? home.notes : '';
    const queries: string[] = [];
    let app: App;
    let failed: number;

    beforeAll(async () => {
      for (const [number, name] of SETS.entries()) {
        const set = readJudgedSet(path.join(data, name));
        mkdirSync(path.join(root, name), { recursive: true });
        const extension = name === 'cosqa-dev' ? 'py' : 'md';
        for (const [index, { id, title, text }] of set.documents.slice(0, documents).entries()) {
          const content = extension === 'py' || title === '' ? `${text}\n` : `# ${title}\n\n${text}\n`;
          // Every seventh file is written with a byte order mark and CRLF.
          const written = index % 7 === 3 ? `\uFEFF${content.replaceAll(/\r?\n/g, '\r\n')}` : content;
          writeFileSync(path.join(root, name, `${encodeURIComponent(id)}.${extension}`), written);
        }
        const step = Math.max(1, Math.floor(set.queries.length / questions));
        queries.push(
          ...set.queries
            .filter((_, i) => i % step === number % step)
            .slice(0, questions)
            .map(({ text }) => text),
        );
      }
      app = await home.open();
      failed = (await app.ingest({ summaryOnly: true })).errors;
    }, 600_000);

    afterAll(() => home.remove());

    it('equals the fetched slice and the lines of the file, and verifies as exact', async () => {
      const hits = new Map<string, SearchHit>();
      for (const text of queries)
        for (const hit of (await app.search({ text, mode: 'lexical', k: 10 })).hits) hits.set(hit.chunk_id, hit);
      expect(failed).toBe(0);
      expect(hits.size).toBeGreaterThan(queries.length);
      for (const hit of hits.values()) {
        const { uri, content_hash: hash } = hit.citation;
        const [chunk, whole, cited] = [
          await app.fetch({ kind: 'chunk', chunkId: parseChunkId(hit.chunk_id) }),
          await app.fetch({ kind: 'doc', docId: parseDocumentId(hit.doc_id) }),
          await app.fetch({ kind: 'uri', uri }),
        ];
        if (chunk.kind !== 'chunk' || whole.kind !== 'doc' || cited.kind !== 'span')
          throw new Error(`no span at ${uri}`);
        const { text, text_start: start, text_end: end } = chunk.chunk;
        expect({ uri, text }).toEqual({ uri, text: whole.text.slice(start, end) });
        expect({ uri, holds: cited.text.includes(text.replace(/\n$/, '')) }).toEqual({ uri, holds: true });
        expect({ uri, text: cited.text }).toEqual({ uri, text: linesOfFile(hit, cited.line_start, cited.line_end) });
        expect(await app.verifyCitation(uri, { hash })).toMatchObject({ uri, status: 'exact', content_hash: hash });
      }
    });

    /** The lines of the file without its byte order mark and carriage returns. */
    function linesOfFile({ doc_path }: SearchHit, first: number, last: number): string {
      const content = readFileSync(path.join(root, doc_path), 'utf8')
        .replace(/^\uFEFF/, '')
        .replaceAll('\r', '');
      return content
        .split('\n')
        .slice(first - 1, last)
        .join('\n');
    }
  },
);
