import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addSource, listSources } from '../../src/admin/sources.ts';
import type { KnownDocument } from '../../src/contracts/document-store.ts';
import { KnowledgeBase } from '../kb/knowledge-base.ts';
import { changed } from '../changed.ts';

/** More than the maximum number of arguments of one call. */
const COUNT = 1_000_000;

describe('listSources', () => {
  it('counts a source of very many documents, and reports when the last one was found unchanged', async () => {
    const kb = await KnowledgeBase.open();
    const earlier = { indexedAt: new Date(1) } as KnownDocument;
    const known = new Map(Array.from({ length: COUNT }, (_, i) => [`${i}.md`, earlier]));
    known.set('0.md', { ...earlier, indexedAt: new Date(2) });
    const store = changed(kb.store, { knownDocuments: async (id) => (id === 'default' ? known : new Map()) });
    const documents = { ...kb.ports.documents, read: async () => store };
    const { sources } = await listSources({ documents, config: kb.config });
    expect(sources).toMatchObject([{ id: 'default', documents: COUNT, last_ingest_at: new Date(2).toISOString() }]);
    kb.close();
  });

  it('reports a root that is not a folder, or cannot be read, as missing', async () => {
    const kb = await KnowledgeBase.open();
    rmSync(kb.root, { recursive: true, force: true });
    writeFileSync(kb.root, 'a file');
    const { sources } = await listSources({ documents: kb.ports.documents, config: kb.config });
    expect(sources).toMatchObject([{ id: 'default', state: 'missing' }]);
    kb.close();
  });
});

describe('addSource', () => {
  it('names the commands for a file', async () => {
    const kb = await KnowledgeBase.open();
    kb.putFile("it's.md", '# one');
    const adding = addSource({ path: `${kb.root}/it's.md` }, {
      cwd: '/',
      homeDir: '/',
      resolution: kb.resolution,
      indexed: new Map(),
      connectors: ['fs'],
    } as never);
    await expect(adding).rejects.toMatchObject({
      code: 'io_error',
      hint: expect.stringContaining(String.raw`it'\''s.md'`) as string,
    });
    kb.close();
  });
});
