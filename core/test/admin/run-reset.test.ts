import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResetScope } from '../../src/admin/plan-reset.ts';
import { runReset, type ResetStores } from '../../src/admin/run-reset.ts';
import type { ResetReport } from '../../src/wire/index.ts';
import { ResetReportSchema } from '../../src/wire/reset-report.ts';
import { ConfigWorld } from '../config/config-world.ts';

const id = 'cec9353553efb238a7919d38d3e148f1';
const COLLECTION = 'chunk_embeddings_e5_384_0123456789ab';

let world: ConfigWorld;
let data: string;
let calls: string[];
beforeEach(() => {
  world = new ConfigWorld();
  data = path.join(world.home, '.local/share/kebab');
  calls = [];
});
afterEach(() => world.remove());

const stores: ResetStores = {
  purgeOrphans: () => Promise.resolve(note('purge', ['gone.md'])),
  truncateEmbeddings: () => Promise.resolve(note('truncate', 7)),
  dropCollections: () => Promise.resolve(note('drop', undefined)),
  close: () => Promise.resolve(note('close', undefined)),
};

function note<T>(call: string, result: T): T {
  calls.push(call);
  return result;
}

function populate(): void {
  world.write(path.join(data, 'kebab.sqlite'), 'SQLite format 3\0…');
  world.write(path.join(data, 'kebab.sqlite-wal'), '');
  world.write(path.join(data, 'vectors', COLLECTION, 'segments.bin'), '');
  world.write(path.join(data, 'assets', 'ce', id), '');
  world.write(path.join(data, 'artifacts', id, 'ocr.json'), '');
  world.write(path.join(data, 'runs/run_1/report.md'), '');
  world.write(path.join(data, 'models/e5/config.json'), '');
  world.write(path.join(world.home, '.cache/kebab/code/main.bin'), '');
  world.write(path.join(world.home, '.local/state/kebab/logs/kebab-2026-01-31.jsonl'), '');
  world.write(path.join(world.home, '.local/state/kebab/trust.json'), '{"files": {}}');
  world.write(path.join(world.home, 'KnowledgeBase/note.md'), '# note');
  world.write(world.userFile, '');
}

async function reset(scope: ResetScope, env: Record<string, string> = {}): Promise<ResetReport> {
  const report = await runReset(scope, await world.resolve({ env }), stores);
  expect(ResetReportSchema.parse(report)).toEqual(report);
  return report;
}

describe('runReset', () => {
  it('removes the data and nothing else', async () => {
    populate();
    const { removed_paths: removed } = await reset('data_only');
    expect(removed).toEqual([
      path.join(data, 'kebab.sqlite'),
      path.join(data, 'kebab.sqlite-wal'),
      `${data}/vectors/`,
      `${data}/assets/`,
      `${data}/artifacts/`,
      `${data}/runs/`,
    ]);
    expect(removed.filter((entry) => existsSync(entry))).toEqual([]);
    expect(existsSync(path.join(data, 'models/e5/config.json'))).toBe(true);
    expect(existsSync(world.userFile)).toBe(true);
    expect(readFileSync(path.join(world.home, 'KnowledgeBase/note.md'), 'utf8')).toBe('# note');
    expect(calls).toEqual(['drop', 'close']);
  });

  it.each<ResetScope>(['data_only', 'all', 'vector_only', 'config_only'])(
    'removes nothing the second time: %s',
    async (scope) => {
      populate();
      expect((await reset(scope)).removed_paths).not.toEqual([]);
      expect((await reset(scope)).removed_paths).toEqual([]);
    },
  );

  it('with all leaves not even its folders, and never the workspace', async () => {
    populate();
    await reset('all');
    const folders = [
      data,
      path.dirname(world.userFile),
      path.join(world.home, '.cache/kebab'),
      path.join(world.home, '.local/state/kebab'),
    ];
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
    expect(existsSync(path.join(world.home, 'KnowledgeBase/note.md'))).toBe(true);
  });

  it('keeps every file it did not make, and the folders that hold it', async () => {
    populate();
    const foreign = [
      path.join(data, 'thesis.md'),
      path.join(data, 'assets/ce/thesis.md'),
      path.join(data, 'vectors/thesis.md'),
      path.join(data, 'models/e5/thesis.md'),
      path.join(world.home, '.cache/kebab/thesis.md'),
      path.join(path.dirname(world.userFile), 'thesis.md'),
    ];
    for (const file of foreign) world.write(file, 'mine');
    await reset('all');
    expect(foreign.filter((file) => !existsSync(file))).toEqual([]);
    expect(existsSync(path.join(data, 'assets/ce', id))).toBe(false);
  });

  it('goes by the effective configuration', async () => {
    const database = world.write('elsewhere/index.db', 'SQLite format 3\0');
    const asset = world.write(`elsewhere/files/ce/${id}`, '');
    await reset('data_only', {
      KEBAB_STORAGE_SQLITE: database,
      KEBAB_STORAGE_ASSET_DIR: path.join(world.project, 'elsewhere/files'),
    });
    expect(existsSync(database)).toBe(false);
    expect(existsSync(asset)).toBe(false);
    expect(existsSync(path.join(world.project, 'elsewhere/files'))).toBe(true);
  });

  it('removes no file that only stands where the database should', async () => {
    const file = world.write(path.join(data, 'kebab.sqlite'), 'dear diary');
    await reset('data_only');
    expect(existsSync(file)).toBe(true);
  });

  it('empties vectors alone, and counts the rows', async () => {
    populate();
    const report = await reset('vector_only');
    expect(report).toMatchObject({
      scope: 'vector_only',
      embedding_rows_truncated: 7,
      removed_paths: [`${data}/vectors/`],
    });
    expect(calls).toEqual(['truncate', 'drop', 'close']);
    expect(existsSync(path.join(data, 'kebab.sqlite'))).toBe(true);
  });

  it('removes configuration alone', async () => {
    populate();
    expect((await reset('config_only')).removed_paths).toEqual([
      world.userFile,
      path.join(world.home, '.local/state/kebab/trust.json'),
    ]);
    expect(calls).toEqual([]);
  });

  it('purges orphans alone', async () => {
    populate();
    const report = await reset('orphans_only');
    expect(report).toMatchObject({ orphans_purged: 1, purged_paths: ['gone.md'], removed_paths: [] });
    expect(calls).toEqual(['purge']);
  });
});
