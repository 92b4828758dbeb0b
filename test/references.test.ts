import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtins } from '@kebab/builtins';
import type { Plugin } from '@kebab/core';
import { contributedIds } from '@kebab/core/suites';

const root = fileURLToPath(new URL('..', import.meta.url));
const { workspaces: patterns } = json('package.json') as { readonly workspaces: readonly string[] };
const workspaces = patterns.flatMap((pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(path.join(root, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -1)}${name}`)
    : [pattern],
);
const names = new Map(workspaces.filter(isPackage).map((folder) => [nameOf(folder), folder]));

function json(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

function isPackage(folder: string): boolean {
  return existsSync(path.join(root, folder, 'package.json'));
}

function nameOf(folder: string): string {
  return (json(`${folder}/package.json`) as { readonly name: string }).name;
}

/** The folders of the workspaces that a tsconfig references. */
function referencesOf(file: string): readonly string[] {
  const { references = [] } = json(file) as { readonly references?: readonly { readonly path: string }[] };
  return references.map((reference) => path.join(path.dirname(file), reference.path)).toSorted(byName);
}

/** The folders of the workspaces that a package depends on. */
function dependenciesOf(folder: string): readonly string[] {
  const { dependencies, peerDependencies } = json(`${folder}/package.json`) as Record<string, object | undefined>;
  return Object.keys({ ...dependencies, ...peerDependencies })
    .flatMap((name) => names.get(name) ?? [])
    .toSorted(byName);
}

/** Plugins that are not bundled with kebab and are installed separately. */
const OPTIONAL: ReadonlySet<string> = new Set(
  ['docx', 'eml', 'epub', 'pptx', 'xlsx'].map((format) => `@kebab/plugin-${format}`),
);

describe('the references to a workspace', () => {
  it.each([...names.values()])(
    '%s/tsconfig.json references the workspaces that its package.json depends on',
    (folder) => {
      expect(referencesOf(`${folder}/tsconfig.json`)).toEqual(dependenciesOf(folder));
    },
  );

  it.each(['tsconfig.json', 'tsconfig.test.json'])('%s references every workspace', (file) => {
    expect(referencesOf(file)).toEqual([...names.values()].toSorted(byName));
  });

  it('builtins/src/index.ts lists every plugin but the optional ones, which builtins/package.json depends on', () => {
    const plugins = [...names.keys()]
      .filter((name) => name.startsWith('@kebab/plugin-') && !OPTIONAL.has(name))
      .toSorted(byName);
    expect(builtins.map(({ manifest }) => manifest.name).toSorted(byName)).toEqual(plugins);
    const expected = plugins.map((name) => names.get(name));
    expect(dependenciesOf('builtins').filter((folder) => folder !== 'core')).toEqual(expected);
  });
});

describe('the plugins that are bundled with kebab', () => {
  it.each(builtins)('$manifest.name contributes what its package.json names', async ({ manifest, load }) => {
    expect(contributedIds((await load()).default as Plugin)).toEqual(manifest.contributes);
  });
});

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** The documents that describe the sources to contributors. */
const MAPS = ['ARCHITECTURE.md', ...workspaces.map((folder) => `${folder}/README.md`)].filter((file) =>
  existsSync(path.join(root, file)),
);

describe('the files named in the descriptions of the sources', () => {
  const files = [
    ...workspaces.map((folder) => `${folder}/src`),
    ...workspaces.map((folder) => `${folder}/bin`),
    'scripts',
    'bench',
    'docs',
  ]
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `/${folder}/${file.split(path.sep).join('/')}`,
      ),
    );

  it.each(MAPS)('%s names only TypeScript files that exist', (map) => {
    const named = [
      ...readFileSync(path.join(root, map), 'utf8').matchAll(/`((?:[\w.-]+\/)*[a-z][\w-]*\.(?:ts|mjs|cjs))`/g),
    ];
    const missing = named.flatMap(([, name = '']) => (files.some((file) => file.endsWith(`/${name}`)) ? [] : [name]));
    expect(missing).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const sectionOf = (title: string): string => text.split(`\n## ${title}\n`)[1]?.split('\n## ', 1)[0] ?? '';

  it('follows a search and an ingested file through ten files each', () => {
    const rows = sectionOf('A search and a file, each in ten files').matchAll(/^\| (\d+) \| `([\w./-]+)` \|/gm);
    const steps = [...rows].map(([, step, file = '']) => ({
      step: Number(step),
      exists: existsSync(path.join(root, file)),
    }));
    const ten = Array.from({ length: 10 }, (_, at) => ({ step: at + 1, exists: true }));
    expect(steps).toEqual([...ten, ...ten]);
  });

  it('has a line for every folder of the core', () => {
    const rows = sectionOf('Where things are').matchAll(/^\| \d+ \| (.+?) \|/gm);
    const named = [...rows].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w]+)`/g)].map(([, folder = '']) => folder),
    );
    const folders = readdirSync(path.join(root, 'core/src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(named.toSorted(byName)).toEqual(folders.map(({ name }) => name).toSorted(byName));
  });

  /** The names of the source files whose text matches. */
  const sourcesWith = (pattern: RegExp): readonly string[] =>
    workspaces
      .map((folder) => path.join(root, folder, 'src'))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
      )
      .filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(file, 'utf8')))
      .map((file) => path.basename(file));

  it('names every file that starts a process or a thread', () => {
    const map = sectionOf('Processes and threads');
    const files = sourcesWith(/\b(?:fork|spawn|promisify\(execFile\)|new Worker|new Thread|\.createWorker)\(/);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((name) => !map.includes(name))).toEqual([]);
  });

  it('names every file with a cache, of which there are at most six', () => {
    const section = sectionOf('Caches');
    const files = sourcesWith(/\bnew LRU\b|\bnew ResidentCodes\b|\bLeast recently used first\b/);
    expect(files.filter((name) => !section.includes(`/${name}\``))).toEqual([]);
    const rows = [...section.matchAll(/^\| `([\w./-]+)` \|/gm)].map(([, file = '']) => path.basename(file));
    expect(rows.length).toBeLessThanOrEqual(6);
    expect(rows.filter((name) => !files.includes(name))).toEqual([]);
  });
});
