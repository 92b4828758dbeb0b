import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli } from '../../host-cli/test/fakes/built-cli.ts';
import { generatePlugin } from '../src/generate-plugin.ts';
import { outputOf, runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-packed-'));
let expected: Readonly<Record<string, string>>;

beforeAll(() => {
  expected = projectIn(generatePlugin({ name: 'epub', kind: 'embedder', parent: below('sources') }).folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the templates of a plugin', () => {
  it('are included in the npm package', async () => {
    const program = path.join(await unpacked(), 'bin', 'create-kebab-plugin.js');
    const cwd = below('packed');
    await outputOf(runProgram(process.execPath, [program, 'epub', '--kind', 'embedder'], { cwd }));
    expect(projectIn(path.join(cwd, 'kebab-plugin-epub'))).toEqual(expected);
  });

  it('are included in the bundled command line', async () => {
    const cli = await buildCli();
    try {
      const home = cli.newHome();
      const run = await cli.run(['plugin', 'new', 'epub', '--kind', 'embedder'], { home });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(projectIn(path.join(home.folder, 'kebab-plugin-epub'))).toEqual(expected);
    } finally {
      await cli.remove();
    }
  });
});

/** The file texts of a project by path. */
function projectIn(project: string): Readonly<Record<string, string>> {
  const files = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(8);
  const texts = files.map(({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return [path.relative(project, file), readFileSync(file, 'utf8')];
  });
  return Object.fromEntries(texts);
}

/** Builds the package from its sources, packs it as npm would publish it, and unpacks it. */
async function unpacked(): Promise<string> {
  const source = below('package-source');
  for (const part of ['package.json', 'bin', 'templates'])
    cpSync(path.join(root, 'create-kebab-plugin', part), path.join(source, part), { recursive: true });
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = path.join(root, 'create-kebab-plugin', 'tsconfig.json');
  const dist = path.join(source, 'dist');
  const args = [tsc, '-p', project, '--outDir', dist, '--tsBuildInfoFile', path.join(dist, '.tsbuildinfo')];
  await outputOf(runProgram(process.execPath, args, { cwd: root }));
  writeFileSync(path.join(source, '.npmrc'), 'offline=true\n');
  await outputOf(runProgram('npm', ['pack', '--silent'], { cwd: source }));
  const tarball = readdirSync(source).find((name) => name.endsWith('.tgz')) ?? '';
  const target = below('package');
  await outputOf(
    runProgram('tar', ['-xzf', path.join(source, tarball), '--strip-components=1', '-C', target], { cwd: target }),
  );
  return target;
}

function below(name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made);
  return made;
}
