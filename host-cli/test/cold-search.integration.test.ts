import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, jsonLines, type BuiltCli, type CliHome } from './fakes/built-cli.ts';

const recorder = fileURLToPath(new URL('./fixtures/record-modules.cjs', import.meta.url));

/** Libraries that a search does not need, each of which would cost at least a fifth of an empty process. */
const HEAVY =
  /node_modules\/(?:zod|yaml|cosmiconfig|picomatch|satteri|web-tree-sitter|tree-sitter-[^/]+|pino|semver|import-meta-resolve|picocolors|fast-[^/]+)\//;

let cli: BuiltCli;
let home: CliHome;

beforeAll(async () => {
  cli = await buildCli();
  home = cli.newHome();
  home.write('notes.md', '# Notes\n\nabout sourdough\n');
  await cli.run(['init'], { home });
  await cli.run(['ingest'], { home });
}, 60_000);

afterAll(() => cli.remove());

/** The source files that a command loaded, wherever the bundle put them, and the names of the chunks. */
async function loadedBy(...line: string[]) {
  const record = path.join(home.folder, 'modules.json');
  const nodeArgs = ['--require', recorder];
  const { code, stdout } = await cli.run(line, { home, nodeArgs, env: { RECORD_MODULES: record } });
  const files = JSON.parse(readFileSync(record, 'utf8')) as string[];
  const names = new Set(files.map((file) => path.basename(file)));
  const chunks = cli.chunks.filter(({ fileName }) => names.has(fileName));
  const modules = [
    ...files.filter((file) => file.includes('node_modules')),
    ...chunks.flatMap(({ moduleIds }) => moduleIds),
  ];
  return { code, stdout, modules, chunks: chunks.map(({ fileName }) => fileName) };
}

describe('a cold search', { timeout: 60_000 }, () => {
  it('loads no library that it does not need', async () => {
    for (let run = 0; run < 2; run++) {
      const { code, stdout, modules } = await loadedBy('search', 'sourdough', '--json');
      expect([code, jsonLines(stdout).length]).toEqual([0, 1]);
      expect(modules.some((file) => file.includes('better-sqlite3'))).toBe(true);
      expect(modules.some((file) => file.endsWith('core/src/search/search-documents.ts'))).toBe(true);
      expect(modules.filter((file) => HEAVY.test(file))).toEqual([]);
    }
  });

  it('loads no code for terminal output, help or other commands', async () => {
    const { modules, chunks } = await loadedBy('search', 'sourdough', '--json', '--mode', 'lexical');
    const ours = modules.filter((file) => /host-cli\/src\/(?:commands|screen|progress)\//.test(file));
    expect(ours.map((file) => path.basename(file))).toEqual(['search.ts']);
    expect(chunks.length).toBeLessThanOrEqual(4);
    const hybrid = await loadedBy('search', 'sourdough', '--json'); // one more finds that there is no model
    expect(hybrid.chunks.length).toBeLessThanOrEqual(5);
  });
});
