import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CliHome, CliRun } from '../host-cli/test/fakes/built-cli.ts';
import { cliHere } from '../host-cli/test/fakes/cli-here.ts';

const cli = cliHere();
afterAll(() => cli.remove());

/** A home with notes of the user, and a git work tree in it. */
function worldWithProject(): { readonly home: CliHome; readonly project: string; readonly deep: string } {
  const home = cli.newHome();
  home.write('tea.md', '# Tea\n\nGreen tea is steeped at eighty degrees.\n');
  const project = path.join(home.folder, 'code', 'app');
  const deep = path.join(project, 'docs', 'deep');
  mkdirSync(deep, { recursive: true });
  mkdirSync(path.join(project, '.git'));
  writeFileSync(path.join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(path.join(project, 'docs', 'cache.md'), '# Cache\n\nThe cache holds eighty entries.\n');
  return { home, project, deep };
}

async function ok(line: readonly string[], home: CliHome, cwd: string): Promise<CliRun> {
  const result = await cli.run(line, { home, cwd });
  expect([line.join(' '), result.code, result.stderr]).toEqual([line.join(' '), 0, result.stderr]);
  return result;
}

async function foundIn(home: CliHome, cwd: string): Promise<readonly string[]> {
  const { stdout } = await cli.run(['search', 'eighty', '--mode', 'lexical', '--json'], { home, cwd });
  return (JSON.parse(stdout) as { readonly hits: readonly { readonly doc_path: string }[] }).hits.map(
    ({ doc_path }) => doc_path,
  );
}

describe('a knowledge base of a project', { timeout: 60_000 }, () => {
  it('is created at the top of the work tree, found from subfolders, and separate from the user’s', async () => {
    const { home, project, deep } = worldWithProject();
    await ok(['ingest', '--quiet'], home, home.folder);
    const { stdout } = await ok(['init', '--json'], home, deep);
    const kebab = path.join(project, '.kebab');
    expect(JSON.parse(stdout)).toMatchObject({
      created: [`${kebab}/`, path.join(kebab, 'config.toml')],
      opened: path.join(kebab, 'kebab.sqlite'),
    });
    expect(readFileSync(path.join(kebab, '.gitignore'), 'utf8')).toMatch(/^\*$/m);
    await ok(['ingest', '--quiet'], home, deep);
    expect(await foundIn(home, deep)).toEqual(['docs/cache.md']);
    expect(await foundIn(home, home.folder)).toEqual(['tea.md']);
    expect(JSON.parse((await ok(['config', 'path', '--json'], home, deep)).stdout)).toMatchObject({ project });
    const again = JSON.parse((await ok(['init', '--json'], home, deep)).stdout) as { readonly created: unknown };
    expect(again.created).toEqual([]);
  });

  it('is not created in a home folder that is a work tree, nor with --user', async () => {
    const { home, project, deep } = worldWithProject();
    await ok(['init', '--user'], home, deep);
    mkdirSync(path.join(home.folder, '.git'));
    writeFileSync(path.join(home.folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    await ok(['init'], home, home.folder);
    expect(existsSync(path.join(home.folder, '.kebab'))).toBe(false);
    expect(existsSync(path.join(project, '.kebab'))).toBe(false);
    await ok(['init', '--project'], home, path.join(project, 'docs'));
    expect(existsSync(path.join(project, 'docs', '.kebab', 'id'))).toBe(true);
  });

  it('is removed by reset --all, which removes nothing of the user’s', async () => {
    const { home, project, deep } = worldWithProject();
    await ok(['ingest', '--quiet'], home, home.folder);
    await ok(['config', 'set', 'search.default_k', '7'], home, home.folder);
    await ok(['init'], home, deep);
    await ok(['ingest', '--quiet'], home, deep);
    await ok(['config', 'set', 'models.llm.model', 'small'], home, deep);
    await ok(['reset', '--all', '--yes'], home, deep);
    expect(existsSync(path.join(project, '.kebab'))).toBe(false);
    expect(existsSync(path.join(home.env['XDG_STATE_HOME'] ?? '', 'kebab', 'projects.json'))).toBe(false);
    expect(await foundIn(home, deep)).toEqual(['tea.md']);
    expect((await ok(['config', 'get', 'search.default_k'], home, deep)).stdout).toBe('7\n');
  });

  it('is created again after its database was removed by hand', async () => {
    const { home, project, deep } = worldWithProject();
    await ok(['init'], home, deep);
    await ok(['ingest', '--quiet'], home, deep);
    for (const ending of ['', '-wal', '-shm'])
      rmSync(path.join(project, '.kebab', `kebab.sqlite${ending}`), { force: true });
    await ok(['ingest', '--quiet'], home, deep);
    expect(await foundIn(home, deep)).toEqual(['docs/cache.md']);
    await ok(['ingest', '--quiet'], home, deep);
  });

  it('does not use a database that a branch checked out in its place, until that is reset', async () => {
    const { home, project, deep } = worldWithProject();
    await ok(['ingest', '--quiet'], home, home.folder);
    await ok(['init'], home, deep);
    await ok(['ingest', '--quiet'], home, deep);
    const planted = path.join(home.env['XDG_DATA_HOME'] ?? '', 'kebab', 'kebab.sqlite');
    const database = path.join(project, '.kebab', 'kebab.sqlite');
    for (const ending of ['-wal', '-shm']) rmSync(`${database}${ending}`, { force: true });
    copyFileSync(planted, database);
    for (const line of [['search', 'eighty', '--mode', 'lexical'], ['ingest']]) {
      const { code, stdout, stderr } = await cli.run(line, { home, cwd: deep });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('is not the database that kebab made for this project');
    }
    await ok(['reset', '--data-only', '--yes'], home, deep);
    await ok(['ingest', '--quiet'], home, deep);
    expect(await foundIn(home, deep)).toEqual(['docs/cache.md']);
  });
});
