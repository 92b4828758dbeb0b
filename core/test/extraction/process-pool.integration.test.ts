import { componentPorts } from '../../src/ports.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { Extraction, ExtractionJob } from '../../src/extraction/extraction-job.ts';
import { InlineExtraction } from '../../src/extraction/inline-extraction.ts';
import { type PoolOptions, ProcessPool } from '../../src/extraction/process-pool.ts';
import { silentCallContext } from '../../src/testing/call-context.ts';
import { DEFAULT_POLICY } from '../../src/testing/chunker-suite.ts';
import { assetFrom } from '../../src/testing/document-from.ts';
import { FakeComponents } from '../../src/testing/fake-components.ts';
import { countsOf, extractors, IngestWorld } from '../ingest/ingest-world.ts';
import { lineChunker, plainExtractor } from '../ingest/plain-extractor.ts';
import { hostileManifest } from './hostile-manifest.ts';

const pools: ProcessPool[] = [];
afterEach(async () => {
  for (const opened of pools.splice(0)) await opened.close();
});

function pool(options: Partial<Pick<PoolOptions, 'processes' | 'timeoutMs' | 'batches'>> = {}): ProcessPool {
  const made = new ProcessPool({
    url: new URL('hostile-worker.ts', import.meta.url),
    init: {
      plugins: [{ manifest: hostileManifest, moduleUrl: null, config: {}, settings: {} }],
      tmpDir: '/nowhere',
      memoryMb: 256,
    },
    timeoutMs: options.timeoutMs ?? 60_000,
    processes: options.processes ?? 1,
    batches: options.batches,
  });
  pools.push(made);
  return made;
}

function job(text: string): ExtractionJob {
  const bytes = new TextEncoder().encode(text);
  return {
    extractorId: 'plain',
    plugin: hostileManifest,
    chunkerId: 'md-heading-v1',
    chunkerPlugin: hostileManifest,
    policy: DEFAULT_POLICY,
    bytes,
    parts: {
      asset: assetFrom('a.md', bytes),
      parserVersion: 'markdown-v1',
      createdAt: new Date(1000),
      updatedAt: new Date(2000),
      defaults: { trustLevel: null, sourceType: null },
      git: null,
      title: null,
      fileName: 'a.md',
      origin: null,
      docVersion: 1,
      at: new Date(3000),
    },
  };
}

const never = silentCallContext().signal;

async function extractInline(text: string): Promise<Extraction> {
  const components = new FakeComponents({
    extractor: { plain: plainExtractor() },
    chunker: { 'md-heading-v1': lineChunker('md-heading-v1') },
  });
  return new InlineExtraction({ ...componentPorts(components), log: silentCallContext().log }).extract(
    job(text),
    never,
  );
}

describe('a pool of extraction processes', () => {
  it('gives what extraction on the calling thread gives', async () => {
    const text = '# A\n\nwarn me, 한글 😀\n';
    expect(await pool().extract(job(text), never)).toEqual(await extractInline(text));
  });

  it('leaves the bytes of a file with the caller', async () => {
    const given = job('# A');
    await pool().extract(given, never);
    expect(new TextDecoder().decode(given.bytes)).toBe('# A');
  });

  it.each([
    ['hang', 'it was not done after 2.5 s'],
    ['wait', 'it was not done after 2.5 s'],
    ['exit', 'its process ended with code 3'],
    ['crash', 'undefined is not a function'],
  ])('fails the one file on which an extractor does %s, by name, and takes the next', async (act, cause) => {
    const one = pool({ timeoutMs: 2500 });
    await one.extract(job('# first'), never);
    const failure = await one.extract(job(act), never).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'plugin_failed',
      details: { plugin: 'hostile', version: '2.0.0', kind: 'extractor', stage: 'crash', path: 'a.md' },
    });
    expect((failure as Error).message).toMatch(new RegExp(`^hostile@2\\.0\\.0/crash/a\\.md failed: .*${cause}`));
    expect((await one.extract(job('# next'), never)).document.text).toBe('# next');
  });

  it('passes on what an extractor threw, and keeps its process', async () => {
    const one = pool();
    await expect(one.extract(job('throw'), never)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: 'hostile@2.0.0/extract/a.md failed: no such thing',
    });
    expect((await one.extract(job('# next'), never)).document.text).toBe('# next');
  });

  it('bounds the memory of a file', async () => {
    await expect(pool().extract(job('eat'), never)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: expect.stringMatching(/memory/) as string,
    });
  });

  it('passes errors of the closed list with all they carry', async () => {
    await expect(pool().extract(job('known'), never)).rejects.toMatchObject({
      code: 'io_error',
      message: 'it is encrypted',
      hint: 'unlock it',
      details: { kind: 'EACCES', path: 'a.md', cause: 'locked' },
    });
  });

  it('works on as many files at a time as it has processes, and keeps the others waiting', async () => {
    const two = pool({ processes: 2 });
    const texts = ['# 0', '# 1', '# 2', '# 3', '# 4'];
    const extractions = await Promise.all(texts.map((text) => two.extract(job(text), never)));
    expect(extractions.map(({ document }) => document.text)).toEqual(texts);
  });

  it('gives a file in flight a moment when it is cancelled, then ends it', async () => {
    const abort = new AbortController();
    const extraction = pool().extract(job('wait'), abort.signal);
    abort.abort();
    await expect(extraction).rejects.toMatchObject({ code: 'cancelled' });
    const settled = new AbortController();
    const fine = pool().extract(job('# fine'), settled.signal);
    expect((await fine).document.text).toBe('# fine');
  });
});

describe('an ingest with isolated extractors', () => {
  it('sends their files to processes, and goes on after one that crashes', async () => {
    const files = { 'a.md': '# a', 'b.md': 'exit', 'c.md': '# c', 'd.md': '# d' };
    const contributions = extractors(
      plainExtractor({
        isolation: 'worker',
        before: () => {
          throw new Error('this is the wrong process');
        },
      }),
    );
    const world = await IngestWorld.open({ files, contributions, isolated: pool({ processes: 2 }) });
    try {
      const report = await world.ingest();
      expect(countsOf(report)).toEqual({ new: 3, errors: 1 });
      expect(report.items?.map(({ doc_path, kind }) => `${doc_path} ${kind}`)).toEqual([
        'a.md new',
        'b.md error',
        'c.md new',
        'd.md new',
      ]);
    } finally {
      world.close();
    }
  });
});
