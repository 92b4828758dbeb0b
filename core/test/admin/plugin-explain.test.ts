import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainPlugin } from '../../src/admin/plugin-explain.ts';
import type { MediaType } from '../../src/domain/media.ts';
import { lineChunker, plainExtractor } from '../ingest/plain-extractor.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const open = openForTests();
const reader = { ...plainExtractor(), match: {}, supports: ({ kind }: MediaType) => kind === 'pdf' };

async function openWithReader(): Promise<KnowledgeBase> {
  const kb = await open({
    contributions: { extractor: { plain: reader }, chunker: { 'md-heading-v1': lineChunker('md-heading-v1') } },
  });
  kb.cwd = kb.root;
  return kb;
}

describe('explainPlugin', () => {
  it('examines the first bytes of a file whose name says nothing, relative to the working directory', async () => {
    const kb = await openWithReader();
    kb.putFile('paper', '%PDF-1.7 and more');
    const explained = await explainPlugin(kb.ports, 'paper');
    expect(explained).toMatchObject({ path: 'paper', media: 'pdf', extractor: { id: 'plain' } });
  });

  it('goes by the name when that is conclusive, whatever the bytes are', async () => {
    const kb = await openWithReader();
    kb.putFile('paper.md', '%PDF-1.7 and more');
    expect(await explainPlugin(kb.ports, 'paper.md')).toMatchObject({ media: 'markdown', extractor: null });
  });

  it('goes by the name alone for what is not a file', async () => {
    const kb = await openWithReader();
    mkdirSync(join(kb.root, 'folder'));
    for (const name of ['absent', 'folder'])
      expect(await explainPlugin(kb.ports, name)).toMatchObject({ media: 'other', extractor: null });
  });

  it.each([
    ['folder', 'it is a folder: name a file in it'],
    ['absent', 'no active extractor reads files without an extension whose first bytes identify no format'],
    ['absent.xyz', 'no active extractor reads files that end in ".xyz"'],
  ])('chooses nothing for %s, and gives the reason', async (name, reason) => {
    const kb = await openWithReader();
    mkdirSync(join(kb.root, 'folder'));
    expect((await explainPlugin(kb.ports, name)).reason).toBe(reason);
  });
});
