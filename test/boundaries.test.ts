import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CHECK = fileURLToPath(new URL('../scripts/check-boundaries.mjs', import.meta.url));

const forbidden: readonly (readonly [rule: string, folder: string, text: string])[] = [
  ['core-domain', 'core/src/domain', `import { runIngest } from '../ingest/idea.ts';`],
  ['core-ingest', 'core/src/ingest', `import type { App } from '../app/idea.ts';`],
  ['core-ask', 'core/src/ask', `import type { SearchDocuments } from '../search/idea.ts';`],
  ['core-ask', 'core/src/ask/run', `const search = await import('../../search/idea.ts');`],
  ['core-ask', 'core/src/ask', `type Searching = typeof import('../search/idea.ts');`],
  ['core-config', 'core/src/config', `export { idea } from '../documents/idea.ts';`],
  ['core-documents', 'core/src/documents', `import { idea } from '../embedding/idea.ts';`],
  ['core-knows-no-plugin', 'core/src/admin', `const suites = await import('@kebab/testing');`],
  ['suites-for-tests', 'core/src/admin', `import { idea } from '../suites.ts';`],
  ['suites-see-the-core', 'testing/src', `import md from '@kebab/plugin-md';`],
  ['core-search', 'core/src/search', `import { openApp } from '../engine.ts';`],
  ['core-folder-without-a-level', 'core/src/helpers', `import { idea } from '../domain/idea.ts';`],
  ['core-knows-no-plugin', 'core/src/search', `import md from '@kebab/plugin-md';`],
  ['plugins-see-the-vocabulary', 'plugins/md/src', `import { openApp } from '@kebab/core/app';`],
  ['suites-for-tests', 'plugins/md/src', `import { extractorSuite } from '@kebab/testing';`],
  ['suites-for-tests', 'host-cli/src', `const suites = await import('@kebab/testing');`],
  ['plugins-see-the-vocabulary', 'plugins/code-rust/src', `import md from '@kebab/plugin-md';`],
  ['code-kit-for-languages', 'plugins/md/src', `import { unit } from '@kebab/code-kit';`],
  ['kits-test-with-the-suites', 'kits/code/src/testing', `import { openApp } from '@kebab/core/app';`],
  ['hosts-see-the-facade', 'host-cli/src', `const md = await import('@kebab/plugin-md');`],
  ['hosts-see-types-of-core', 'host-cli/src', `import { blake3Hex } from '@kebab/core';`],
  ['no-reaching-into-packages', 'host-cli/src', `import { App } from '../../core/src/app/idea.ts';`],
  ['one-command-runs-the-generator', 'host-cli/src', `import { generate } from 'create-kebab-plugin';`],
  ['the-generator-stands-alone', 'create-kebab-plugin/src', `import { blake3Hex } from '@kebab/core';`],
  ['pure-domain', 'core/src/domain', `import { readFile } from 'node:fs/promises';`],
  ['container-in-one-folder', 'core/src/search', `import { container } from 'tsyringe';`],
  ['heavy-on-first-use', 'plugins/md/src', `import { getDocument } from 'pdfjs-dist';`],
  [
    'heavy-on-first-use',
    'plugins/md/src',
    `import { getDocument } from 'pdfjs-dist'; const again = await import('pdfjs-dist');`,
  ],
  ['everything-is-found', 'plugins/md/src', `import { parse } from 'no-such-package';`],
];

const allowed: readonly (readonly [folder: string, text: string])[] = [
  ['core/src/contracts', `import type { ChunkId } from '../domain/idea.ts';`],
  ['core/src/ask/run', `import { idea } from '../../documents/idea.ts';`],
  ['core/src/composition', `import { container } from 'tsyringe'; import { idea } from '../search/idea.ts';`],
  ['plugins/code-rust/src', `import { unit } from '@kebab/code-kit'; import type { Chunk } from '@kebab/core';`],
  ['plugins/md/src', `const { getDocument } = await import('pdfjs-dist');`],
  ['plugins/md/src', `import type { PDFPageProxy } from 'pdfjs-dist';`],
  ['kits/code/src/testing', `import { extractorSuite } from '@kebab/testing';`],
  ['host-cli/src', `import { type Chunk } from '@kebab/core'; import { openApp } from '@kebab/core/app';`],
  ['testing/src', `import { idea } from '@kebab/core/suites'; import type { Chunk } from '@kebab/core';`],
  ['builtins/src', `export const md = () => import('@kebab/plugin-md');`],
];

/** Packages of a small checkout, with the files that can be imported from each. */
const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  core: { '.': 'src/index.ts', './app': 'src/engine.ts', './suites': 'src/suites.ts' },
  testing: { '.': 'src/index.ts' },
  'kits/code': { '.': 'src/index.ts' },
  'plugins/md': { '.': 'src/index.ts' },
  'plugins/code-rust': { '.': 'src/index.ts' },
  'create-kebab-plugin': { '.': 'src/index.ts' },
};
const NAMES: Readonly<Record<string, string>> = {
  core: '@kebab/core',
  testing: '@kebab/testing',
  'kits/code': '@kebab/code-kit',
  'plugins/md': '@kebab/plugin-md',
  'plugins/code-rust': '@kebab/plugin-code-rust',
  'create-kebab-plugin': 'create-kebab-plugin',
};
const IDEAS = ['domain', 'ingest', 'app', 'search', 'documents', 'embedding'];

let checkout: string;
let offences: readonly string[];

beforeAll(() => {
  checkout = mkdtempSync(path.join(tmpdir(), 'kebab-boundaries-'));
  const write = (file: string, text: string): void => {
    mkdirSync(path.join(checkout, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(checkout, file), text);
  };
  const workspaces = ['core', 'testing', 'kits/*', 'plugins/*', 'builtins', 'host-cli', 'create-kebab-plugin'];
  write('package.json', JSON.stringify({ workspaces }));
  for (const [folder, doors] of Object.entries(PACKAGES)) {
    const exports = Object.fromEntries(
      Object.entries(doors).map(([door, file]) => [door, { 'kebab-src': `./${file}` }]),
    );
    write(`${folder}/package.json`, JSON.stringify({ name: NAMES[folder], type: 'module', exports }));
    for (const file of Object.values(doors)) write(`${folder}/${file}`, 'export const idea = 1;\n');
    const link = path.join(checkout, 'node_modules', NAMES[folder] ?? '');
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(checkout, folder), link, 'junction');
  }
  for (const folder of IDEAS) write(`core/src/${folder}/idea.ts`, 'export const idea = 1;\n');
  for (const library of ['pdfjs-dist', 'tsyringe']) {
    write(`node_modules/${library}/package.json`, JSON.stringify({ name: library, main: 'index.js' }));
    write(`node_modules/${library}/index.js`, '');
  }
  for (const [at, [, folder, text]] of forbidden.entries()) write(`${folder}/forbidden-${at}.ts`, text);
  for (const [at, [folder, text]] of allowed.entries()) write(`${folder}/allowed-${at}.ts`, text);
  write('plugins/md/src/parse/tree.ts', `import type { Mark } from '../marks/mark.ts';`);
  write('plugins/md/src/marks/mark.ts', `import type { Tree } from '../parse/other.ts';`);
  write('plugins/md/src/parse/other.ts', 'export type Tree = 1;\n');
  const { stderr } = spawnSync(process.execPath, [CHECK, checkout], { encoding: 'utf8' });
  offences = stderr.split('\n');
});

afterAll(() => rmSync(checkout, { recursive: true, force: true }));

describe('the import boundaries between packages and folders', () => {
  it.each(forbidden.map((row, at) => [...row, at] as const))('%s: %s may not contain %s', (rule, folder, _, at) => {
    expect(offences.some((line) => line.startsWith(`${folder}/forbidden-${at}.ts: ${rule}: `))).toBe(true);
  });

  it.each(allowed.map((row, at) => [...row, at] as const))('%s may contain %s', (folder, _, at) => {
    expect(offences.filter((line) => line.startsWith(`${folder}/allowed-${at}.ts: `))).toEqual([]);
  });

  it('reject a cycle between two folders, even through types in different files', () => {
    const circle = (from: string, to: string): string =>
      `plugins/md/src/${from}: no-circle-of-folders: imports "plugins/md/src/${to}"`;
    for (const said of [circle('marks', 'parse'), circle('parse', 'marks')])
      expect(offences.some((line) => line.startsWith(said))).toBe(true);
  });

  it('name the remedy in every message', () => {
    expect(offences.find((line) => line.includes(': container-in-one-folder: '))).toMatch(
      /imports "node_modules\/tsyringe\/index\.js": a container is wiring: take what you need as a parameter/,
    );
  });

  it('fail for a checkout in which hardly any file can be read', () => {
    expect(offences.join('\n')).toMatch(/only \d+ modules were read/);
  });
});
