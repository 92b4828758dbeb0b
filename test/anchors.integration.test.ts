import { parseChunkId, type App } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDE } from '../plugins/html/test/guide.ts';
import { NOTEBOOK } from '../plugins/ipynb/test/notebook.ts';
import { UserHome } from './user-home.ts';

const ROWS = ['Port,Depth', 'Busan,12', 'Rotterdam,24', 'Hamburg,15'];

describe('documents whose places are neither lines nor pages', () => {
  const home = new UserHome();
  let app: App;
  let report: Awaited<ReturnType<App['ingest']>>;

  beforeAll(async () => {
    home.put({ 'guide.html': GUIDE, 'tides.ipynb': NOTEBOOK, 'ports.csv': ROWS.join('\n') });
    app = await home.open();
    report = await app.ingest({ summaryOnly: true });
  });
  afterAll(() => home.remove());

  const hitFor = async (text: string) => {
    const [hit] = (await app.search({ text, mode: 'lexical', k: 1 })).hits;
    if (hit === undefined) throw new Error(`nothing is found for ${text}`);
    return hit;
  };

  it('are read by built-in plugins', () => {
    expect(report).toMatchObject({ new: 3, errors: 0 });
  });

  it.each([
    ['tug fee', 'guide.html#section=fees-dues', 'section "fees-dues"'],
    ['Rotterdam', 'ports.csv#row=1-4', 'row 1–4'],
    ['spring tides', 'tides.ipynb#cell=4', 'cell 4'],
    ['tides.plot', 'tides.ipynb#cell=1-3', 'cell 1–3'],
  ])('are cited by place: %s is at %s', async (query, uri, label) => {
    const { citation, chunk_id: chunkId } = await hitFor(query);
    expect(citation).toMatchObject({ kind: 'anchor', uri, label });
    const fetched = await app.fetch({ kind: 'uri', uri });
    expect(fetched).toMatchObject({ kind: 'anchor', citation: { uri, content_hash: citation.content_hash } });
    const inspected = await app.inspectChunk(parseChunkId(chunkId));
    expect(fetched.kind === 'anchor' && fetched.text).toContain(inspected.text);
    expect(await app.verifyCitation(uri, { hash: citation.content_hash })).toMatchObject({ status: 'exact' });
    expect(await app.locate({ kind: 'uri', uri })).toMatchObject({ line: null, page: null, place: label });
  });

  it('also give the place of each passage', async () => {
    expect(await app.fetch({ kind: 'uri', uri: 'ports.csv#row=3' })).toMatchObject({
      text: 'Port: Rotterdam | Depth: 24',
    });
    await expect(app.fetch({ kind: 'uri', uri: 'ports.csv#row=9' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'ports.csv has no row 9',
    });
  });

  it('cite lines of the extracted text by place, since they are not lines of the file', async () => {
    const read = async (uri: string, start: number, end = start) => {
      const found = await app.fetch({ kind: 'uri', uri, lines: { start, end } });
      if (found.kind !== 'span' || found.citation === null) throw new Error(`${uri} has no such lines`);
      return { ...found, citation: found.citation };
    };
    for (const [uri, start, end] of [
      ['ports.csv', 2, 3],
      ['guide.html', 1, 1],
      ['tides.ipynb', 1, 3],
    ] as const) {
      const { text, citation } = await read(uri, start, end);
      expect(citation.kind).toBe('anchor');
      const place = await app.fetch({ kind: 'uri', uri: citation.uri });
      expect(place.kind === 'anchor' && place.text).toContain(text);
      expect(await app.verifyCitation(citation.uri, { hash: citation.content_hash })).toMatchObject({
        status: 'exact',
      });
    }
  });

  it('keep track of rows that moved', async () => {
    const before = await app.fetch({ kind: 'uri', uri: 'ports.csv#row=3-4' });
    const hash = before.kind === 'anchor' ? before.citation.content_hash : '';
    home.put({ 'ports.csv': ROWS.toSpliced(1, 0, 'Oslo,9').join('\n') });
    expect(await app.verifyCitation('ports.csv#row=3-4')).toMatchObject({ status: 'gone', freshness: 'changed' });
    await app.ingest({ summaryOnly: true });
    expect(await app.verifyCitation('ports.csv#row=3-4', { hash })).toMatchObject({
      status: 'moved',
      found_uri: 'ports.csv#row=4-5',
    });
  });
});
