import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** How a program ended. */
export interface Run {
  readonly code: number;
  readonly output: string;
}

/** A folder outside the repository in which plugins are built as strangers build them. */
export interface PluginWorkshop {
  readonly folder: string;
  /** Runs a program of Node in a folder of the workshop. */
  run(args: readonly string[], cwd: string): Promise<Run>;
  /** Compiles a project and runs its tests, as its `npm test` does. */
  test(project: string): Promise<Run>;
  remove(): void;
}

/**
 * Opens a workshop with `@kebab/core` as it would be published: built from its sources, packed by npm, unpacked. What it and
 * a plugin depend on is linked from the repository, so that no registry is asked.
 */
export async function openWorkshop(): Promise<PluginWorkshop> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-workshop-'));
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, '@kebab'), { recursive: true });
  mkdirSync(path.join(modules, '@types'), { recursive: true });
  await installCore(folder, path.join(modules, '@kebab', 'core'));
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'core', 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of [...Object.keys(dependencies), 'typescript', '@types/node'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name), 'junction');
  const run = (args: readonly string[], cwd: string): Promise<Run> => execute(process.execPath, args, cwd);
  return {
    folder,
    run,
    test: async (project) => {
      const built = await run([path.join(modules, 'typescript', 'bin', 'tsc')], project);
      const files = readdirSync(path.join(project, 'test')).filter((file) => file.endsWith('.test.ts'));
      const tests = files.map((file) => `dist/test/${file.replace(/ts$/, 'js')}`);
      return built.code === 0 ? run(['--test', ...tests], project) : built;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function installCore(folder: string, target: string): Promise<void> {
  const source = path.join(folder, 'core');
  const dist = path.join(source, 'dist');
  mkdirSync(dist, { recursive: true });
  cpSync(path.join(root, 'core', 'package.json'), path.join(source, 'package.json'));
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = path.join(root, 'core', 'tsconfig.json');
  const outputs = ['--outDir', dist, '--tsBuildInfoFile', path.join(dist, '.tsbuildinfo')];
  await orThrow(execute(process.execPath, [tsc, '-p', project, ...outputs], root));
  writeFileSync(path.join(source, '.npmrc'), 'offline=true\n');
  await orThrow(execute('npm', ['pack', '--silent', '--pack-destination', folder], source));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  mkdirSync(target);
  await orThrow(execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', target], folder));
}

async function orThrow(running: Promise<Run>): Promise<void> {
  const { code, output } = await running;
  if (code !== 0) throw new Error(output);
}

function execute(program: string, args: readonly string[], cwd: string): Promise<Run> {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });
}
