import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { isKebabError, KebabError, type VectorPayload, type VectorRecord } from '@kebab/core';
import { sampleIds, sampleRecords, startLoopbackServer, type LoopbackServer } from '@kebab/testing';
import { afterEach, describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';
import type { QdrantConfig } from '../src/qdrant-config.ts';
import { QdrantConnection } from '../src/qdrant-connection.ts';
import { QdrantVectorStore } from '../src/qdrant-vector-store.ts';
import type { Point } from './fake-collection.ts';
import { startFakeQdrant, type FakeOptions, type FakeQdrant, type Fault } from './fake-qdrant.ts';

const NAME = 'chunk_embeddings_e5_384_0123456789ab';
const KB = 'abcdef0123456789abcdef0123456789';
const SCOPE = 'kebab_abcdef012345';
const REAL_NAME = `${SCOPE}_${NAME}`;
const OPENSSL = 'openssl';
const AT_ONCE = { attempts: 4, firstDelayMs: 1, maxDelayMs: 5 };

let server: FakeQdrant | undefined;
afterEach(() => server?.close());

async function start(options: FakeOptions = {}): Promise<FakeQdrant> {
  server = await startFakeQdrant(options);
  return server;
}

function configFor(url: string, more: Partial<QdrantConfig> = {}): QdrantConfig {
  return { url, apiKey: '', collectionPrefix: 'kebab', onDisk: false, quantization: 'none', timeoutMs: 5000, ...more };
}

async function open(url: string, more: Partial<QdrantConfig> = {}, id = KB): Promise<QdrantVectorStore> {
  const config = configFor(url, more);
  return new QdrantVectorStore(await QdrantConnection.open(config, AT_ONCE), config, async () => id);
}

async function filled(url: string, records: readonly VectorRecord[]): Promise<QdrantVectorStore> {
  const store = await open(url);
  await store.ensureCollection(NAME, 4);
  await store.upsert(NAME, records);
  return store;
}

async function failure(work: () => Promise<unknown>): Promise<KebabError<'vector_store_unreachable'>> {
  try {
    await work();
  } catch (error) {
    if (isKebabError(error, 'vector_store_unreachable')) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

const ask = (store: QdrantVectorStore) =>
  store.search(NAME, { vector: Float32Array.of(1, 2, 3, 4), limit: 3, allow: { kind: 'all' } });

describe('opening', () => {
  it('names the address without a server, and how to start one', async () => {
    const { url, close } = await start();
    await close();
    const { details, hint, message } = await failure(() => open(url));
    expect(details).toEqual({ store: 'qdrant', endpoint: url, cause: expect.stringContaining('ECONNREFUSED') });
    expect(message).toContain(url);
    expect(hint).toContain('docker compose up -d');
  });

  it('rejects a server that is too old', async () => {
    const { url } = await start({ version: '1.9.2' });
    const { details, hint } = await failure(() => open(url));
    expect(details.cause).toContain('1.9.2');
    expect(hint).toContain('newer');
  });

  it.each(['1.10.0', '1.18.0', '2.0.0'])('accepts version %s', async (version) => {
    const { url } = await start({ version });
    expect(await (await open(url)).count(NAME)).toBeNull();
  });

  it.each(['<html>Welcome to nginx</html>', '{"hello":"world"}', '[]', 'null'])(
    'rejects a server that responds with %s',
    async (text) => {
      const { url } = await start({ fault: () => ({ text }) });
      expect((await failure(() => open(url))).details.cause).toContain('not Qdrant');
    },
  );

  it('sends its API key, and reports that it was rejected', async () => {
    const { url } = await start({ apiKey: 'right' });
    expect(await (await open(url, { apiKey: 'right' })).count(NAME)).toBeNull();
    const { details, hint } = await failure(() => open(url, { apiKey: 'wrong' }));
    expect(details.cause).toContain('401');
    expect(hint).toContain('api_key');
    await failure(() => open(url));
  });

  it('is what the plugin contributes', async () => {
    const { url } = await start();
    const store = await plugin.contributes.vector_store?.['qdrant']?.({
      config: configFor(url),
      knowledgeBase: async () => KB,
    } as never);
    expect(store?.id).toBe('qdrant');
    expect(store?.fingerprint?.()).toContain('qdrant@');
  });
});

describe('two knowledge bases on one server', () => {
  const OTHER = 'f'.repeat(32);

  it('have separate collections and aliases, and neither lists, writes or drops those of the other', async () => {
    const { url, collections, aliases } = await start();
    const first = await filled(url, sampleRecords(3, 4));
    await first.activate(NAME);
    const second = await open(url, {}, OTHER);
    expect([await second.listCollections(), await second.count(NAME)]).toEqual([[], null]);
    await second.ensureCollection(NAME, 4);
    await second.upsert(NAME, sampleRecords(1, 4));
    await second.activate(NAME);
    expect([await first.count(NAME), await second.count(NAME)]).toEqual([3, 1]);
    expect([...aliases]).toEqual([
      ['kebab_abcdef012345_current', REAL_NAME],
      ['kebab_ffffffffffff_current', `kebab_ffffffffffff_${NAME}`],
    ]);
    for (const name of await second.listCollections()) await second.dropCollection(name);
    expect([...collections.keys()]).toEqual([REAL_NAME]);
    expect(await first.count(NAME)).toBe(3);
  });

  it('do not touch a collection without an id, as created by an earlier version', async () => {
    const { url, collections } = await start();
    await filled(url, sampleRecords(2, 4));
    const old = collections.get(REAL_NAME);
    if (old === undefined) throw new Error('nothing was made');
    collections.set(`kebab_${NAME}`, old);
    const store = await open(url);
    expect(await store.listCollections()).toEqual([NAME]);
    await store.dropCollection(NAME);
    expect([...collections.keys()]).toEqual([`kebab_${NAME}`]);
  });

  it('own nothing on the server before they have a database', async () => {
    const { url } = await start();
    await filled(url, sampleRecords(2, 4));
    const config = configFor(url);
    const missing = new KebabError('not_indexed', 'no database', { details: { expected: 'a', found: 'none' } });
    const store = new QdrantVectorStore(await QdrantConnection.open(config, AT_ONCE), config, () =>
      Promise.reject(missing),
    );
    expect(await store.listCollections()).toEqual([]);
    await expect(store.ensureCollection(NAME, 4)).rejects.toBe(missing);
  });
});

describe('over TLS', () => {
  const hasOpenssl = (() => {
    try {
      execFileSync(OPENSSL, ['version']);
      return true;
    } catch {
      return false;
    }
  })();

  it.skipIf(!hasOpenssl)('does not trust a self-signed certificate (skipped without openssl)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-tls-'));
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-days', '2', '-subj', '/CN=127.0.0.1'];
    execFileSync(OPENSSL, ['req', '-x509', '-nodes', '-keyout', key, '-out', cert, ...options], { stdio: 'ignore' });
    const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    const { url, log } = await start({ tls, apiKey: 'secret' });
    expect((await failure(() => open(url, { apiKey: 'secret' }))).details.cause).toMatch(/certificate/);
    expect(log).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

describe('a busy or broken server', () => {
  /** Fails the given requests after the opening, in order. */
  async function failing(...faults: readonly Fault[]) {
    let isOpen = false;
    const left = [...faults];
    const { url, log } = await start({ fault: () => (isOpen ? left.shift() : undefined) });
    const store = await filled(url, sampleRecords(5, 4));
    isOpen = true;
    const before = log.length;
    return { store, requests: () => log.length - before };
  }

  it.each([[503], [500, 502, 504], [429, 429], [{ status: 429, retryAfter: '0.004' } as const]])(
    'retries a request that a busy Qdrant server answered with %j',
    async (...faults) => {
      const { store, requests } = await failing(...(faults as readonly Fault[]));
      expect(await ask(store)).toHaveLength(3);
      expect(requests()).toBe(faults.length + 1);
    },
  );

  it('gives up on a request after four failures of a Qdrant server', async () => {
    const { store, requests } = await failing(503, 503, 503, 503);
    const { details, hint } = await failure(() => ask(store));
    expect(details.cause).toContain('503');
    expect(hint).toContain('log');
    expect(requests()).toBe(4);
  });

  it('is not waited for if it requests a delay of a year', async () => {
    const { store, requests } = await failing({ status: 429, retryAfter: '31536000' });
    await failure(() => ask(store));
    expect(requests()).toBe(1);
  });

  it.each([400, 403, 404, 413, 422])(
    'does not retry a request that a Qdrant server rejected with %i',
    async (status) => {
      const { store, requests } = await failing(status);
      await failure(() => ask(store));
      expect(requests()).toBe(1);
    },
  );

  it('that finds a request too large is reported with the settings that allow it', async () => {
    const { store } = await failing(413);
    expect((await failure(() => ask(store))).hint).toContain('service.max_request_size_mb');
  });

  describe.each([413, 400, 422])('that answers a write of points with %i', (status) => {
    const pointsIn = (body: unknown): number => (body as { readonly points?: readonly unknown[] }).points?.length ?? 0;
    const isWrite = (method: string, route: string): boolean => method === 'PUT' && route.endsWith('/points');

    it('is sent half as many until it takes them', async () => {
      const { url } = await start({
        fault: (method, route, body) => (isWrite(method, route) && pointsIn(body) > 3 ? status : undefined),
      });
      const store = await open(url);
      await store.ensureCollection(NAME, 4);
      await store.upsert(NAME, sampleRecords(11, 4));
      expect(await store.count(NAME)).toBe(11);
    });

    it('is reported for a single point, with a remedy that keeps the vectors', async () => {
      const { url } = await start({ fault: (method, route) => (isWrite(method, route) ? status : undefined) });
      const store = await open(url);
      await store.ensureCollection(NAME, 4);
      const { details, hint } = await failure(() => store.upsert(NAME, sampleRecords(4, 4)));
      expect(details.cause).toMatch(new RegExp(`refuses a single vector: .*${status}`));
      expect(hint).toContain('kebab ingest');
      expect(hint).not.toContain('reset');
    });
  });

  it('does not retry a request whose response broke off', async () => {
    const { store, requests } = await failing('cut');
    await failure(() => ask(store));
    expect(requests()).toBe(1);
  });

  it('has a time limit for a response', async () => {
    let isOpen = false;
    const { url } = await start({ fault: () => (isOpen ? 'hang' : undefined) });
    const store = await open(url, { timeoutMs: 1000 });
    isOpen = true;
    expect((await failure(() => store.count(NAME))).details.cause).toContain('1000 ms');
  });

  it('is abandoned immediately when the signal fires, during a request and between attempts', async () => {
    for (const fault of ['hang', 503] as const) {
      let isOpen = false;
      const { url, close } = await startFakeQdrant({ fault: () => (isOpen ? fault : undefined) });
      const config = configFor(url);
      const slow = { attempts: 4, firstDelayMs: 60_000, maxDelayMs: 60_000 };
      const store = new QdrantVectorStore(await QdrantConnection.open(config, slow), config, async () => KB);
      isOpen = true;
      const abort = new AbortController();
      const counting = store.count(NAME, { signal: abort.signal });
      setTimeout(() => abort.abort(), 50);
      await expect(counting).rejects.toMatchObject({ code: 'cancelled' });
      await close();
    }
  });

  it('may come back, and its data is found again', async () => {
    const { url, port, close } = await start();
    const store = await filled(url, sampleRecords(5, 4));
    await close();
    await failure(() => ask(store));
    await failure(() => store.upsert(NAME, sampleRecords(5, 4)));
    const { collections } = await start({ port });
    await failure(() => ask(store));
    await store.ensureCollection(NAME, 4);
    await store.upsert(NAME, sampleRecords(5, 4));
    expect(await ask(store)).toHaveLength(3);
    expect([...collections.keys()]).toEqual([REAL_NAME]);
  });
});

describe('collections', () => {
  it('are created according to the configuration', async () => {
    const { url, collections } = await start();
    const more = { onDisk: true, quantization: 'int8', shardNumber: 6, replicationFactor: 3 } as const;
    const store = await open(url, more);
    await store.ensureCollection(NAME, 384);
    expect(collections.get(REAL_NAME)?.config).toEqual({
      vectors: { dense: { size: 384, distance: 'Cosine', on_disk: true } },
      on_disk_payload: true,
      quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
      shard_number: 6,
      replication_factor: 3,
      write_consistency_factor: 1,
    });
  });

  it('search quantised vectors with rescoring, on any available replica', async () => {
    const { url, bodies, log } = await start();
    const store = await open(url, { quantization: 'int8', replicationFactor: 3 });
    await store.ensureCollection(NAME, 4);
    await store.upsert(NAME, sampleRecords(5, 4));
    await ask(store);
    expect(log.at(-1)).toBe(`POST /collections/${REAL_NAME}/points/query`);
    expect(bodies.at(-1).params).toEqual({ hnsw_ef: 256, quantization: { rescore: true, oversampling: 2 } });
  });

  it('have an index for every filter before they have a point', async () => {
    const { url, collections, log } = await start();
    await filled(url, sampleRecords(1, 4));
    const schema = collections.get(REAL_NAME)?.schema ?? {};
    expect(Object.fromEntries(Object.entries(schema).map(([field, { data_type: type }]) => [field, type]))).toEqual({
      embedding_id: 'keyword',
      doc_id: 'keyword',
      tag: 'keyword',
      lang: 'keyword',
      trust: 'keyword',
      media: 'keyword',
      committed_at: 'integer',
      repo: 'keyword',
      code_lang: 'keyword',
      source: 'keyword',
      source_type: 'keyword',
    });
    expect(Object.values(schema).every(({ points }) => points === 0)).toBe(true);
    expect(log.filter((line) => line.includes('/index')).every((line) => line.endsWith('?wait=true'))).toBe(true);
  });

  it('with different dimensions are reported by their name on the server', async () => {
    const { url } = await start();
    const store = await filled(url, sampleRecords(1, 4));
    const { details, hint } = await failure(() => store.ensureCollection(NAME, 5));
    expect(details.cause).toContain(`"${REAL_NAME}" has 4 dimensions, the embedder 5`);
    expect(hint).toContain('collection_prefix');
  });

  it('created by another process at the same moment are used', async () => {
    let isFirst = true;
    const { url } = await start({
      fault: (method, at) =>
        method === 'GET' && at.endsWith(REAL_NAME) && isFirst ? ((isFirst = false), 404) : undefined,
    });
    await filled(url, sampleRecords(1, 4)); // the first request is answered with 404, so that it is created
    isFirst = true;
    const store = await open(url);
    await store.ensureCollection(NAME, 4); // the same, but now creating it is answered with 409
    expect(await store.count(NAME)).toBe(1);
  });

  it('can be swapped behind an alias', async () => {
    const { url, aliases } = await start();
    const store = await open(url);
    for (const name of ['green', 'blue', 'blue']) {
      await store.ensureCollection(name, 4);
      await store.activate(name);
      expect([...aliases]).toEqual([[`${SCOPE}_current`, `${SCOPE}_${name}`]]);
    }
    await failure(() => store.activate('red'));
    expect([...aliases]).toEqual([[`${SCOPE}_current`, `${SCOPE}_blue`]]);
  });
});

describe('points', () => {
  it('are named after their chunks, and written in batches that wait for completion', async () => {
    const { url, collections, log, bodies } = await start();
    const records = sampleRecords(600, 4);
    const store = await filled(url, records);
    const ids = [...(collections.get(REAL_NAME)?.points.keys() ?? [])].map((id) => id.replaceAll('-', ''));
    expect(ids.toSorted()).toEqual(records.map(({ chunkId }) => String(chunkId)).toSorted());
    const writes = log.flatMap((line, at) => (line.includes('/points?') ? [bodies[at].points.length as number] : []));
    expect(writes).toEqual([256, 256, 88]);
    await store.delete(NAME, [sampleIds(3).embeddingId]);
    const changes = log.filter((line) => /^(PUT|POST) .*points(\/delete)?\?/.test(line));
    expect(changes).toHaveLength(4);
    expect(changes.every((line) => line.endsWith('?wait=true'))).toBe(true);
  });

  const payload = (n: number): VectorPayload => ({
    tags: n % 2 === 0 ? ['even', 'number'] : ['odd'],
    lang: n < 10 ? 'ko' : 'en',
    trustLevel: n % 3 === 0 ? 'primary' : 'generated',
    media: 'code',
    committedAt: new Date(n * 1000),
    repo: n === 7 ? 'kebab' : null,
    codeLang: 'rust',
    sourceId: 'default',
    sourceType: 'code',
    workspacePath: `src/${n}.rs`,
  });

  it('contain the data for filters, and return it', async () => {
    const { url } = await start();
    const records = sampleRecords(20, 4).map((record, n) => ({ ...record, payload: payload(n) }));
    const store = await filled(url, records);
    const back = new Map<string, VectorPayload | undefined>();
    for await (const record of store.records(NAME)) back.set(record.chunkId, record.payload);
    for (const record of records) expect(back.get(record.chunkId)).toEqual(record.payload);
  });

  it('are filtered by the server if payload conditions can express the filters', async () => {
    const { url } = await start();
    const records = sampleRecords(30, 4).map((record, n) => ({ ...record, payload: payload(n) }));
    const store = await filled(url, records);
    const find = async (where: object): Promise<readonly number[]> => {
      const allow = { kind: 'documents', docIds: new Set(records.map(({ docId }) => docId)), where } as const;
      const hits = await store.search(NAME, { vector: Float32Array.of(1, 2, 3, 4), limit: 100, allow });
      return hits
        .map(({ chunkId }) => records.findIndex((record) => record.chunkId === chunkId))
        .toSorted((a, b) => a - b);
    };
    expect(await find({ repo: ['kebab'] })).toEqual([7]);
    expect(await find({ lang: ['ko'], tag: ['odd'] })).toHaveLength(30);
    expect(await find({ trustMin: 'secondary', ingestedAfter: new Date(20_000) })).toEqual([21, 24, 27]);
    expect(await find({ media: ['pdf'] })).toEqual([]);
    expect(await find({ lang: ['ko'], pathGlob: ['**'] })).toHaveLength(30);
  });
});

describe('a hostile server', () => {
  /** A store whose server gives this response to everything, once it is open. */
  async function answering(answer: (response: ServerResponse) => void): Promise<QdrantVectorStore> {
    let isOpen = false;
    const { url } = await start();
    const front = await startLoopbackServer((request, response) => {
      if (isOpen) return answer(response);
      void fetch(`${url}${request.url ?? ''}`).then(async (sound) => response.end(await sound.text()));
    });
    fronts.push(front);
    const store = await open(front.url, { apiKey: 'secret' });
    isOpen = true;
    return store;
  }

  const fronts: LoopbackServer[] = [];
  afterEach(async () => {
    for (const front of fronts.splice(0)) await front.close();
  });

  it('cannot redirect the API key elsewhere', async () => {
    const elsewhere = await start();
    const store = await answering((response) => response.writeHead(307, { location: `${elsewhere.url}/stolen` }).end());
    await failure(() => store.count(NAME));
    expect(elsewhere.log).toEqual([]);
  });

  it('cannot send an endless response', async () => {
    const store = await answering((response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(2 ** 20, ' '), more));
      more();
    });
    expect((await failure(() => store.count(NAME))).details.cause).toMatch(/size/i);
  });

  it('cannot send a small response that is large when decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 20, ' '));
    const store = await answering((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect((await failure(() => store.count(NAME))).details.cause).toMatch(/packed/);
  });
});

describe('a server that confirms writes without doing them', () => {
  it('is asked for one vector of each call, which must equal the one sent', async () => {
    const { url, log } = await start();
    await filled(url, sampleRecords(600, 4));
    expect(log.filter((line) => line === `POST /collections/${REAL_NAME}/points`)).toHaveLength(1);
  });

  it.each<[string, (sent: Point) => Point | null]>([
    ['nothing', () => null],
    ['another vector', (sent) => ({ ...sent, vector: { dense: sent.vector['dense']?.map((x) => -x) ?? [] } })],
    ['the vector of another embedding', (sent) => ({ ...sent, payload: { embedding_id: 'another' } })],
  ])('fails when it has written %s', async (_, keep) => {
    const { url } = await start({ keep });
    const { details, hint } = await failure(() => filled(url, sampleRecords(5, 4)));
    expect(details.cause).toBe('it confirmed vectors that it does not hold');
    expect(hint).toContain('kebab ingest');
  });
});

describe('invalid responses', () => {
  const point = '{"id":"x","payload":{"embedding_id":"y"},"score":0.5}';

  async function failureOf(answer: string, use: (store: QdrantVectorStore) => Promise<unknown>): Promise<string> {
    let isOpen = false;
    const { url } = await start({ fault: () => (isOpen ? { text: answer } : undefined) });
    const store = await filled(url, sampleRecords(5, 4));
    isOpen = true;
    return (await failure(() => use(store))).details.cause;
  }

  it.each([
    ['null', /points/],
    ['[]', /points/],
    ['{"points":{"length":1}}', /points/],
    ['{"points":[null]}', /point/],
    [`{"points":[${point.replace('"x"', 'null')}]}`, /id/],
    [`{"points":[${point.replace('0.5', '"NaN"')}]}`, /score/],
    [`{"points":[${point.replace('"y"', '{}')}]}`, /embedding/],
    [`{"points":[${point.replace('0.5', 'NaN')}]}`, /not Qdrant/],
    [`{"points":[${point.replace('0.5', '1e999')}]}`, /score/],
    [`{"points":[${point.replace('0.5', '7')}]}`, /score/],
    [`{"points":[{"id":"x","score":1}]}`, /payload/],
  ])('of a search are no hits: %s', async (result, cause) => {
    expect(await failureOf(`{"result":${result}}`, ask)).toMatch(cause);
  });

  it.each([
    ['no vector', '{}'],
    ['fewer numbers', '{"dense":[1,0,0]}'],
    ['texts', '{"dense":["1",0,0,0]}'],
    ['nulls', '{"dense":[null,0,0,0]}'],
    ['numbers beyond every number', '{"dense":[1e999,0,0,0]}'],
  ])('of points are no vectors: %s', async (_, vector) => {
    const page = `{"result":{"points":[{"id":"x","payload":{"embedding_id":"y"},"vector":${vector}}]}}`;
    const reading = failureOf(page, async (store) => {
      for await (const record of store.records(NAME)) expect(record).toBeUndefined();
    });
    expect(await reading).toMatch(/vector/);
  });

  it.each(['null', '{}', '{"count":-1}', '{"count":"7"}'])('to a count are rejected: %s', async (result) => {
    expect(await failureOf(`{"result":${result}}`, (store) => store.count(NAME))).toMatch(/count/);
  });

  it.each(['null', '{}', '{"config":{}}', '{"config":{"params":{}},"payload_schema":null}'])(
    'about a collection are rejected: %s',
    async (result) => {
      const looking = failureOf(`{"result":${result}}`, (store) => store.ensureCollection(NAME, 4));
      expect(await looking).toMatch(/collection|configuration|schema/);
    },
  );

  it('lists the ids of points that have one, so that a damaged point can be written again', async () => {
    const { url, collections } = await start();
    const records = sampleRecords(5, 4);
    const store = await filled(url, records);
    const points = collections.get(REAL_NAME)!.points;
    const anyPoints = [...points.values()].slice(0, 1);
    for (const damaged of anyPoints) points.set(damaged.id, { ...damaged, payload: null });
    const listed: string[] = [];
    for await (const id of store.listIds(NAME)) listed.push(id);
    expect(listed).toHaveLength(4);
    await store.upsert(NAME, records);
    for await (const id of store.listIds(NAME)) listed.push(id);
    expect(new Set(listed)).toEqual(new Set(records.map(({ embeddingId }) => String(embeddingId))));
  });

  it('cannot make a reader loop', async () => {
    const page = `{"result":{"points":[${point}],"next_page_offset":"x"}}`;
    const reading = failureOf(page, async (store) => {
      for await (const _ of store.listIds(NAME));
    });
    expect(await reading).toMatch(/circle/);
  });
});
