import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatePlugin } from '../src/generate-plugin.ts';
import { TEMPLATE_KINDS, type TemplateKind } from '../src/templates.ts';
import { openWorkshop, type PluginWorkshop } from './plugin-workshop.ts';
import type { TestedProject } from './test-together.ts';

const NOTHING: TestedProject = { suites: [], passed: 0, output: 'it was not tested' };
let workshop: PluginWorkshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});

afterAll(() => workshop.remove());

describe('a generated plugin', () => {
  const folders = new Map<TemplateKind, string>();
  let tested: ReadonlyMap<string, TestedProject>;

  beforeAll(async () => {
    for (const kind of TEMPLATE_KINDS) folders.set(kind, generate(kind).folder);
    tested = await workshop.testTogether([...folders.values()]);
  });

  it.each(TEMPLATE_KINDS)(
    'of kind %s builds with only the published @kebab/plugin, and passes its contract suite',
    (kind) => {
      const { suites, passed, output } = tested.get(folders.get(kind) ?? '') ?? NOTHING;
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
});

describe('npm create kebab-plugin', { timeout: 60_000 }, () => {
  it('takes name and kind as arguments, or prompts for them', async () => {
    const told = await create(['bookmarks', '--kind', 'reranker']);
    expect(told).toMatchObject({ code: 0, made: true });
    expect(told.stdout).toContain('kebab-plugin-bookmarks/src/reranker.ts\n');
    const asked = await create([], 'bookmarks\nvector store\n');
    expect(asked).toMatchObject({ code: 0, made: true });
    expect(asked.stderr).toContain('kind (extractor, ');
  });

  it('writes nothing for invalid input, and says why', async () => {
    expect(await create(['bookmarks', '--kind', 'teapot'])).toMatchObject({
      code: 2,
      made: false,
      stderr: expect.stringContaining('"teapot" is not a kind of plugin; the kinds are extractor, '),
    });
    expect(await create(['Book Marks', '--kind', 'ocr'])).toMatchObject({ code: 2, made: false });
    expect(await create([], 'bookmarks\n')).toMatchObject({ code: 2, made: false });
  });
});

/** Generates a plugin of a kind in the workshop. */
function generate(kind: TemplateKind) {
  return generatePlugin({ name: `@acme/kebab-plugin-my-${kind}`, kind, parent: workshop.folder });
}

let folders = 0;

/** Runs the program in its own folder. */
async function create(args: readonly string[], typed = '') {
  const cwd = path.join(workshop.folder, `create-${folders++}`);
  mkdirSync(cwd);
  const main = new URL('../src/main.ts', import.meta.url).href;
  const program = `import(${JSON.stringify(main)}).then(async ({ main }) => { process.exitCode = await main(process.argv.slice(1)); })`;
  const loader = fileURLToPath(new URL('../../scripts/run-ts.mjs', import.meta.url));
  const child = spawn(process.execPath, ['--import', loader, '-e', program, '--', ...args], { cwd });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (data: Buffer) => out.push(data.toString()));
  child.stderr.on('data', (data: Buffer) => err.push(data.toString()));
  child.stdin.end(typed);
  const code = await new Promise((resolve) => child.once('close', resolve));
  const made = existsSync(path.join(cwd, 'kebab-plugin-bookmarks', 'package.json'));
  return { code, stdout: out.join(''), stderr: err.join(''), made };
}
