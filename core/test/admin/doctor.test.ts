import { componentPorts } from '../../src/ports.ts';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKS, diagnose, roomOn } from '../../src/admin/doctor.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import type { LanguageModel } from '../../src/contracts/language-model.ts';
import { trustPolicyOf } from '../../src/plugin/trust-policy.ts';
import type { PluginReport } from '../../src/plugin/find-plugins.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { FakeComponents } from '../fake-components.ts';
import { MemoryVectorStore } from '@kebab/testing';
import { DoctorSchema } from '../../src/wire/admin.ts';
import type { Doctor, DoctorCheck } from '../../src/wire/index.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const NAMES = [
  'config_loaded',
  'config_trusted',
  'data_dir_writable',
  'sqlite_open',
  'vector_store_open',
  'embedding_model',
  'embeddings_complete',
  'ollama_reachable',
  'ollama_model_pulled',
  'source_roots',
  'secrets_in_documents',
  'plugins_loaded',
];

const examine = async (
  kb: Pick<KnowledgeBase, 'resolution' | 'ports'>,
  plugins: readonly PluginReport[] = [],
): Promise<Doctor> => {
  const { resolution, ports } = kb;
  return DoctorSchema.parse(await diagnose({ resolution, ports, plugins: () => plugins }));
};

const checkNamed = ({ checks }: Doctor, name: string): DoctorCheck | undefined =>
  checks.find((check) => check.name === name);

describe('diagnose', () => {
  const open = openForTests();

  it('runs every check in order and finds a plain installation healthy', async () => {
    const doctor = await examine(await open());
    expect(doctor.checks.map(({ name }) => name)).toEqual(NAMES);
    expect(doctor.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(doctor.ok).toBe(true);
    expect(CHECKS).toHaveLength(NAMES.length);
  });

  it('reports that a stage is disabled, or not included in this build', async () => {
    const off = await examine(await open({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } }));
    for (const name of ['vector_store_open', 'embedding_model', 'embeddings_complete'])
      expect(checkNamed(off, name)).toEqual({ name, ok: true, detail: 'disabled' });
    const absent = await examine(await open());
    for (const name of ['vector_store_open', 'embedding_model', 'ollama_reachable'])
      expect(checkNamed(absent, name)).toEqual({ name, ok: true, detail: 'not available in this build' });
  });

  it('passes on the advice of a vector store, and marks it optional', async () => {
    const kb = await open({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'hash' } });
    const advice = { detail: 'it holds more than it serves well', hint: 'kebab vectors copy --from local --to qdrant' };
    const storeWith = (found: typeof advice | null): MemoryVectorStore =>
      Object.assign(new MemoryVectorStore(), { advise: async () => found });
    const found = async (store: MemoryVectorStore): Promise<DoctorCheck | undefined> => {
      const vectorStores = { names: () => [{ id: 'local', plugin: 'p' }], get: async () => store };
      const ports = { ...kb.ports, vectorStores: vectorStores as unknown as typeof kb.ports.vectorStores };
      return checkNamed(await examine({ ...kb, ports }), 'vector_store_open');
    };
    expect(await found(storeWith(null))).toEqual({
      name: 'vector_store_open',
      ok: true,
      detail: 'local (no vectors yet)',
    });
    expect(await found(storeWith(advice))).toEqual({
      name: 'vector_store_open',
      ok: true,
      optional: true,
      detail: 'local: it holds more than it serves well',
      hint: advice.hint,
    });
  });

  it('fails where a vector store has lost vectors, which searches go without', async () => {
    const kb = await open({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'hash' } });
    const collections = async () => [{ collection: 'c', fingerprint: 'f', committed: 7, pending: 0, tombstones: 0 }];
    const documents = { ...kb.ports.documents, read: async () => ({ vectors: { collections } }) as never };
    const vectorStores = { names: () => [{ id: 'local' }], get: async () => new MemoryVectorStore() } as never;
    const found = await examine({ ...kb, ports: { ...kb.ports, documents, vectorStores } });
    expect(checkNamed(found, 'vector_store_open')).toEqual({
      name: 'vector_store_open',
      ok: false,
      detail: 'local: it holds 0 of 7 vectors',
      hint: 'kebab ingest',
    });
  });

  it('treats an unavailable model or server as optional, unless it is configured', async () => {
    const kb = await open({ env: { KEBAB_MODELS_LLM_PROVIDER: 'none' } });
    for (const name of ['llm_reachable', 'llm_model'])
      expect(checkNamed(await examine(kb), name)).toEqual({ name, ok: true, detail: 'disabled' });
    const isGone = new KebabError('model_unreachable', 'nothing answers', {
      hint: 'ollama serve',
      details: { endpoint: 'http://127.0.0.1:11434', model: 'm', cause: 'refused' },
    });
    const languageModels = {
      names: () => [{ id: 'ollama', plugin: 'p', policy: trustPolicyOf({ origin: 'builtin' }) }],
      get: () => Promise.reject(isGone),
    } as unknown as KnowledgeBase['ports']['languageModels'];
    const examined = async (env: Readonly<Record<string, string>>): Promise<Doctor> => {
      const { resolution, ports } = await open({ env });
      return examine({ resolution, ports: { ...ports, languageModels } });
    };
    const unasked = await examined({});
    for (const name of ['ollama_reachable', 'ollama_model_pulled'])
      expect(checkNamed(unasked, name)).toEqual({
        name,
        ok: true,
        optional: true,
        detail: 'nothing answers',
        hint: 'ollama serve',
      });
    expect(unasked.ok).toBe(true);
    const asked = await examined({ KEBAB_MODELS_LLM_ENDPOINT: 'http://127.0.0.1:9' });
    expect(asked.ok).toBe(false);
    expect(checkNamed(asked, 'ollama_reachable')).toEqual({
      name: 'ollama_reachable',
      ok: false,
      detail: 'nothing answers',
      hint: 'ollama serve',
    });
  });

  it('names the plugin that provides the chat model, and no server of another', async () => {
    const { resolution, ports } = await open({ env: { KEBAB_MODELS_LLM_PROVIDER: 'ollama' } });
    const chat = { model: { id: 'acme-7b', provider: 'acme' } } as LanguageModel;
    const { languageModels } = componentPorts(new FakeComponents({ llm: { ollama: chat } }, 'package'));
    const doctor = await examine({ resolution, ports: { ...ports, languageModels } });
    expect(checkNamed(doctor, 'llm_reachable')).toMatchObject({ ok: true, detail: 'ollama of fake@1.0.0' });
    expect(checkNamed(doctor, 'llm_model')).toMatchObject({ ok: true, detail: 'acme-7b' });
  });

  it('treats vectors as optional without a model, and as missing once one is configured', async () => {
    const isMissing = new KebabError('model_not_pulled', 'no model', {
      details: { model: 'm', provider: 'transformers' },
    });
    const embedders = {
      names: () => [{ id: 'transformers', plugin: 'p' }],
      get: () => Promise.reject(isMissing),
    } as unknown as KnowledgeBase['ports']['embedders'];
    const examined = async (env: Readonly<Record<string, string>>): Promise<Doctor> => {
      const { resolution, ports } = await open({ env });
      return examine({ resolution, ports: { ...ports, embedders } });
    };
    const unasked = await examined({});
    for (const name of ['embedding_model', 'embeddings_complete'])
      expect(checkNamed(unasked, name)).toMatchObject({ ok: true, optional: true });
    const asked = await examined({ KEBAB_MODELS_EMBEDDING_MODEL: 'mine' });
    expect(checkNamed(asked, 'embedding_model')).toMatchObject({ ok: false, detail: 'no model' });
    const same = { ok: false, detail: 'not known', hint: 'see embedding_model' };
    expect(checkNamed(asked, 'embeddings_complete')).toMatchObject(same);
  });

  it('asks for a folder when none is configured, without a failure', async () => {
    const kb = await open();
    const { config } = kb.resolution;
    const unset = { ...config, workspace: { ...config.workspace, isRootSet: false, root: `${kb.root}/nowhere` } };
    const resolution = { ...kb.resolution, config: unset };
    expect(checkNamed(await examine({ resolution, ports: kb.ports }), 'source_roots')).toMatchObject({
      ok: true,
      optional: true,
      hint: 'kebab add FOLDER',
    });
  });

  it('fails for a configured stage that no plugin provides', async () => {
    const env = {
      KEBAB_MODELS_EMBEDDING_PROVIDER: 'mine',
      KEBAB_STORAGE_VECTOR_STORE: 'qdrant',
      KEBAB_MODELS_LLM_PROVIDER: 'mine',
    };
    const doctor = await examine(await open({ env }));
    expect(doctor.ok).toBe(false);
    expect(doctor.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([
      'vector_store_open',
      'embedding_model',
      'llm_reachable',
      'llm_model',
    ]);
    expect(checkNamed(doctor, 'embedding_model')).toMatchObject({
      detail: 'models.embedding.provider is "mine", which no active plugin provides',
      hint: expect.stringContaining('kebab plugin list'),
    });
  });

  it('reports what is wrong with the database, and continues', async () => {
    const kb = await open();
    const ports = componentPorts(new FakeComponents({}));
    const { checks } = await diagnose({ resolution: kb.resolution, ports, plugins: () => [] });
    expect(checks.map(({ name }) => name)).toEqual(NAMES);
    expect(checks[3]).toMatchObject({ ok: false, hint: expect.any(String) });
  });

  it('says once why the documents cannot be read, and refers to it elsewhere', async () => {
    const kb = await open({ env: { KEBAB_INDEXING_SECRETS: 'redact' } });
    const away = new KebabError('io_error', 'PostgreSQL cannot be reached', {
      details: { kind: 'ECONNREFUSED', path: 'postgres://db', cause: 'refused' },
      hint: 'start the server',
    });
    const documents = { ...kb.ports.documents, read: () => Promise.reject(away) };
    const { checks } = await examine({ ...kb, ports: { ...kb.ports, documents } });
    expect(checks.filter(({ hint }) => hint === 'start the server')).toMatchObject([{ name: 'sqlite_open' }]);
    const secrets = { ok: false, detail: 'not known', hint: 'see sqlite_open' };
    expect(checks.find(({ name }) => name === 'secrets_in_documents')).toMatchObject(secrets);
  });

  it('names missing folders, and commands that help', async () => {
    const kb = await open();
    rmSync(kb.root, { recursive: true });
    const { config } = kb.resolution;
    const work = {
      id: 'work',
      root: `${kb.root}/work`,
      connector: 'fs',
      include: ['**/*'],
      exclude: [],
      trustLevel: 'primary' as const,
      sourceType: null,
    };
    const both = { ...config, workspace: { ...config.workspace, sources: [work] } };
    const checks = await examine({ resolution: { ...kb.resolution, config: both }, ports: kb.ports });
    expect(checkNamed(checks, 'source_roots')).toMatchObject({
      ok: false,
      detail: `0 of 2 readable; missing: ${kb.root} (source default), ${kb.root}/work (source work)`,
      hint: expect.stringMatching(/`kebab config set workspace\.root FOLDER`.*`kebab remove work`/) as string,
    });
  });

  it('does not check folders while the configuration is invalid', async () => {
    const kb = await open();
    const details = { path: '/c.toml', key: null, cause: 'invalid value', suggestion: null };
    const failure = new KebabError('config_invalid', '/c.toml: invalid value', { details });
    rmSync(kb.root, { recursive: true });
    const checks = await examine({ resolution: { ...kb.resolution, failure }, ports: kb.ports });
    expect(checkNamed(checks, 'source_roots')).toMatchObject({
      ok: true,
      detail: 'not known while the configuration cannot be used',
    });
  });

  it('names the indexed root when another is configured, and the commands that keep the index', async () => {
    const kb = await open();
    const writer = await kb.store.openWriter({ waitMs: 0 });
    await writer.setIndexedRoot('default', `${kb.root}/..`);
    await writer.close();
    expect(checkNamed(await examine(kb), 'source_roots')).toMatchObject({
      ok: false,
      detail: expect.stringContaining(`was indexed from ${kb.root}/..; configured is ${kb.root}`) as string,
      hint: expect.stringContaining('kebab config set workspace.root') as string,
    });
  });

  it('gives a remedy once, however many sources need it', async () => {
    const kb = await open();
    const { config } = kb.resolution;
    const writer = await kb.store.openWriter({ waitMs: 0 });
    const rest = { connector: 'fs', include: [], exclude: [], trustLevel: 'primary' as const, sourceType: null };
    const sources = ['a', 'b'].map((id) => ({ ...rest, id, root: kb.root }));
    for (const { id } of sources) await writer.setIndexedRoot(id, `${kb.root}/..`);
    await writer.close();
    const moved = { ...config, workspace: { ...config.workspace, sources } };
    const checks = await examine({ resolution: { ...kb.resolution, config: moved }, ports: kb.ports });
    expect(checkNamed(checks, 'source_roots')?.hint).toMatch(/^`kebab ingest --moved`[^;]*$/);
  });

  it.each([
    [['bytes.md'], {}, '1 file is left out (bytes.md): kebab list docs --skipped'],
    [
      ['1', '2', '3', '4', '5', 'work:6'],
      {},
      '6 files are left out (1, 2, 3, 4, 5 and 1 more): kebab list docs --skipped',
    ],
    [[], { docx: 2, zip: 7 }, '2 files not read (docx): kebab plugin install docx'],
    [[], { zip: 7 }, null],
    [[], {}, null],
  ])('names what is left out: %j, %j', async (leftOut, unsupported, text) => {
    const { resolution, ports } = await open();
    const findLeftOut = async () => ({ leftOut, unsupported });
    const doctor = await diagnose({ resolution, ports, plugins: () => [], formats: ['docx'], findLeftOut });
    const detail = checkNamed(DoctorSchema.parse(doctor), 'source_roots')?.detail;
    expect(detail).toBe(['1 of 1 readable', ...(text === null ? [] : [text])].join('; '));
  });

  it('lists files that could not be indexed', async () => {
    const kb = await open();
    const writer = await kb.store.openWriter({ waitMs: 0 });
    const file = { sourceId: 'default', reason: 'it broke', code: 'plugin_failed', lastFailedAt: new Date(0) } as const;
    await writer.setQuarantine(
      Array.from({ length: 7 }, (_, at) => ({
        ...file,
        workspacePath: `${at}.md`,
        // Many reasons begin with the file name or the plugin, which are shown anyway.
        reason: ['md@1.0.0: it broke', '1.md is encrypted'][at] ?? file.reason,
        agent: 'md@1.0.0',
        attempts: at + 1,
      })),
    );
    const { detail } = checkNamed(await examine(kb), 'source_roots') ?? { detail: '' };
    expect(detail).toContain(
      '1 of 1 readable; 7 files could not be indexed; 0.md: it broke (md@1.0.0, 1 attempt); 1.md: is encrypted',
    );
    expect(detail).toMatch(/; and 2 more$/);
  });

  it('lists no file of a source that is no longer configured', async () => {
    const kb = await open();
    const writer = await kb.store.openWriter({ waitMs: 0 });
    const file = {
      reason: 'it broke',
      code: 'io_error',
      lastFailedAt: new Date(0),
      agent: 'kebab',
      attempts: 1,
    } as const;
    await writer.setQuarantine([
      { ...file, sourceId: 'default', workspacePath: 'a.md' },
      { ...file, sourceId: 'gone', workspacePath: 'b.md' },
    ]);
    await writer.close();
    expect(checkNamed(await examine(kb), 'source_roots')?.detail).toBe(
      '1 of 1 readable; 1 file could not be indexed; a.md: it broke (kebab, 1 attempt)',
    );
  });

  it('reports a data directory that cannot be created', async () => {
    const kb = await open();
    const { dataDir } = kb.config.storage;
    mkdirSync(dirname(dataDir), { recursive: true });
    writeFileSync(dataDir, 'a file');
    expect(checkNamed(await examine(kb), 'data_dir_writable')).toMatchObject({
      ok: false,
      detail: `${dataDir} is not a folder`,
    });
  });

  it.skipIf(process.getuid?.() === 0)('reports a data directory that is not writable', async () => {
    const kb = await open();
    const { dataDir } = kb.config.storage;
    mkdirSync(dataDir, { recursive: true });
    chmodSync(dataDir, 0o500);
    expect(checkNamed(await examine(kb), 'data_dir_writable')).toMatchObject({ ok: false });
    chmodSync(dataDir, 0o700);
  });

  it('fails for a project file whose keys are ignored, and for no other', async () => {
    const kb = await open();
    const cwd = join(kb.root, 'project');
    mkdirSync(cwd);
    const trusted = async (toml: string): Promise<DoctorCheck | undefined> => {
      writeFileSync(join(cwd, 'kebab.toml'), toml);
      const resolution = await resolveConfig({
        cwd,
        env: { KEBAB_WORKSPACE_ROOT: kb.root },
        homeDir: dirname(kb.root),
      });
      const { ports } = kb;
      return checkNamed(await diagnose({ resolution, ports, plugins: () => [] }), 'config_trusted');
    };
    expect(await trusted('[search]\ndefault_k = 5\n')).toMatchObject({ ok: true });
    expect(await trusted('[models.llm]\nendpoint = "http://192.0.2.1:11434"\n')).toMatchObject({
      ok: false,
      hint: `kebab trust ${join(cwd, 'kebab.toml')}`,
    });
  });

  it('names plugins that do not run', async () => {
    const report: PluginReport = {
      name: 'p',
      version: '1.0.0',
      apiVersion: 9,
      kinds: [],
      permissions: { fs: 'none', net: [], spawn: [] },
      state: 'incompatible',
      reason: 'it speaks api 9',
      origin: 'package',
    };
    expect(checkNamed(await examine(await open(), [report]), 'plugins_loaded')).toMatchObject({
      ok: false,
      detail: 'p incompatible: it speaks api 9',
    });
    expect(checkNamed(await examine(await open(), [{ ...report, state: 'active' }]), 'plugins_loaded')).toMatchObject({
      ok: true,
      detail: 'built-ins and p',
    });
  });
});

describe('diagnose, of a team', () => {
  const open = openForTests();
  const withRules = (rules: readonly object[], env = {}) =>
    open({ env: { KEBAB_ACCESS_RULES: JSON.stringify(rules), ...env } });

  it.each<[readonly object[], string]>([
    [[{ source: 'handbok', readers: ['everyone'] }], 'rule 1 names the source "handbok", which does not exist'],
    [
      [
        { path: 'a/**', readers: ['everyone'] },
        { source: 'Default', readers: [] },
      ],
      'rule 2 names the source "Default", which does not exist; did you mean "default"?',
    ],
    [[{ path: 'default:hr/**', readers: [] }], 'rule 1 has the source in its path: write source = "default"'],
    [
      [{ readers: ['everyone'] }, { path: 'hr/**', readers: ['group:hr'] }],
      'rule 2 never decides, since rule 1 fits all of its documents',
    ],
    [
      [
        { source: 'default', readers: ['everyone'] },
        { source: 'default', path: 'hr/**', readers: [] },
      ],
      'rule 2 never decides, since rule 1 fits all of its documents',
    ],
  ])('finds the rule that cannot decide in %j', async (rules, detail) => {
    expect(checkNamed(await examine(await withRules(rules)), 'access_rules')).toMatchObject({ ok: false, detail });
  });

  it('accepts rules of sources that exist, and names those that fit no document', async () => {
    const rules = [
      { source: 'external', readers: ['user:ann'] },
      { path: 'hr/**', readers: ['group:hr'] },
      { readers: ['everyone'] },
    ];
    const kb = await withRules(rules);
    expect(checkNamed(await examine(kb), 'access_rules')).toEqual({
      name: 'access_rules',
      ok: true,
      detail: '3 rules',
    });
    await kb.add('HR/pay.md', 'pay');
    expect(checkNamed(await examine(kb), 'access_rules')).toMatchObject({
      optional: true,
      detail: 'no document fits rule 1, rule 2',
    });
  });

  it('says whether an index on a server has the words of all documents', async () => {
    const kb = await open({ env: { KEBAB_STORAGE_LEXICAL_INDEX: 'tape' } });
    const found = async (isCurrent: boolean): Promise<DoctorCheck | undefined> => {
      const lexicalIndex = { read: async () => ({ isCurrent: async () => isCurrent }) };
      const ports = { ...kb.ports, lexicalIndex: lexicalIndex as unknown as typeof kb.ports.lexicalIndex };
      return checkNamed(await examine({ ...kb, ports }), 'words_complete');
    };
    expect(await found(true)).toEqual({ name: 'words_complete', ok: true, detail: 'tape' });
    expect(await found(false)).toMatchObject({ ok: false, hint: 'kebab ingest' });
  });
});

describe('roomOn', () => {
  const MIB = 1_048_576;

  it.each([
    ['enough', { blocks: 1000, bavail: 64, bsize: MIB }],
    ['a file system without a size', { blocks: 0, bavail: 0, bsize: MIB }],
    ['one that reports nothing', null],
  ])('accepts %s', (_, found) => {
    expect(roomOn(found, '/data')).toEqual({ ok: true, detail: '/data' });
  });

  it.each([63, 0])('reports that %i MiB are too little', (bavail) => {
    expect(roomOn({ blocks: 1000, bavail, bsize: MIB }, '/data')).toEqual({
      ok: false,
      detail: `/data: its disk has ${bavail} MiB left`,
      hint: 'free some disk space, or name another folder with storage.data_dir',
    });
  });
});
