import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf, runProgram, type Run } from './run-program.ts';
import { testTogether, type TestedProject } from './test-together.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TSC = path.join('typescript', 'bin', 'tsc');

/** A folder outside the repository in which plugins are built as third parties build them. */
export interface PluginWorkshop {
  readonly folder: string;
  /** Runs `npm test` in a project. The results are written as TAP, whatever Node's habit is. */
  test(project: string): Promise<Run>;
  /** Tests projects that lie in the folder of the workshop with one compiler and one process; gives results by project. */
  testTogether(projects: readonly string[]): Promise<ReadonlyMap<string, TestedProject>>;
  remove(): void;
}

/**
 * Opens a workshop with `@kebab/core` as it would be published: built from its sources, packed by npm, unpacked. What it and
 * a plugin depend on is linked from the repository, so that no registry is asked.
 */
export async function openWorkshop(): Promise<PluginWorkshop> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-workshop-'));
  const modules = path.join(folder, 'node_modules');
  for (const name of ['@kebab', '@types', '.bin']) mkdirSync(path.join(modules, name), { recursive: true });
  await installCore(folder, path.join(modules, '@kebab', 'core'));
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'core', 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of [...Object.keys(dependencies), 'typescript', '@types/node']) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name), 'junction');
  }
  symlinkSync(path.join(modules, TSC), path.join(modules, '.bin', 'tsc'));
  return {
    folder,
    test: (project) => runProgram('npm', ['test'], { cwd: project, nodeOptions: '--test-reporter=tap' }),
    testTogether: (projects) => testTogether(projects, { folder, tsc: path.join(modules, TSC) }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What `npm run build` checks is not checked again, and no source maps are made: a plugin reads declarations and code. */
const QUICKLY = ['--noCheck', '--declarationMap', 'false', '--sourceMap', 'false'];

async function installCore(folder: string, target: string): Promise<void> {
  const source = path.join(folder, 'core');
  const dist = path.join(source, 'dist');
  mkdirSync(dist, { recursive: true });
  cpSync(path.join(root, 'core', 'package.json'), path.join(source, 'package.json'));
  const tsc = path.join(root, 'node_modules', TSC);
  const outputs = ['--outDir', dist, '--tsBuildInfoFile', path.join(dist, '.tsbuildinfo')];
  const args = [tsc, '-p', path.join(root, 'core', 'tsconfig.json'), ...outputs, ...QUICKLY];
  await outputOf(runProgram(process.execPath, args, { cwd: root }));
  writeFileSync(path.join(source, '.npmrc'), 'offline=true\n');
  await outputOf(runProgram('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source }));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  mkdirSync(target);
  await outputOf(runProgram('tar', ['-xzf', tarball, '--strip-components=1', '-C', target], { cwd: folder }));
}
