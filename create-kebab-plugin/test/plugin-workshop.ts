import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packAll } from '../../scripts/pack-packages.mjs';
import { outputOf, runProgram, type Run } from './run-program.ts';
import { testTogether, type TestedProject } from './test-together.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TSC = path.join('typescript', 'bin', 'tsc');

/** A folder outside the repository in which plugins are built like third-party plugins. */
export interface PluginWorkshop {
  readonly folder: string;
  /** Runs `npm test` in a project. Results are TAP, whatever the default of Node. */
  test(project: string): Promise<Run>;
  /** Tests projects in the folder of the workshop with one compiler and one test process; returns results by project. */
  testTogether(projects: readonly string[]): Promise<ReadonlyMap<string, TestedProject>>;
  remove(): void;
}

/**
 * Opens a workshop with the published form of `@kebab/plugin`. Tools and dependencies are linked from the repository, so no registry is
 * needed.
 */
export async function openWorkshop(): Promise<PluginWorkshop> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-workshop-'));
  const modules = path.join(folder, 'node_modules');
  for (const name of ['@kebab/plugin', '@types', '.bin']) mkdirSync(path.join(modules, name), { recursive: true });
  const [tarball = ''] = Object.values(await packAll(folder, ['kits/plugin']));
  await outputOf(
    runProgram('tar', ['-xzf', tarball, '--strip-components=1', '-C', path.join(modules, '@kebab', 'plugin')], {
      cwd: folder,
    }),
  );
  for (const name of ['typescript', 'zod', '@types/node'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name), 'junction');
  symlinkSync(path.join(modules, TSC), path.join(modules, '.bin', 'tsc'));
  return {
    folder,
    test: (project) => runProgram('npm', ['test'], { cwd: project, nodeOptions: '--test-reporter=tap' }),
    testTogether: (projects) => testTogether(projects, { folder, tsc: path.join(modules, TSC) }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
