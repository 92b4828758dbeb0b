import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTinyModel } from '../kits/onnx/src/testing/index.ts';
import { makePdf } from '../plugins/pdf/test/make-pdf.ts';
import { buildCli, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
/** Packages that an installed kebab does not include. */
const LARGE = ['sharp', 'tesseract.js', '@tesseract.js-data', '@napi-rs', 'onnxruntime-node', '@huggingface'];

let cli: BuiltCli;
let home: CliHome;

/** The bundle as installed: with the packages it includes, without those of optional parts. */
beforeAll(async () => {
  cli = await buildCli();
  const installed = path.join(path.dirname(cli.bin), '..', '..', 'node_modules');
  rmSync(installed);
  mkdirSync(installed);
  for (const name of readdirSync(modules))
    if (!LARGE.includes(name) && !name.startsWith('.'))
      symlinkSync(path.join(modules, name), path.join(installed, name), 'junction');
  home = cli.newHome();
});
afterAll(() => cli.remove());

const run = (...line: string[]) => cli.run(line, { home });

interface Part {
  readonly name: string;
  readonly folder: string;
  readonly packages: readonly string[];
}

/** Puts a part where it would be installed, from the packages of this checkout. */
function place(part: string, packages: readonly string[]): void {
  const target = folderOf(part);
  mkdirSync(path.join(target, 'node_modules'), { recursive: true });
  writeFileSync(path.join(target, 'package.json'), '{}');
  for (const name of packages)
    symlinkSync(path.join(modules, name), path.join(target, 'node_modules', name), 'junction');
}

/** Every search that would use the model names the command, with or without vectors in the index. */
async function expectNamed(env: Readonly<Record<string, string>>): Promise<void> {
  const json = await cli.run(['search', 'red apple', '--json'], { home, env });
  const hint = '`kebab plugin install embeddings`';
  expect(JSON.parse(json.stdout)).toMatchObject({
    mode: 'lexical',
    hits: [{ doc_path: 'apple.md' }],
    degraded: [{ stage: 'vector', reason: 'model_not_pulled', hint }],
  });
  const only = await cli.run(['search', 'red apple', '--mode', 'vector'], { home, env });
  expect([only.code, only.stderr]).toEqual([2, expect.stringContaining(hint)]);
}

/** Removes a part. */
function removePart(part: string): void {
  rmSync(folderOf(part), { recursive: true });
}

function folderOf(part: string): string {
  const folder = parts().find(({ name }) => name === part)?.folder ?? '';
  return path.join(home.env['XDG_DATA_HOME'] ?? '', 'kebab', 'plugins', 'parts', folder);
}

function parts(): readonly Part[] {
  const { parts: listed } = JSON.parse(readFileSync(path.join(cli.bundleFolder, 'parts', 'index.json'), 'utf8'));
  return listed as readonly Part[];
}

// Each test starts several processes, on a machine that may be busy.
describe('optional parts', { timeout: 120_000 }, () => {
  it('are named, with the command that installs them, by doctor and by an ingest that continues without one', async () => {
    const { stdout } = await run('doctor');
    for (const name of ['ocr', 'pdf', 'embeddings']) expect(stdout).toContain(`\`kebab plugin install ${name}\``);
    home.write('a.png', Buffer.from(PIXEL, 'base64'));
    home.write('b.md', '# Harbour\n\nA crane.\n');
    const read = await cli.run(['ingest'], { home, env: { KEBAB_OCR_ENGINE: 'tesseract' } });
    expect(read.code).toBe(0);
    expect(`${read.stdout}${read.stderr}`).toContain('notice: ocr off (model_not_pulled) — `kebab plugin install ocr`');
    expect((await run('search', 'crane', '-l')).stdout).toMatch(/\/b\.md\n$/);
  });

  it('are not needed to read the text of PDF files; drawing a page names the one it needs', async () => {
    const texts = [{ text: 'The lighthouse keeper sleeps in the tower above the harbour.', x: 72, y: 700 }];
    home.write('paper.pdf', makePdf({ pages: [{ texts }] }));
    expect((await run('ingest', '--quiet')).stderr).toBe('');
    expect((await run('search', 'lighthouse', '-l')).stdout).toMatch(/\/paper\.pdf\n$/);
    const drawn = await run('snap', 'paper.pdf#p=1');
    expect([drawn.code, drawn.stderr]).toEqual([2, expect.stringContaining('kebab plugin install pdf')]);
  });

  it('are used when installed in kebab’s own folder', async () => {
    place('pdf', ['@napi-rs', 'pdfjs-dist']);
    expect((await run('doctor')).stdout).not.toContain('kebab plugin install pdf');
    expect(await run('snap', 'paper.pdf#p=1', '--output', 'page.png')).toMatchObject({ code: 0, stderr: '' });
  });

  it('run models with only the runtime in the part for embeddings', async () => {
    const model = path.join(home.folder, 'tiny model');
    writeTinyModel(model, { maxTokens: 64 });
    const state = path.join(home.folder, 'state of its own'); // where what is said once a day was not said yet
    const env = { KEBAB_MODELS_EMBEDDING_MODEL: model, XDG_STATE_HOME: state };
    home.write('apple.md', '# Apple\n\nred apple pie\n');
    expect((await cli.run(['ingest'], { home, env })).stderr).toContain('kebab plugin install embeddings');
    await expectNamed(env);
    place('embeddings', ['onnxruntime-node', 'onnxruntime-common']);
    expect((await cli.run(['ingest'], { home, env })).stderr).toBe('');
    const found = await cli.run(['search', 'red apple', '--mode', 'vector', '-l'], { home, env });
    expect([found.code, found.stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/\/apple\.md$/)]);
    removePart('embeddings');
    await expectNamed(env);
  });

  it('are pinned by version and integrity, including all dependencies', () => {
    expect(parts().map(({ name }) => name)).toEqual(['ocr', 'pdf', 'embeddings']);
    for (const { name, packages } of parts()) {
      const files = JSON.parse(readFileSync(path.join(cli.bundleFolder, 'parts', `${name}.json`), 'utf8'));
      const { '': own, ...pinned } = JSON.parse(files.lock).packages;
      expect(Object.keys(own.dependencies)).toEqual(packages);
      expect(Object.keys(JSON.parse(files.package).dependencies)).toEqual(packages);
      for (const entry of Object.values(pinned))
        expect(entry).toMatchObject({
          version: expect.stringMatching(/^\d/),
          integrity: expect.stringMatching(/^sha512-/),
        });
    }
  });
});

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
