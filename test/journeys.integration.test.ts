import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishAsAuthor } from '../scripts/author-journey.mjs';
import { Journey, useAsUser, usePart, type Installed } from '../scripts/journey.mjs';
import { packAll } from '../scripts/pack-packages.mjs';
import { LoopbackRegistry } from './loopback-registry.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const isBuilt = existsSync(path.join(root, 'host-cli', 'dist', 'bundle', 'main.cjs'));
const unless = isBuilt ? '' : ' (skipped: not built, run npm run build)';
let folder: string;
let registry: LoopbackRegistry;
let user: Journey;
let installed: Installed;
const said: string[] = [];

/** Packages that a user and an author install, directly or indirectly. */
const INSTALLED = ['core', 'kits/plugin', 'host-cli'];

/** Compiled code is taken from the repository: compiling SQLite takes minutes. From version 13 on it is part of the package. */
function takeCompiled(installedModules: string): void {
  const build = path.join('better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
  const nested = path.join(installedModules, '@kebab', 'cli', 'node_modules', build);
  const compiled = path.join(root, 'node_modules', build);
  if (existsSync(compiled)) cpSync(compiled, nested);
}

beforeAll(async () => {
  if (!isBuilt) return;
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-journeys-'));
  registry = await LoopbackRegistry.open();
  for (const tarball of Object.values(await packAll(path.join(folder, 'packed'), INSTALLED))) registry.publish(tarball);
  const home = path.join(folder, 'home');
  mkdirSync(home);
  user = new Journey({ home, registry: registry.url, say: (line) => said.push(line) });
  installed = await useAsUser(user, { flags: ['--ignore-scripts'], afterInstall: takeCompiled });
}, 300_000);

afterAll(async () => {
  if (!isBuilt) return;
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!isBuilt)(`the published packages${unless}`, { timeout: 300_000 }, () => {
  it('install a working command line for a user from a registry in at most 90 MB', () => {
    expect(installed.megabytes).toBeGreaterThan(20);
    expect(installed.megabytes).toBeLessThan(90);
  });

  it('let a user install an optional part that doctor reported missing', async () => {
    expect(await usePart(user, { program: installed.program, part: 'pdf' })).toBeGreaterThan(20);
  });

  it('let an author create, test, publish, install, use, update and remove a plugin', async () => {
    const { tools, code } = await publishAsAuthor(user, installed);
    expect(tools).toBeLessThan(1);
    expect(code).toBeLessThanOrEqual(40);
  });

  it('include plugins that are found by their keyword and by a word', async () => {
    const found = await user.run(installed.program, ['plugin', 'search', 'logbook']);
    expect(found).toMatch(/^kebab-plugin-logbook 0\.2\.0  Reads files that end in \.logbook/);
  });
});
