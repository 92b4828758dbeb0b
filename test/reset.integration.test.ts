import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { cliHere } from '../host-cli/test/fakes/cli-here.ts';

const cli = cliHere();
afterAll(() => cli.remove());

function put(file: string, content: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe('kebab reset', { timeout: 60_000 }, () => {
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
});
