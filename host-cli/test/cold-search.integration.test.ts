import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEBAB_VERSION } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, jsonLines, type BuiltCli, type CliHome } from './fakes/built-cli.ts';

const recorder = fileURLToPath(new URL('./fixtures/record-modules.cjs', import.meta.url));

/** Large libraries, which a search by words does not need. */
const HEAVY =
  /node_modules\/(?:pdfjs-dist|@napi-rs|sharp|tesseract\.js|onnxruntime-[^/]+|@huggingface|web-tree-sitter|tree-sitter-[^/]+|@modelcontextprotocol|satteri|linkedom|ollama|@qdrant|undici)\//;

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

/** The files that a command loaded, and the source files that the bundle put into them. */
async function loadedBy(...line: string[]) {
  const record = path.join(home.folder, 'modules.json');
  const nodeArgs = ['--require', recorder];
  const { code, stdout } = await cli.run(line, { home, nodeArgs, env: { RECORD_MODULES: record } });
  const files = JSON.parse(readFileSync(record, 'utf8')) as string[];
  const names = new Set(files.map((file) => path.basename(file)));
  const chunks = cli.chunks.filter(({ fileName }) => names.has(fileName));
  return { code, stdout, modules: [...files, ...chunks.flatMap(({ moduleIds }) => moduleIds)] };
}

describe('a search by words', { timeout: 60_000 }, () => {
  it('loads no large library that it does not need, and no code of other commands', async () => {
    const { code, stdout, modules } = await loadedBy('search', 'sourdough', '--json', '--mode', 'lexical');
    expect([code, jsonLines(stdout).length]).toEqual([0, 1]);
    expect(modules.some((file) => file.includes('better-sqlite3'))).toBe(true);
    expect(modules.some((file) => file.endsWith('core/src/search/search-documents.ts'))).toBe(true);
    expect(modules.filter((file) => HEAVY.test(file))).toEqual([]);
    expect(
      modules.filter((file) => /core\/src\/(?:ask|eval|fetch)\/|host-cli\/src\/commands\/(?!search)/.test(file)),
    ).toEqual([]);
  });

  it('loads neither what changes schemas of databases nor the rules of proxies', async () => {
    const { modules } = await loadedBy('search', 'sourdough', '--json', '--mode', 'lexical');
    expect(modules.filter((file) => /kysely\/.*\/(?:schema|migration)\/|plugin\/proxies\.ts/.test(file))).toEqual([]);
  });
});

describe('the version', { timeout: 60_000 }, () => {
  it.each(['--version', '-V', 'version'])('is answered by %s without loading a command', async (word) => {
    const { code, stdout, modules } = await loadedBy(word);
    expect([code, stdout]).toEqual([0, `kebab ${KEBAB_VERSION}\n`]);
    expect(modules.filter((file) => /host-cli\/src\/(?:cli|command|commands|program)\b/.test(file))).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full'))('is an error where it cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [cli.bin, '--version'], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let told = '';
    child.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
    expect(told).toMatch(/^error: no space left on device/);
  });
});
