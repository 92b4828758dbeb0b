import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExtractionJob } from '../../src/extraction/extraction-job.ts';
import { processSandbox } from '../../src/plugin/process/process-sandbox.ts';
import { ProcessPool } from '../../src/extraction/process-pool.ts';
import { silentCallContext, startLoopbackServer, type LoopbackServer, DEFAULT_POLICY, assetFrom } from '@kebab/testing';
import { manifest, type Asked } from './probing-plugin.ts';

const never = silentCallContext().signal;
let folder: string;
let server: LoopbackServer;
let pool: ProcessPool;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-sandbox-'));
  const tmpDir = mkdtempSync(path.join(folder, 'tmp-'));
  server = await startLoopbackServer((_request, response) => response.end('here'));
  const sandbox = processSandbox({
    permissions: [manifest.permissions],
    env: { PATH: process.env['PATH'], KEBAB_MODELS_LLM_API_KEY: 'secret' },
    program: new URL('probing-worker.ts', import.meta.url),
    code: [fileURLToPath(new URL('probing-plugin.ts', import.meta.url))],
    tmpDir,
  });
  // The loader for TypeScript sources is active only if this variable is set.
  const loading = { ...sandbox, env: { ...sandbox.env, VITEST_WORKER_ID: '1' } };
  pool = new ProcessPool({
    url: new URL('probing-worker.ts', import.meta.url),
    env: process.env,
    init: {
      plugins: [{ manifest, moduleUrl: new URL('probing-plugin.ts', import.meta.url).href, config: {}, settings: {} }],
      memoryMb: 256,
    },
    tmpDir: '/nowhere',
    timeoutMs: 60_000,
    processes: 1,
    thirdParty: {
      plugins: new Set([manifest.name]),
      sandboxOf: () => ({ sandbox: loading, tmpDir }),
      onFailure: () => {},
    },
  });
});

afterAll(async () => {
  await pool.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function job(asked: Asked): ExtractionJob {
  const bytes = new TextEncoder().encode(JSON.stringify(asked));
  return {
    extractorId: 'plain',
    plugin: manifest,
    chunkerId: 'md-heading-v1',
    chunkerPlugin: manifest,
    policy: DEFAULT_POLICY,
    bytes,
    parts: {
      asset: assetFrom('a.txt', bytes),
      parserVersion: 'probe-v1',
      createdAt: new Date(1000),
      updatedAt: new Date(2000),
      defaults: { trustLevel: null, sourceType: null },
      git: null,
      title: null,
      fileName: 'a.txt',
      origin: null,
      docVersion: 1,
      at: new Date(3000),
    },
  };
}

describe('a third-party extractor in its process', () => {
  it('sees no secrets in its environment, reaches only declared hosts, and cannot read or write files or start programs', async () => {
    const outside = path.join(folder, 'outside');
    const note = path.join(folder, 'note.md');
    writeFileSync(note, 'not for the plugin');
    const declared = `${server.url}/`;
    const asked = { outside, note, declared, other: 'http://undeclared.example/' };
    const { document } = await pool.extract(job(asked), never);
    const denied = 'it did not declare that it reaches undeclared.example: add it to permissions.net';
    const kept = 'ERR_ACCESS_DENIED';
    expect(JSON.parse(document.text)).toEqual({
      env: ['PATH'],
      fetch: 'function',
      declaredHost: 200,
      otherHost: denied,
      globalFetch: denied,
      dataUrl: 'hello',
      webSocket: false,
      tmpDir: 'done',
      outside: kept,
      note: kept,
      seesNote: false,
      nested: kept,
      program: kept,
    });
    expect(existsSync(outside)).toBe(false);
  });

  it('fails with an error that names the missing permission', async () => {
    const asked = { outside: '', note: '', declared: '', other: '' };
    const write = path.join(folder, 'note');
    await expect(pool.extract(job({ ...asked, bluntly: { write } }), never)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: `probing@1.0.0/extract/a.txt failed: it may not write ${write}: context.tmpDir is for passing files`,
    });
    await expect(pool.extract(job({ ...asked, bluntly: { read: write } }), never)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: `probing@1.0.0/extract/a.txt failed: it may not read ${write}: set permissions.fs to "input-only"`,
    });
    await expect(pool.extract(job({ ...asked, bluntly: { start: 'pandoc' } }), never)).rejects.toMatchObject({
      // Node 20 does not say which program it was.
      message: expect.stringMatching(
        /^probing@1\.0\.0\/extract\/a\.txt failed: it did not declare that it starts (?:pandoc|programs): add it to permissions\.spawn$/,
      ) as string,
    });
  });
});
