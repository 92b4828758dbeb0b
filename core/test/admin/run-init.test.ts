import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInit } from '../../src/admin/run-init.ts';
import { annotatedConfig } from '../../src/config/annotated-config.ts';
import { InitReportSchema } from '../../src/wire/admin.ts';
import type { InitReport } from '../../src/wire/index.ts';
import { bundledKeys } from '../config/bundled-keys.ts';
import { ConfigWorld } from '../config/config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

async function init(force = false, config?: string): Promise<InitReport> {
  const resolution = await world.resolve({ ignoreUserFile: force, flags: { config } });
  const openStore = () => Promise.resolve({ path: resolution.config.storage.sqlite, schemaVersion: 4 });
  return runInit({ resolution, force, homeDir: world.home, openStore });
}

describe('runInit', () => {
  it('creates configuration, data directory and workspace root, without content', async () => {
    const report = await init();
    expect(InitReportSchema.parse(report)).toEqual(report);
    expect(report).toEqual({
      schema_version: 'init_report.v1',
      created: [world.userFile, path.join(world.home, '.local/share/kebab/'), path.join(world.home, 'KnowledgeBase/')],
      kept: [],
      opened: path.join(world.home, '.local/share/kebab/kebab.sqlite'),
      db_schema_version: 4,
      hint: 'edit ~/.config/kebab/config.toml then `kebab ingest`',
    });
    expect(readFileSync(world.userFile, 'utf8')).toBe(annotatedConfig(bundledKeys));
    expect(readdirSync(path.join(world.home, 'KnowledgeBase'))).toEqual([]);
  });

  it('creates no workspace root when there are other sources and it is not configured', async () => {
    const source = '[[workspace.sources]]\nid = "w"\nroot = "~/w"\n';
    world.write(world.userFile, source);
    await init();
    expect(existsSync(path.join(world.home, 'KnowledgeBase'))).toBe(false);
    world.write(world.userFile, `[workspace]\nroot = "~/mine"\n${source}`);
    expect((await init()).created).toEqual([path.join(world.home, 'mine/')]);
  });

  it('creates nothing and keeps everything when it runs a second time', async () => {
    const first = await init();
    const second = await init();
    expect(second.created).toEqual([]);
    expect(second.kept).toEqual(first.created);
  });

  it('keeps an edited configuration, and applies it', async () => {
    const own = '[workspace]\nroot = "~/notes"\n[storage]\nsqlite = "~/db/kebab.sqlite"\n';
    world.write(world.userFile, own);
    mkdirSync(path.join(world.home, 'notes'));
    const report = await init();
    expect(readFileSync(world.userFile, 'utf8')).toBe(own);
    expect(report.kept).toEqual([world.userFile, path.join(world.home, 'notes/')]);
    expect(report.created).toEqual([path.join(world.home, '.local/share/kebab/'), path.join(world.home, 'db/')]);
  });

  it('with force replaces a broken configuration and backs up the old text', async () => {
    world.write(world.userFile, 'this is [ not toml');
    const report = await init(true);
    expect(readFileSync(world.userFile, 'utf8')).toBe(annotatedConfig(bundledKeys));
    expect(readFileSync(`${world.userFile}.bak`, 'utf8')).toBe('this is [ not toml');
    expect(report.created[0]).toBe(world.userFile);
    expect(report.kept).toEqual([`${world.userFile}.bak`]);
  });

  it('with force keeps an unedited configuration, and its earlier backup', async () => {
    world.write(world.userFile, '[search]\ndefault_k = 3\n');
    await init(true);
    const again = await init(true);
    expect(again.kept).toContain(world.userFile);
    expect(again.created).toEqual([]);
    expect(readFileSync(`${world.userFile}.bak`, 'utf8')).toBe('[search]\ndefault_k = 3\n');
  });

  it('rejects a file whose name does not end in .toml', async () => {
    const file = world.write('deep/own.json', '{"search": {"default_k": 3}}');
    await expect(init(true, 'own.json')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(existsSync(`${file}.bak`)).toBe(false);
    expect((await init(false, 'own.json')).kept).toContain(file);
  });
});
