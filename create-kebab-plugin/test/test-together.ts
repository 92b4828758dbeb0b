import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { outputOf, runProgram } from './run-program.ts';

/** The test results of one project. */
export interface TestedProject {
  /** Its suites in order, each as `ok NAME` or `not ok NAME`. */
  readonly suites: readonly string[];
  /** How many tests of its suites passed. */
  readonly passed: number;
  /** The complete output, as TAP. */
  readonly output: string;
}

const TESTS = path.join('dist', 'test');

/**
 * Tests projects that are in one folder and share their compiler options: compiles them at once and runs their test files one after another
 * in one process. Equivalent to `npm test` in each, without starting the programs each time.
 */
export async function testTogether(
  projects: readonly string[],
  { folder, tsc }: { readonly folder: string; readonly tsc: string },
): Promise<ReadonlyMap<string, TestedProject>> {
  await compileTogether(projects, { folder, tsc });
  const files = projects.map((project) =>
    readdirSync(path.join(project, TESTS))
      .filter((file) => file.endsWith('.test.js'))
      .map((file) => pathToFileURL(path.join(project, TESTS, file)).href),
  );
  const all = path.join(folder, 'all.mjs');
  writeFileSync(all, RUN_ALL(files));
  const { output } = await runProgram(process.execPath, ['--test-reporter=tap', all], { cwd: folder });
  const parts = output.split(MARK).slice(1);
  if (parts.length !== projects.length) throw new Error(output);
  return new Map(projects.map((project, at) => [project, resultOf(parts[at] ?? '')]));
}

function resultOf(output: string): TestedProject {
  const suites = [...output.matchAll(/^((?:not )?ok) \d+ - (.*)$/gm)].map(
    ([, how = '', name = '']) => `${how} ${name}`,
  );
  const passed = [...output.matchAll(/^ +ok \d+ - (?!.*# SKIP)/gm)].length;
  return { suites, passed, output };
}

/** A test of this name precedes those of each project. */
const MARK = /^# Subtest: next project\n(?:.*\n)*?ok \d+ - next project\n/m;
const RUN_ALL = (files: readonly (readonly string[])[]): string => `import { test } from 'node:test';
for (const project of ${JSON.stringify(files)}) {
  test('next project', () => {});
  for (const file of project) await import(file);
}
`;

/** Compiles projects that are in one folder and share their compiler options, each into its `dist`. */
async function compileTogether(
  projects: readonly string[],
  { folder, tsc }: { readonly folder: string; readonly tsc: string },
): Promise<void> {
  const options = new Set(projects.map((project) => readFileSync(path.join(project, 'tsconfig.json'), 'utf8')));
  if (options.size !== 1) throw new Error('the projects have different compiler options');
  const names = projects.map((project) => path.relative(folder, project));
  const built = path.join(folder, 'built');
  const config = {
    extends: `./${names[0]}/tsconfig.json`,
    compilerOptions: { rootDir: '.', outDir: 'built' },
    include: names.flatMap((name) => [`${name}/src`, `${name}/test`]),
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  await outputOf(runProgram(process.execPath, [tsc, '-p', folder], { cwd: folder }));
  for (const [at, project] of projects.entries())
    renameSync(path.join(built, names[at] ?? ''), path.join(project, 'dist'));
}
