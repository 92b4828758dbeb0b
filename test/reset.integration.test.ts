import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { CliHome } from '../host-cli/test/fakes/built-cli.ts';
import { cliHere } from '../host-cli/test/fakes/cli-here.ts';

const cli = cliHere();
afterAll(() => cli.remove());

function put(file: string, content: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function foreignDatabase(home: CliHome): string {
  const file = path.join(home.folder, 'other.db');
  const db = new Sqlite(file);
  db.exec("CREATE TABLE mine (x); INSERT INTO mine VALUES ('kept')");
  db.close();
  return file;
}

describe('kebab reset', { timeout: 60_000 }, () => {
  it.each(['--data-only', '--all'])(
    '%s leaves the database of another program untouched, and says so',
    async (scope) => {
      const home = cli.newHome();
      const file = foreignDatabase(home);
      const before = readFileSync(file);
      const env = { KEBAB_STORAGE_SQLITE: file };
      const { code, stderr } = await cli.run(['reset', scope, '--yes', '--json'], { home, env });
      expect(code).toBe(2);
      expect(JSON.parse(stderr)).toMatchObject({ code: 'io_error', details: { kind: 'EEXIST', path: file } });
      expect(readFileSync(file)).toEqual(before);
    },
  );

  it('keeps models, assets and reports that kebab did not create, and names them', async () => {
    const home = cli.newHome();
    const at = (name: string): string => path.join(home.folder, 'theirs', name);
    const foreign = [
      put(at('models/llama/config.json'), '{}'),
      put(at('models/llama/model.safetensors'), 'w'),
      put(at(`assets/ab/${'0'.repeat(32)}`), 'theirs'),
      put(at('runs/run_x/report.md'), 'theirs'),
    ];
    const env = {
      KEBAB_STORAGE_MODEL_DIR: at('models'),
      KEBAB_STORAGE_ASSET_DIR: at('assets'),
      KEBAB_STORAGE_RUNS_DIR: at('runs'),
    };
    home.write('a.md', '# A\n');
    expect((await cli.run(['ingest', '--quiet'], { home, env })).code).toBe(0);
    const { code, stdout } = await cli.run(['reset', '--all', '--yes'], { home, env });
    expect(code).toBe(0);
    expect(foreign.filter((file) => !existsSync(file))).toEqual([]);
    for (const folder of ['assets', 'runs', 'models/llama'])
      expect(stdout).toContain(`left     ~/theirs/${folder}/ (nothing says that kebab made it)\n`);
  });

  it('in a checkout with a .kebab removes the user’s own data only with --user', async () => {
    const home = cli.newHome();
    home.write('a.md', '# A\n');
    expect((await cli.run(['ingest', '--quiet'], { home })).code).toBe(0);
    const database = path.join(home.folder, 'data', 'kebab', 'kebab.sqlite');
    const cwd = path.join(home.folder, 'clone');
    const id = put(path.join(cwd, '.kebab', 'id'), `${'1'.repeat(32)}\n`);
    const refused = await cli.run(['reset', '--all', '--yes', '--json'], { home, cwd });
    expect([refused.code, existsSync(database)]).toEqual([2, true]);
    const meant = await cli.run(['reset', '--all', '--yes', '--user'], { home, cwd });
    expect([meant.code, existsSync(database), existsSync(id)]).toEqual([0, false, true]);
  });

  it('refuses scopes that keep a database of another version of kebab, but removes such a database', async () => {
    const home = cli.newHome();
    home.write('a.md', '# A\n');
    const database = path.join(home.folder, 'data', 'kebab', 'kebab.sqlite');
    for (const schema of [4, 99]) {
      expect((await cli.run(['ingest', '--quiet'], { home })).code).toBe(0);
      const db = new Sqlite(database);
      db.prepare("UPDATE schema_meta SET value = ? WHERE key = 'schema_version'").run(String(schema));
      db.close();
      for (const scope of ['--orphans-only', '--vector-only']) {
        const { code, stderr } = await cli.run(['reset', scope, '--yes', '--json'], { home });
        expect([code, JSON.parse(stderr)]).toMatchObject([
          2,
          { code: 'not_indexed', details: { found: `schema ${schema}` } },
        ]);
      }
      expect(await cli.run(['reset', '--yes'], { home })).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(database)).toBe(false);
    }
  });

  it('removes its own database anywhere, even a damaged one', async () => {
    const home = cli.newHome();
    home.write('a.md', '# A\n');
    const file = path.join(home.folder, 'elsewhere', 'index.db');
    const env = { KEBAB_STORAGE_SQLITE: file };
    for (const damage of [false, true]) {
      expect((await cli.run(['ingest', '--quiet'], { home, env })).code).toBe(0);
      if (damage) writeFileSync(file, readFileSync(file).fill(0x5a, 100));
      expect(await cli.run(['reset', '--yes'], { home, env })).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(file)).toBe(false);
    }
  });
});
