import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { objectOf, startFakeS3, type FakeS3 } from '../plugins/source-s3/test/fake-s3.ts';
import { UserHome } from './user-home.ts';

const home = new UserHome();
let storage: FakeS3;

const openKebab = () =>
  home.open({
    KEBAB_S3_ENDPOINT: storage.url,
    KEBAB_S3_PATH_STYLE: 'true',
    KEBAB_SEARCH_MIN_RELEVANCE: '0',
  });

describe('a bucket as a source', () => {
  beforeAll(async () => {
    process.env['AWS_ACCESS_KEY_ID'] ??= 'test';
    process.env['AWS_SECRET_ACCESS_KEY'] ??= 'test';
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
    storage = await startFakeS3({
      'handbook/travel.md': '# Travel\n\nBook the cheapest train to Vladivostok.\n',
      'handbook/sub/meals.md': '# Meals\n\nLunch is paid up to twelve euros.\n',
      'handbook/sub/leave.md': '# Leave\n\nThirty days.\n',
      'handbook/sub/sick.md': '# Sick\n\nStay in bed.\n',
      'other/secret.md': 'not part of the source\n',
    });
  });
  afterEach(() => home.close());
  afterAll(async () => {
    await storage.close();
    await home.remove();
  });

  it('is added by its URL, indexed, and brought up to date by etag', async () => {
    const first = await openKebab();
    const added = await first.addSource({ path: 's3://shelf/handbook/' });
    expect(added).toMatchObject({ id: 'handbook', root: 's3://shelf/handbook/' });
    expect(readFileSync(added.file, 'utf8')).toContain('connector = "s3"');
    await home.close();
    const app = await openKebab();
    expect(await app.ingest()).toMatchObject({ new: 4, errors: 0 });
    expect(await app.search({ text: 'Vladivostok' })).toMatchObject({
      hits: [{ doc_path: 'travel.md', source_id: 'handbook', stale: false }],
    });
    const before = storage.requests.filter(
      (request) => request.startsWith('GET') && !request.includes('list-type'),
    ).length;
    expect(await app.ingest()).toMatchObject({ unchanged: 4, new: 0, updated: 0 });
    storage.objects.set('handbook/travel.md', objectOf('# Travel\n\nBook the cheapest train to Ouagadougou.\n'));
    storage.objects.delete('handbook/sub/meals.md');
    expect(await app.ingest()).toMatchObject({ updated: 1, purged: 1 });
    const gets = storage.requests.filter((request) => request.startsWith('GET') && !request.includes('list-type'));
    expect(gets.slice(before).map((request) => request.replace(/\?.*/, ''))).toEqual(['GET /shelf/handbook/travel.md']);
    expect(await app.search({ text: 'Ouagadougou' })).toMatchObject({ hits: [{ doc_path: 'travel.md' }] });
  });

  it('keeps the documents when the bucket cannot be listed, and those whose object cannot be read', async () => {
    storage.objects.set('handbook/travel.md', objectOf('one two three four\n', { refusal: 403 }));
    storage.objects.set('handbook/new.md', objectOf('# New\n\nA quagga is no zebra.\n'));
    const app = await openKebab();
    expect(await app.ingest()).toMatchObject({ new: 1, errors: 1, purged: 0 });
    expect((await app.search({ text: 'Ouagadougou' })).hits).toHaveLength(1);
    await storage.close();
    const failed = await app.ingest().catch((error: unknown) => error);
    expect(JSON.stringify(failed)).toMatch(/shelf|handbook/);
    expect((await app.search({ text: 'quagga' })).hits).toHaveLength(1);
  });

  it('is not added twice', async () => {
    const app = await openKebab();
    await expect(app.addSource({ path: 's3://shelf/handbook' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 's3://shelf/handbook is already the source "handbook"',
    });
  });
});
