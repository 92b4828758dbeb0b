import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelManifest } from '../../src/manifest/builtin-manifests.ts';
import { pullModel, type PullOptions, type PullProgress } from '../../src/pull/pull-model.ts';
import { LoopbackHub, type HubFaults } from '../../src/testing/index.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();
const hubs: LoopbackHub[] = [];
afterEach(() => Promise.all(hubs.splice(0).map((hub) => hub.stop())));

const WEIGHTS = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7 + (at >> 8)) % 256));
const FILES = { 'config.json': '{"hidden_size":4}', 'tokenizer.json': '{}', 'onnx/model.onnx': WEIGHTS };
const MANIFEST: ModelManifest = {
  id: 'tiny',
  role: 'embedding',
  repository: 'owner/tiny',
  precision: 'fp32',
  pooling: 'mean',
  prefixes: { query: '', document: '' },
  dimensions: 4,
  maxTokens: 16,
  languages: null,
  relevance: { floor: 0, ceil: 1 },
  files: Object.keys(FILES),
};

async function startHub(faults: HubFaults = {}, files: Readonly<Record<string, string | Uint8Array>> = FILES) {
  const hub = new LoopbackHub(files, faults);
  hubs.push(hub);
  return { hub, address: await hub.start() };
}

/** Downloads the tiny model, and returns its folder and the progress events. */
async function pullFrom(address: string, options: Partial<PullOptions> = {}) {
  const { modelDir = newFolder(), ...rest } = options;
  const progress: PullProgress[] = [];
  const onProgress = (each: PullProgress): void => void progress.push(each);
  const all = { modelDir, fetch: globalThis.fetch, hub: address, retryDelayMs: 1, onProgress, ...rest };
  return { folder: await pullModel(MANIFEST, all), modelDir, progress };
}

function expectWhole(folder: string): void {
  for (const [file, content] of Object.entries(FILES))
    expect(Buffer.compare(readFileSync(path.join(folder, file)), Buffer.from(content))).toBe(0);
}

describe('pullModel', () => {
  it('downloads every file into the folder of the model, and reports progress', async () => {
    const { hub, address } = await startHub();
    const { folder, modelDir, progress } = await pullFrom(address);
    expect(folder).toBe(path.join(modelDir, 'tiny'));
    expectWhole(folder);
    const total = Object.values(FILES).reduce((sum, content) => sum + content.length, 0);
    expect(progress.at(-1)).toEqual({ bytesDone: total, bytesTotal: total });
    const done = progress.map(({ bytesDone }) => bytesDone);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(readdirSync(path.join(modelDir, '.pull'))).toEqual(['.kebab-folder']);
    expect(hub.requests[0]).toMatchObject({ method: 'HEAD', path: '/owner/tiny/resolve/main/config.json' });
    expect(hub.requests[1]?.path).toBe(`/owner/tiny/resolve/${LoopbackHub.COMMIT}/tokenizer.json`);
  });

  it.each(['.pull', '.pull/tiny', '.pull/tiny/config.json.part'])('rejects the link %s', async (name) => {
    const { address } = await startHub();
    const modelDir = newFolder();
    const outside = newFolder();
    writeFileSync(path.join(outside, 'mine'), 'mine');
    mkdirSync(path.dirname(path.join(modelDir, name)), { recursive: true });
    symlinkSync(name.endsWith('.part') ? path.join(outside, 'mine') : outside, path.join(modelDir, name));
    await expect(pullFrom(address, { modelDir })).rejects.toMatchObject({ code: 'io_error' });
    expect(readdirSync(outside)).toEqual(['mine']);
    expect(readFileSync(path.join(outside, 'mine'), 'utf8')).toBe('mine');
  });

  it('records the commit and the checksums', async () => {
    const { address } = await startHub();
    const { folder } = await pullFrom(address);
    const record = JSON.parse(readFileSync(path.join(folder, 'kebab-pull.json'), 'utf8')) as { files: object[] };
    expect(record).toMatchObject({ repository: 'owner/tiny', revision: LoopbackHub.COMMIT });
    expect(record.files).toContainEqual({
      path: 'tokenizer.json',
      bytes: 2,
      sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    });
  });

  it('resumes after every broken connection', async () => {
    const { hub, address } = await startHub({ cut: { afterBytes: 30_000 } });
    const { folder } = await pullFrom(address);
    expectWhole(folder);
    const starts = hub.requests
      .filter((each) => each.path.startsWith('/large/'))
      .flatMap(({ range }) => (range === null ? [] : Number(/\d+/.exec(range)?.[0])));
    expect(new Set(starts).size).toBeGreaterThanOrEqual(6);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  it('resumes an aborted download in a later call', async () => {
    const modelDir = newFolder();
    const cut = await startHub({ cut: { afterBytes: 50_000 } });
    const controller = new AbortController();
    const onProgress = ({ bytesDone }: PullProgress): void => {
      if (bytesDone > 100_000) controller.abort('enough');
    };
    await expect(pullFrom(cut.address, { modelDir, onProgress, signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
      details: { operation: 'fetching tiny', reason: 'enough' },
    });
    expect(existsSync(path.join(modelDir, 'tiny'))).toBe(false);
    const { hub, address } = await startHub();
    expectWhole((await pullFrom(address, { modelDir })).folder);
    const fetched = hub.requests.filter(({ method }) => method === 'GET');
    expect(fetched.every(({ range }) => range !== null)).toBe(true);
    expect(fetched.length).toBeGreaterThan(0);
  });

  it('restarts with a server without range support', async () => {
    const { address } = await startHub({ ignoresRanges: true, cut: { afterBytes: 60_000, times: 2 } });
    expectWhole((await pullFrom(address)).folder);
  });

  it('downloads a corrupt file again, and fails if it is corrupt again', async () => {
    const once = await startHub({ wrongBytes: 1 });
    expectWhole((await pullFrom(once.address)).folder);
    const always = await startHub({ wrongBytes: Infinity });
    const modelDir = newFolder();
    await expect(pullFrom(always.address, { modelDir })).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringMatching(/config\.json: its checksum is [0-9a-f]{40} instead of [0-9a-f]{40}/) as unknown,
      details: { endpoint: always.address, model: 'tiny' },
    });
    expect(existsSync(path.join(modelDir, 'tiny'))).toBe(false);
  });

  it('verifies bytes of an earlier call', async () => {
    const modelDir = newFolder();
    const part = path.join(modelDir, '.pull/tiny/onnx/model.onnx.part');
    mkdirSync(path.dirname(part), { recursive: true });
    writeFileSync(part, Buffer.alloc(120_000, 3));
    writeFileSync(path.join(modelDir, '.pull/tiny/config.json'), '{"hidden_size":5}');
    const { address } = await startHub();
    expectWhole((await pullFrom(address, { modelDir })).folder);
  });

  it('accepts files of a hub that reports neither checksums nor lengths', async () => {
    const { address } = await startHub({ isSilent: true });
    const { folder, progress } = await pullFrom(address);
    expectWhole(folder);
    expect(progress.at(-1)?.bytesTotal).toBeNull();
    expect(JSON.parse(readFileSync(path.join(folder, 'kebab-pull.json'), 'utf8'))).toMatchObject({ revision: 'main' });
  });

  it('replaces an earlier download, but keeps it on failure', async () => {
    const { address } = await startHub();
    const { folder, modelDir } = await pullFrom(address);
    writeFileSync(path.join(folder, 'left-over'), '');
    const broken = await startHub({ wrongBytes: Infinity });
    await expect(pullFrom(broken.address, { modelDir })).rejects.toMatchObject({ code: 'model_unreachable' });
    expectWhole(folder);
    await pullFrom(address, { modelDir });
    expectWhole(folder);
    expect(existsSync(path.join(folder, 'left-over'))).toBe(false);
  });

  it('reports a hub that rejects requests, lacks the file, or does not respond', async () => {
    const missing = await startHub({}, { 'config.json': '{}' });
    await expect(pullFrom(missing.address)).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('404') as unknown,
      hint: expect.stringMatching(
        /goes on where it stopped; without a network, copy the model's folder to \//,
      ) as unknown,
    });
    const denied = await startHub({ status: { code: 401 } });
    await expect(pullFrom(denied.address)).rejects.toMatchObject({
      message: expect.stringContaining('401') as unknown,
    });
    expect(denied.hub.requests).toHaveLength(1);
    const gone = await startHub();
    await gone.hub.stop();
    await expect(pullFrom(gone.address)).rejects.toMatchObject({
      code: 'model_unreachable',
      details: { endpoint: gone.address, cause: expect.stringContaining('ECONNREFUSED') as unknown },
    });
  });

  it('retries if the hub is busy', async () => {
    const { address } = await startHub({ status: { code: 503, times: 2 } });
    expectWhole((await pullFrom(address)).folder);
  });

  it('passes disk failures through unchanged', async () => {
    const { address } = await startHub();
    const modelDir = path.join(newFolder(), 'file');
    writeFileSync(modelDir, 'in the way');
    await expect(pullFrom(address, { modelDir })).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
