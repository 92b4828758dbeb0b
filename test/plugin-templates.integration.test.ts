import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatePlugin } from '../create-kebab-plugin/src/generate-plugin.ts';
import { TEMPLATE_KINDS, type TemplateKind } from '../create-kebab-plugin/src/templates.ts';
import { openWorkshop, type PluginWorkshop } from '../create-kebab-plugin/test/plugin-workshop.ts';
import type { TestedProject } from '../create-kebab-plugin/test/test-together.ts';
import { buildCli, type BuiltCli } from '../host-cli/test/fakes/built-cli.ts';

let cli: BuiltCli;
let workshop: PluginWorkshop;
const projects = new Map<TemplateKind, string>();
const NOTHING: TestedProject = { suites: [], passed: 0, output: 'it was not tested' };
let tested: ReadonlyMap<string, TestedProject>;

beforeAll(async () => {
  [cli, workshop] = await Promise.all([buildCli(), openWorkshop()]);
  for (const kind of TEMPLATE_KINDS)
    projects.set(kind, generatePlugin({ name: `@acme/kebab-plugin-my-${kind}`, kind, parent: workshop.folder }).folder);
  tested = await workshop.testTogether([...projects.values()]);
});

afterAll(async () => {
  await cli.remove();
  workshop.remove();
});

const projectOf = (kind: TemplateKind): string => projects.get(kind) ?? '';

describe('a plugin as `kebab plugin new` writes it', () => {
  it.each(TEMPLATE_KINDS)(
    'of kind %s builds with only the published @kebab/plugin, and passes its contract suite',
    (kind) => {
      const { suites, passed, output } = tested.get(projectOf(kind)) ?? NOTHING;
      const contribution = `ok ${kind} my-${kind.replaceAll('_', '-')}`;
      expect(suites, output).toEqual(['ok Plugin', contribution, 'ok Plugin, closed', 'ok README.md']);
      expect(passed).toBeGreaterThan(6);
    },
  );

  it.each(TEMPLATE_KINDS)('of kind %s passes `kebab plugin test .`', async (kind) => {
    const home = cli.newHome();
    const { code, stdout } = await cli.run(['plugin', 'test', '.'], { home, cwd: projectOf(kind) });
    expect(stdout).toMatch(/passed, 0 failed/);
    expect(code).toBe(0);
  });

  it('keeps vectors between runs when it is a vector store', async () => {
    const home = cli.newHome();
    home.write('coast.md', '# Coast\n\nThe old lighthouse stands on the rock.\n');
    home.write('bread.md', '# Bread\n\nFlour, water and salt.\n');
    const env = { KEBAB_STORAGE_VECTOR_STORE: 'my-vector-store', KEBAB_MODELS_EMBEDDING_PROVIDER: 'my-embedder' };
    const flags = ['--plugin', projectOf('vector_store'), '--plugin', projectOf('embedder'), '--quiet'];
    expect(await cli.run(['ingest', ...flags], { home, env })).toMatchObject({ code: 0, stderr: '' });
    const search = ['search', 'old lighthouse', '--mode', 'vector', '--json', ...flags];
    const found = await cli.run(search, { home, env });
    expect(found).toMatchObject({ code: 0 });
    expect(JSON.parse(found.stdout)).toMatchObject({ mode: 'vector', hits: [{ doc_path: 'coast.md' }] });
  });

  it('makes pictures searchable by their recognised text when it is an OCR engine', async () => {
    const home = cli.newHome();
    const fixtures = pathToFileURL(path.join(projectOf('ocr'), 'dist', 'test', 'fixtures.js')).href;
    const { tape } = (await import(fixtures)) as { readonly tape: (text: string) => { readonly png: Uint8Array } };
    home.write('sign.png', tape('A red lighthouse sign').png);
    const env = { KEBAB_OCR_ENGINE: 'my-ocr' };
    const flags = ['--plugin', projectOf('ocr'), '--quiet'];
    expect(await cli.run(['ingest', ...flags], { home, env })).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await cli.run(['search', 'red sign', '--json', ...flags], { home, env });
    expect(JSON.parse(stdout)).toMatchObject({ hits: [{ doc_path: 'sign.png', citation: { kind: 'region' } }] });
  });
});

const SCENARIOS = `Feature: Borrowing books

  Readers borrow books and bring them back.

Scenario: a reader returns a book late
  Given a book that was due yesterday
  When the reader returns it
  Then a fee is written down
`;

/** Every line that an author changes to read Gherkin instead of the example format: old text and new text. */
const EDITS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'src/extractor.ts': [
    ["extensions: ['gherkin']", "extensions: ['feature']"],
    ['/^== +(\\S.*?) +==$/gm', '/^(?:Feature|Scenario): +(\\S.*)$/gm'],
  ],
  'test/fixtures.ts': [
    ['== First section ==', 'Scenario: one'],
    ["path: 'sample.gherkin'", "path: 'sample.feature'"],
    ["'section=second-section'", "'section=one'"],
    ["path: 'windows.gherkin'", "path: 'windows.feature'"],
  ],
};

describe('a new format', () => {
  it('is tested, indexed and cited after at most five changed lines in the output of `kebab plugin new`, by its own `npm test` too', async () => {
    const home = cli.newHome();
    const made = await cli.run(['plugin', 'new', 'gherkin', '--kind', 'extractor'], { home, cwd: workshop.folder });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const project = path.join(workshop.folder, 'kebab-plugin-gherkin');
    expect(editedLines(project)).toBeLessThanOrEqual(5);

    const own = await workshop.test(project);
    expect(own.output).toMatch(/# fail 0\n/);
    expect(own.code).toBe(0);
    expect(Number(/# pass (\d+)/.exec(own.output)?.[1])).toBeGreaterThan(20);

    home.write('library.feature', SCENARIOS);
    home.write('notes.md', '# Notes\n');
    const flags = ['--plugin', project, '--quiet'];
    expect(await cli.run(['ingest', ...flags], { home })).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await cli.run(['search', 'fee written down', '--json', ...flags], { home });
    const [hit] = (JSON.parse(stdout) as { readonly hits: readonly { readonly citation: { readonly uri: string } }[] })
      .hits;
    expect(hit).toMatchObject({ heading_path: ['a reader returns a book late'] });
    expect(hit?.citation.uri).toBe('library.feature#section=a-reader-returns-a-book-late');

    const report = await cli.run(['plugin', 'test', project, '--json'], { home });
    expect(report.code).toBe(0);
    expect(JSON.parse(report.stdout)).toMatchObject({ plugin: 'kebab-plugin-gherkin@0.1.0', failed: 0, skipped: 0 });
  });
});

/** Makes the edits; returns how many lines differ. */
function editedLines(project: string): number {
  let changed = 0;
  for (const [name, edits] of Object.entries(EDITS)) {
    const file = path.join(project, name);
    const before = readFileSync(file, 'utf8');
    const after = edits.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, () => to);
    }, before);
    const lines = after.split('\n');
    changed += before.split('\n').filter((line, at) => line !== lines[at]).length;
    writeFileSync(file, after);
  }
  return changed;
}
