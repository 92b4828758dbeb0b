import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildCli,
  finished,
  jsonLines,
  type BuiltCli,
  type CliHome,
  type CliRun,
} from '../host-cli/test/fakes/built-cli.ts';

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
});

afterAll(() => cli.remove());

const OVERDUE = /within \d s|after \d s/;

/** Bad behaviour of a plugin, as code, and the expected message at every stage. */
const DEEDS = {
  // Loops forever and blocks the event loop; the waits leave the processor to the other tests.
  loops: ['for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);', OVERDUE],
  exits: ['process.exit(0);', /its process ended with code 0/],
  aborts: ['process.abort();', /its process was ended by SIGABRT/],
  kills: [`process.kill(process.pid, 'SIGKILL');`, /its process was ended by SIGKILL/],
  throws: [`throw new Error('no luck');`, /no luck/],
  hangs: ['await new Promise(() => {});', OVERDUE],
  fills: ['for (const filled = []; ;) filled.push(Buffer.alloc(1 << 24, 1));', /it took more than 128 MiB of memory/],
  strays: [`Promise.reject(new Error('astray')); await new Promise(() => {});`, /astray/],
} as const satisfies Readonly<Record<string, readonly [code: string, cause: RegExp]>>;

type Deed = keyof typeof DEEDS;
const ALL = Object.keys(DEEDS) as readonly Deed[];

/** Limits that keep tests short, in seconds and MiB. */
const LIMITS = {
  KEBAB_PLUGIN_LIMITS_LOAD_TIMEOUT_S: '2',
  KEBAB_PLUGIN_LIMITS_CREATE_TIMEOUT_S: '2',
  KEBAB_PLUGIN_LIMITS_CALL_TIMEOUT_S: '2',
  KEBAB_PLUGIN_LIMITS_MEMORY_MB: '128',
  KEBAB_SEARCH_RETRIEVER_TIMEOUT_S: '2',
  KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
};

/** The members of a contribution by kind, with the bad code in one of them. */
const MEMBERS: Readonly<Record<string, (name: string, deed: string) => string>> = {
  hook: (_name, deed) => `{ async onIngested(report) { ${deed} } }`,
  retriever: (name, deed) =>
    `{ id: '${name}', version: '1', scoreKind: 'bm25', indexVersion: () => '1', async retrieve() { ${deed}; return []; } }`,
  source: (name, deed) =>
    `{ id: '${name}', version: '1', async *scan() { ${deed} }, async read() { return new Uint8Array(); } }`,
  embedder: (
    name,
    deed,
  ) => `{ id: '${name}', version: '1', modelId: 'm', modelVersion: '1', dimensions: 2, maxInputTokens: 99,
    languages: null, relevance: { floor: 0, ceil: 1 }, async embed(inputs) { ${deed}; return inputs.map(() => new Float32Array([1, 0])); } }`,
  llm: (name, deed) => `{ id: '${name}', version: '1', model: { id: 'm', provider: '${name}' }, contextTokens: 8000,
    async *generate() { ${deed} } }`,
};

/** Writes a plugin as a package in a home; returns its folder. */
function pluginIn(
  home: CliHome,
  name: string,
  {
    kind = 'hook',
    deed = '',
    top = '',
    schema,
    factory = '',
    permissions = {},
  }: {
    readonly kind?: string;
    readonly deed?: string;
    readonly top?: string;
    readonly schema?: string;
    readonly factory?: string;
    readonly permissions?: object;
  },
): string {
  const folder = path.join(home.folder, 'plugins', name);
  mkdirSync(folder, { recursive: true });
  const kebab = { apiVersion: 1, contributes: { [kind]: [name] }, permissions };
  const packageJson = { name, version: '1.2.3', type: 'module', exports: './index.mjs', kebab };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(packageJson));
  const config =
    schema === undefined
      ? ''
      : `config: { '~standard': { version: 1, vendor: 'x', validate: async (value) => { ${schema}; return { value }; } } },`;
  writeFileSync(
    path.join(folder, 'index.mjs'),
    `${top}
    export default { ${config} contributes: { ${kind}: { '${name}': async (context) => { ${factory}; return ${MEMBERS[kind]?.(name, deed)}; } } } };\n`,
  );
  return folder;
}

function homeWithNote(): CliHome {
  const home = cli.newHome();
  home.write('note.md', '# Note\n\nabout sourdough\n');
  return home;
}

function flags(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => ['--plugin', folder]);
}

function run(home: CliHome, line: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> {
  return cli.run(line, { home, env: { ...LIMITS, ...env } });
}

const STAGES = { top: 'load', schema: 'configure', factory: 'create' } as const;

describe('a third-party plugin that never ends, ends its process, or takes all memory', { timeout: 240_000 }, () => {
  it.each(Object.entries(STAGES))('in its %s is named, and the ingest continues', async (place, stage) => {
    const home = homeWithNote();
    const folders = ALL.map((deed) => pluginIn(home, `${deed}-there`, { [place]: DEEDS[deed][0] }));
    const { code, stdout, stderr } = await run(home, ['ingest', ...flags(folders)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/new +1\n/);
    for (const deed of ALL)
      expect(stderr).toMatch(
        new RegExp(`notice: plugin ${deed}-there@1\\.2\\.3/${stage} failed: .*(${DEEDS[deed][1].source})`),
      );
  });

  it('in a hook is named, and ingested documents stay; another hook sees none of its patched globals', async () => {
    const home = homeWithNote();
    const folders = ALL.map((deed) => pluginIn(home, `${deed}-there`, { deed: DEEDS[deed][0] }));
    const patching = pluginIn(home, 'patching', {
      top: `Array.prototype.map = JSON.parse = JSON.stringify = Promise.prototype.then = globalThis.fetch = () => { throw new Error('patched'); };
      process.removeAllListeners(); process.stdout.write('printed'); console.log('printed');`,
    });
    const sound = pluginIn(home, 'sound', {
      permissions: { fs: 'data-dir' },
      factory: `const { writeFileSync } = await import('node:fs'); const { dataDir } = context;`,
      deed: `writeFileSync(dataDir + '/seen', JSON.stringify([report.counts ?? report].map((one) => typeof one)));`,
    });
    const { code, stdout, stderr } = await run(home, ['ingest', ...flags([...folders, patching, sound])]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/new +1\n/);
    expect(stdout + stderr).not.toContain('printed');
    for (const deed of ALL) expect(stderr).toMatch(new RegExp(`plugin ${deed}-there@1\\.2\\.3/onIngested failed: `));
    expect(readFileSync(path.join(home.folder, 'data/kebab/plugin-data/sound/seen'), 'utf8')).toBe('["object"]');
  });

  it('in a retriever leaves the results of the other retrievers', async () => {
    const home = homeWithNote();
    await run(home, ['ingest']);
    const folders = ALL.map((deed) => pluginIn(home, `${deed}-there`, { kind: 'retriever', deed: DEEDS[deed][0] }));
    const { code, stdout } = await run(home, ['search', 'sourdough', '--json', ...flags(folders)]);
    expect(code).toBe(0);
    const [response] = jsonLines(stdout);
    expect(response).toMatchObject({ hits: [{ doc_path: 'note.md' }] });
    const { degraded } = response as { readonly degraded: readonly { readonly hint: string }[] };
    for (const deed of ALL)
      expect(degraded.map(({ hint }) => hint).join('\n')).toContain(`${deed}-there@1.2.3/retrieve`);
  });

  it('in a source fails that source, and the others are read', async () => {
    const home = homeWithNote();
    const folders = ALL.map((deed) => pluginIn(home, `${deed}-there`, { kind: 'source', deed: DEEDS[deed][0] }));
    const sources = ALL.map((deed) => ({ id: deed, root: path.join(home.folder, deed), connector: `${deed}-there` }));
    const { code, stdout } = await run(home, ['ingest', ...flags(folders)], {
      KEBAB_WORKSPACE_SOURCES: JSON.stringify(sources),
    });
    expect(code).toBe(4);
    expect(stdout).toMatch(/new +1\n/);
    for (const deed of ALL)
      expect(stdout).toMatch(new RegExp(`${deed}-there@1\\.2\\.3/scan failed: .*(${DEEDS[deed][1].source})`));
  });

  it.each(['loops', 'exits', 'fills'] as const)(
    'and %s in an embedder makes a search fall back to words',
    async (deed) => {
      const home = homeWithNote();
      const folder = pluginIn(home, 'bad', { kind: 'embedder', deed: DEEDS[deed][0] });
      const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'bad' };
      const { code, stdout } = await run(home, ['ingest', '--json', ...flags([folder])], env);
      expect(code).toBe(0);
      const report = jsonLines(stdout).at(-1) as { readonly degraded: readonly { readonly hint: string }[] };
      expect(report).toMatchObject({ embeddings_pending: 1, degraded: [{ stage: 'vector', reason: 'plugin_failed' }] });
      expect(report.degraded[0]?.hint).toMatch(/^bad@1\.2\.3 failed: /);
      expect(report.degraded[0]?.hint).toMatch(DEEDS[deed][1]);
    },
  );

  it('in a language model fails the question with the matching exit code', async () => {
    const home = homeWithNote();
    await run(home, ['ingest']);
    for (const deed of ['loops', 'exits'] as const) {
      const folder = pluginIn(home, 'bad', { kind: 'llm', deed: DEEDS[deed][0] });
      const env = { KEBAB_MODELS_LLM_PROVIDER: 'bad' };
      const { code, stderr } = await run(home, ['ask', 'about sourdough', '--json', ...flags([folder])], env);
      expect(code).toBe(2);
      const error = jsonLines(stderr).at(-1);
      expect(error).toMatchObject({
        code: 'plugin_failed',
        details: { plugin: 'bad', version: '1.2.3', kind: 'llm', stage: 'generate' },
      });
    }
  });

  it('does not keep `plugin doctor`, `plugin list` and `plugin explain` from finishing', async () => {
    const home = homeWithNote();
    const all = ['loops', 'exits', 'hangs'] as const;
    const single = all.map((deed) => {
      const file = path.join(home.folder, `${deed}.mjs`);
      writeFileSync(file, DEEDS[deed][0]);
      return file;
    });
    const folders = all.map((deed) => pluginIn(home, `${deed}-there`, { factory: DEEDS[deed][0] }));
    const line = flags([...single, ...folders]);
    const doctor = await run(home, ['plugin', 'doctor', ...line]);
    expect(doctor.code).toBe(3);
    for (const deed of all) {
      expect(doctor.stdout).toMatch(new RegExp(`✗ \\S*${deed}\\.mjs +.*(${DEEDS[deed][1].source})`));
      expect(doctor.stdout).toMatch(new RegExp(`✗ ${deed}-there@1\\.2\\.3 +.*(${DEEDS[deed][1].source})`));
    }
    const list = await run(home, ['plugin', 'list', '--json', ...line]);
    expect(list.code).toBe(0);
    const explain = await run(home, ['plugin', 'explain', 'KnowledgeBase/note.md', ...line]);
    expect(explain.code).toBe(0);
  });

  it.each([
    ['exits', 2, /^error: kebab ended before the command finished; code of \S*store runs in its process$/m],
    ['loops', null, /^error: store@1\.2\.3 blocked kebab for 2 s; update it, or take it out of `plugins`$/m],
  ] as const)(
    'and %s in the place of the store of kebab ends the command with its name, never with 0',
    async (deed, exit, error) => {
      const home = homeWithNote();
      const folder = pluginIn(home, 'store', { kind: 'document_store', top: DEEDS[deed][0] });
      const { code, stderr } = await run(home, ['ingest', ...flags([folder])]);
      expect(code).toBe(exit); // not an exit code of a signal
      expect(stderr).toMatch(error);
    },
  );

  it('does not block Ctrl-C', async () => {
    const home = homeWithNote();
    const folder = pluginIn(home, 'bad', {
      kind: 'embedder',
      permissions: { fs: 'data-dir' },
      factory: `const { writeFileSync } = await import('node:fs'); const { dataDir } = context;`,
      deed: `writeFileSync(dataDir + '/here', ''); process.removeAllListeners('SIGINT'); for (;;);`,
    });
    const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'bad' }; // with the usual limits, which are minutes
    const child = cli.start(['ingest', ...flags([folder])], { home, env });
    const ended = finished(child, '');
    while (!existsSync(path.join(home.folder, 'data/kebab/plugin-data/bad/here'))) await sleep(50);
    child.kill('SIGINT');
    expect((await ended).code).not.toBe(0);
  });
});

describe('a configuration that is rejected after its plugins were loaded', { timeout: 120_000 }, () => {
  it.each([
    ['as it is', ['search', 'sourdough'], { KEBAB_OCR_ENGINE: 'nonsense' }],
    ['as it would be', ['config', 'set', 'ocr.engine', 'nonsense'], {}],
    ['and replaced by the defaults', ['config', 'show'], { KEBAB_OCR_ENGINE: 'nonsense' }],
  ])('%s leaves no folder of theirs behind', async (_how, line, env) => {
    const home = homeWithNote();
    const file = path.join(home.folder, 'single.mjs');
    writeFileSync(
      file,
      `export default { name: 'single', version: '1.0.0', apiVersion: 1, contributes: { hook: { single: () => ({}) } } };`,
    );
    const { stderr } = await run(home, line, { ...env, KEBAB_PLUGINS: file });
    expect(stderr).toContain('there is no OCR engine "nonsense"');
    expect(readdirSync(home.env['TMPDIR'] ?? '')).toEqual([]);
  });
});
