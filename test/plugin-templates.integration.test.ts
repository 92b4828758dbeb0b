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

  it('is built and tested by its own `npm test`', async () => {
    const { folder } = generatePlugin({ name: 'journal', kind: 'extractor', parent: workshop.folder });
    const { code, output } = await workshop.test(folder);
    expect(output).toMatch(/# fail 0\n/);
    expect(code).toBe(0);
    expect(Number(/# pass (\d+)/.exec(output)?.[1])).toBeGreaterThan(20);
  });

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
