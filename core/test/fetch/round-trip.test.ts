import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChunkId } from '../../src/domain/ids.ts';
import type { SearchHit } from '../../src/wire/index.ts';
import { itemAt } from '../kb/item-at.ts';
import { KnowledgeBase } from '../kb/knowledge-base.ts';

const words = fc.constantFrom(
  'salt',
  'wasser',
  '한국은',
  '日本語',
  '😀',
  'cafe\u0301',
  'naïve',
  'x_y',
  '👩‍👩‍👧',
  'ﬁn',
  '\u200F',
  'ᄒ\u1161\u11ab',
);
const line = fc.array(words, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' '));
const markdown = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: line },
      { weight: 1, arbitrary: line.map((text) => `# ${text}`) },
      { weight: 1, arbitrary: line.map((text) => `  - ${text}  `) },
      { weight: 2, arbitrary: fc.constantFrom('', ' ', '```', '\t') },
    ),
    { minLength: 1, maxLength: 25 },
  )
  .map((lines) => ['salt', ...lines].join('\n'));
const newlines = fc.constantFrom('\n', '\r\n', '\r');

/** The lines of a file, as any other program reads them. */
const linesOf = (bytes: Buffer): readonly string[] => bytes.toString('utf8').replaceAll(/\r\n?/g, '\n').split('\n');

const lineRange = ({ citation }: Pick<SearchHit, 'citation'>): { readonly start: number; readonly end: number } => {
  if (citation.kind !== 'line') throw new Error(`it is a ${citation.kind}`);
  return citation;
};

describe('a hit', () => {
  it('leads back to exactly its lines', async () => {
    await fc.assert(
      fc.asyncProperty(markdown, newlines, fc.boolean(), async (text, newline, final) => {
        const kb = await KnowledgeBase.open();
        try {
          const bytes = Buffer.from(text.replaceAll('\n', newline) + (final ? newline : ''));
          await kb.add('notes/a.md', bytes);
          const { hits } = await kb.search.search({ text: 'salt 한국 wasser café', k: 100 });
          expect(hits.length).toBeGreaterThan(0);
          for (const hit of hits) await checkHit(kb, hit, linesOf(readFileSync(join(kb.root, 'notes/a.md'))));
          await checkEdits(kb, itemAt(hits, 0), bytes);
        } finally {
          kb.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});

async function checkHit(kb: KnowledgeBase, hit: SearchHit, lines: readonly string[]): Promise<void> {
  const { citation } = hit;
  const { start, end } = lineRange(hit);
  const chunk = await kb.fetch({ kind: 'chunk', chunkId: hit.chunk_id as ChunkId });
  const cited = await kb.fetch({ kind: 'uri', uri: citation.uri });
  if (chunk.kind !== 'chunk' || cited.kind !== 'span') throw new Error('they are of other kinds');
  expect(cited.text).toBe(lines.slice(start - 1, end).join('\n'));
  expect(cited.text).toContain(chunk.chunk.text);
  // A hit may be several passages that touch, of which the chunk is one.
  const [first, last] = [lineRange({ citation: chunk.chunk.citation }), lineRange(hit)];
  expect(first.start >= last.start && first.end <= last.end).toBe(true);
  expect(cited.citation?.content_hash).toBe(citation.content_hash);
  expect(await kb.verify(citation.uri, { hash: citation.content_hash })).toMatchObject({ status: 'exact' });
}

/** A line inserted above moves the text by one; one changed character makes it gone. */
async function checkEdits(kb: KnowledgeBase, hit: SearchHit, bytes: Buffer): Promise<void> {
  const { uri, content_hash: hash } = hit.citation;
  const { start, end } = lineRange(hit);
  kb.putFile('notes/a.md', Buffer.concat([Buffer.from('!! a line of its own !!\n'), bytes]));
  const moved = await kb.verify(uri, { hash });
  const place = start === end ? `L${start + 1}` : `L${start + 1}-L${end + 1}`;
  expect(moved).toMatchObject({ status: 'moved', found_uri: `notes/a.md#${place}`, freshness: 'changed' });
  const text = linesOf(bytes)
    .map((content) => `${content}?`)
    .join('\n');
  kb.putFile('notes/a.md', text);
  expect(await kb.verify(uri, { hash })).toMatchObject({ status: 'gone', found_uri: null });
}
