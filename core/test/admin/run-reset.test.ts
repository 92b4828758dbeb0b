import { existsSync, readFileSync, writeFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResetScope } from '../../src/admin/plan-reset.ts';
import { runReset, type ResetStores } from '../../src/admin/run-reset.ts';
import { makeOwnFolder } from '../../src/files/own-folder.ts';
import type { ResetReport } from '../../src/wire/index.ts';
import { ResetReportSchema } from '../../src/wire/admin.ts';
import { ConfigWorld } from '../config/config-world.ts';

const id = 'cec9353553efb238a7919d38d3e148f1';
/** The header of a database, up to and including the mark of kebab at byte 68. */
const MARKED = `${'SQLite format 3\0'.padEnd(68, '\0')}kebb`.padEnd(100, '\0');

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
  opened: null,
  purgeOrphans: () => Promise.resolve(note('purge', ['gone.md'])),
  removeTables: () => Promise.resolve(note('tables', null)),
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
  world.write(path.join(data, 'assets', 'ce', id), '');
  world.write(path.join(data, 'runs/run_1/report.md'), '');
  world.write(path.join(data, `external/회의록-2026-${'0'.repeat(12)}.md`), '');
  world.write(path.join(data, 'models/e5/config.json'), '');
  world.write(path.join(data, 'models/e5/kebab-pull.json'), '{"files": [{"path": "config.json"}]}');
  world.write(path.join(data, 'models/.pull/e5/config.json.part'), '');
  world.write(path.join(world.home, '.cache/kebab/code/main.bin'), '');
  world.write(path.join(world.home, '.local/state/kebab/logs/kebab-2026-01-31.jsonl'), '');
  world.write(path.join(world.home, '.local/state/kebab/notices.json'), '{}');
  world.write(path.join(world.home, '.local/state/kebab/trust.json'), '{"files": {}}');
  world.write(path.join(world.home, 'KnowledgeBase/note.md'), '# note');
  world.write(world.userFile, '');
}

async function reset(
  scope: ResetScope,
  env: Record<string, string> = {},
  opened: string | null = null,
): Promise<ResetReport> {
  const report = await runReset(scope, await world.resolve({ env }), { ...stores, opened });
  expect(ResetReportSchema.parse(report)).toEqual(report);
  return report;
}

describe('runReset', () => {
  it('keeps documents added by hand when only the data is removed, since they may exist nowhere else', async () => {
    populate();
    await reset('data_only');
    expect(existsSync(path.join(data, `external/회의록-2026-${'0'.repeat(12)}.md`))).toBe(true);
  });

  it('removes the data and nothing else', async () => {
    populate();
    const { removed_paths: removed } = await reset('data_only');
    expect(removed).toEqual([
      path.join(data, 'kebab.sqlite-wal'),
      path.join(data, 'kebab.sqlite'),
      `${data}/assets/`,
      `${data}/runs/`,
    ]);
    expect(removed.filter((entry) => existsSync(entry))).toEqual([]);
    expect(existsSync(path.join(data, 'models/e5/config.json'))).toBe(true);
    expect(existsSync(world.userFile)).toBe(true);
    expect(readFileSync(path.join(world.home, 'KnowledgeBase/note.md'), 'utf8')).toBe('# note');
    expect(calls).toEqual(['drop', 'close']);
  });

  it.each<ResetScope>(['data_only', 'all', 'config_only'])('removes nothing the second time: %s', async (scope) => {
    populate();
    expect((await reset(scope)).removed_paths).not.toEqual([]);
    expect((await reset(scope)).removed_paths).toEqual([]);
  });

  it.each<ResetScope>(['data_only', 'all', 'vector_only', 'config_only', 'orphans_only'])(
    'with %s refuses in a project whose .kebab is not used, rather than remove the user’s own data',
    async (scope) => {
      populate();
      world.write('.kebab/id', `${'0'.repeat(32)}\n`);
      const unused = path.join(world.project, '.kebab');
      await expect(reset(scope)).rejects.toMatchObject({
        code: 'invalid_input',
        message: `${unused} is not used, so a reset here would affect your own knowledge base: nothing was removed`,
      });
      expect([existsSync(path.join(data, 'kebab.sqlite')), existsSync(world.userFile), calls]).toEqual([
        true,
        true,
        [],
      ]);
      const report = await runReset(scope, await world.resolve({ flags: { user: true } }), stores);
      expect(report.scope).toBe(scope);
    },
  );

  it('with all removes the temporary files that killed processes left in kebab’s folders, and the folders', async () => {
    populate();
    const draft = `.kebab-${'0'.repeat(32)}.tmp`;
    const folders = [data, path.dirname(world.userFile), path.join(world.home, '.local/state/kebab')];
    for (const folder of folders) world.write(path.join(folder, draft), '');
    await reset('all');
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it('removes with all the lock of a database that is already gone', async () => {
    populate();
    await reset('data_only');
    const locks = ['kebab.lock', 'kebab.lock.sqlite'].map((name) => path.join(data, name));
    for (const lock of locks) writeFileSync(lock, '');
    await reset('all');
    expect(locks.filter((lock) => existsSync(lock))).toEqual([]);
  });

  it('removes with all even its folders, but never the workspace', async () => {
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

  it('keeps every file that kebab did not create, and the folders that contain it', async () => {
    populate();
    const foreign = [
      path.join(data, 'thesis.md'),
      path.join(data, 'assets/ce/thesis.md'),
      path.join(data, 'models/e5/thesis.md'),
      path.join(world.home, '.cache/kebab/thesis.md'),
      path.join(path.dirname(world.userFile), 'thesis.md'),
    ];
    for (const file of foreign) world.write(file, 'mine');
    await reset('all');
    expect(foreign.filter((file) => !existsSync(file))).toEqual([]);
    expect(existsSync(path.join(data, 'assets/ce', id))).toBe(false);
  });

  it('uses the effective configuration', async () => {
    const database = world.write('elsewhere/index.db', MARKED);
    makeOwnFolder(path.join(world.project, 'elsewhere/files'));
    const asset = world.write(`elsewhere/files/ce/${id}`, '');
    const report = await reset('data_only', {
      KEBAB_STORAGE_SQLITE: database,
      KEBAB_STORAGE_ASSET_DIR: path.join(world.project, 'elsewhere/files'),
    });
    expect(existsSync(database)).toBe(false);
    expect(existsSync(asset)).toBe(false);
    expect(existsSync(path.join(world.project, 'elsewhere/files'))).toBe(true);
    expect(report.left_paths).toBeUndefined();
  });

  it.each([
    ['a text', 'dear diary'],
    ['nothing', ''],
    ['the database of another program', 'SQLite format 3\0'.padEnd(200, 'x')],
  ])('throws before anything is removed when %s is in place of the database', async (_what, content) => {
    populate();
    const file = world.write('mine.db', content);
    world.write('mine.db-wal', content);
    for (const scope of ['data_only', 'all'] as const)
      await expect(reset(scope, { KEBAB_STORAGE_SQLITE: file })).rejects.toMatchObject({
        code: 'io_error',
        details: { kind: 'EEXIST', path: file },
      });
    expect([readFileSync(file, 'utf8'), existsSync(`${file}-wal`)]).toEqual([content, true]);
    expect(existsSync(path.join(data, 'assets/ce', id))).toBe(true);
    expect(calls).toEqual([]);
  });

  it('rejects a file that is not a database even at its default location', async () => {
    const file = world.write(path.join(data, 'kebab.sqlite'), 'dear diary');
    await expect(reset('data_only')).rejects.toMatchObject({ code: 'io_error' });
    expect(existsSync(file)).toBe(true);
  });

  it('removes a database by its mark even if nothing else in it is readable, and one that could be opened', async () => {
    const damaged = world.write('damaged.db', `${MARKED}${'Z'.repeat(1000)}`);
    await reset('data_only', { KEBAB_STORAGE_SQLITE: damaged });
    const older = world.write('older.db', 'SQLite format 3\0'.padEnd(100, '\0'));
    await reset('data_only', { KEBAB_STORAGE_SQLITE: older }, older);
    expect([existsSync(damaged), existsSync(older)]).toEqual([false, false]);
  });

  it('keeps a link in place of the database, and its target', async () => {
    const target = world.write('target.db', MARKED);
    const link = path.join(world.project, 'link.db');
    symlinkSync(target, link);
    expect((await reset('data_only', { KEBAB_STORAGE_SQLITE: link })).left_paths).toEqual([link]);
    expect([existsSync(target), existsSync(link)]).toEqual([true, true]);
  });

  it('removes only vectors, and counts the rows', async () => {
    populate();
    const report = await reset('vector_only');
    expect(report).toMatchObject({
      scope: 'vector_only',
      embedding_rows_truncated: 7,
      removed_paths: [],
    });
    expect(calls).toEqual(['truncate', 'drop', 'close']);
    expect(existsSync(path.join(data, 'kebab.sqlite'))).toBe(true);
  });

  it('removes only the configuration with config_only', async () => {
    populate();
    expect((await reset('config_only')).removed_paths).toEqual([
      world.userFile,
      path.join(world.home, '.local/state/kebab/trust.json'),
    ]);
    expect(calls).toEqual([]);
  });

  it('purges only documents that the configuration does not include with orphans_only', async () => {
    populate();
    const report = await reset('orphans_only');
    expect(report).toMatchObject({ orphans_purged: 1, purged_paths: ['gone.md'], removed_paths: [] });
    expect(calls).toEqual(['purge']);
  });
});
