import { componentPorts } from '../../src/ports.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listModels, pullModels, type ModelPorts } from '../../src/admin/models.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import type { CatalogModel, ModelCatalog } from '../../src/contracts/model-catalog.ts';
import { FakeComponents } from '../fake-components.ts';
import { HashEmbedder, ScriptedModel } from '@kebab/testing';
import { ModelListSchema, ModelPullSchema } from '../../src/wire/admin.ts';
import type { ModelPull } from '../../src/wire/index.ts';

const clock = { now: () => new Date('2026-01-01T00:00:00Z') };

/** A catalog that downloads instantly, and records its downloads. */
class FakeCatalog implements ModelCatalog {
  readonly id = 'shelf';
  readonly version = '1';
  readonly pulled: string[] = [];
  readonly models: CatalogModel[] = [
    { id: 'multilingual-e5-small', role: 'embedding', present: false, bytes: null },
    { id: 'tiny', role: 'embedding', present: true, bytes: 12 },
    { id: 'judge', role: 'nli', present: false, bytes: null },
  ];

  fingerprint(): string {
    return 'shelf@1';
  }

  async list(): Promise<readonly CatalogModel[]> {
    return this.models;
  }

  async pull(model: string, { onProgress }: Parameters<ModelCatalog['pull']>[1] = {}): Promise<string> {
    onProgress?.({ bytesDone: 1, bytesTotal: 2 });
    onProgress?.({ bytesDone: 2, bytesTotal: 2 });
    this.pulled.push(model);
    return `/models/${model}`;
  }
}

async function models(env: Readonly<Record<string, string>> = {}): Promise<{ models: ModelPorts; shelf: FakeCatalog }> {
  const shelf = new FakeCatalog();
  const { config } = await resolveConfig({ cwd: '/nowhere', env, homeDir: '/nowhere' });
  return {
    shelf,
    models: { ...componentPorts(new FakeComponents({ model_catalog: { shelf } })), config, clock },
  };
}

describe('models', () => {
  it('lists the models of catalogs and other configured ones', async () => {
    const { models: all } = await models();
    const list = ModelListSchema.parse(await listModels(all));
    expect(list.models).toEqual([
      {
        id: 'multilingual-e5-small',
        role: 'embedding',
        provider: 'shelf',
        present: false,
        bytes: null,
        configured: true,
      },
      { id: 'tiny', role: 'embedding', provider: 'shelf', present: true, bytes: 12, configured: false },
      { id: 'judge', role: 'nli', provider: 'shelf', present: false, bytes: null, configured: false },
      {
        id: 'qwen2.5:14b-instruct',
        role: 'llm',
        provider: 'ollama',
        present: false,
        bytes: null,
        configured: true,
      },
    ]);
  });

  it('reports for models outside catalogs whether they are available, and the size of folders', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-model-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(path.join(folder, 'model.onnx'), 'x'.repeat(120));
    const { config } = await resolveConfig({
      cwd: '/nowhere',
      env: { KEBAB_MODELS_EMBEDDING_MODEL: folder },
      homeDir: '/nowhere',
    });
    const parts = { embedder: { transformers: new HashEmbedder() }, llm: { ollama: new ScriptedModel([]) } };
    const list = await listModels({ ...componentPorts(new FakeComponents(parts)), config, clock });
    expect(list.models).toMatchObject([
      { id: folder, role: 'embedding', present: true, bytes: 120 },
      { id: 'qwen2.5:14b-instruct', role: 'llm', present: true, bytes: null },
    ]);
  });

  it('names the model of a plugin, and fetches none of another provider instead', async () => {
    const { config } = await resolveConfig({
      cwd: '/nowhere',
      env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'acme', KEBAB_MODELS_LLM_PROVIDER: 'acme' },
      homeDir: '/nowhere',
    });
    const given = componentPorts(new FakeComponents({ model_catalog: { shelf: new FakeCatalog() } }));
    const names = () => given.modelCatalogs.names().map((name) => ({ ...name, plugin: 'kebab-shelf' }));
    const shelf = { ...given, modelCatalogs: { ...given.modelCatalogs, names } };
    const own = new FakeComponents(
      { embedder: { acme: new HashEmbedder() }, llm: { acme: new ScriptedModel([]) } },
      'package',
    );
    const { embedders, languageModels } = componentPorts(own);
    const all = { ...shelf, embedders, languageModels, config, clock };
    const { models: list } = ModelListSchema.parse(await listModels(all));
    expect(list.filter(({ configured }) => configured)).toMatchObject([
      { id: 'hash-64', role: 'embedding', provider: 'acme', present: true },
      { id: new ScriptedModel([]).model.id, role: 'llm', provider: 'acme', present: true },
    ]);
    await expect(pullModels(all, undefined)).rejects.toMatchObject({ code: 'invalid_input' });
    const broken = {
      ...shelf,
      config,
      clock,
      languageModels,
      embedders: { ...embedders, get: () => Promise.reject(new Error('gone')) },
    };
    expect((await listModels(broken)).models).toContainEqual({
      id: 'acme',
      role: 'embedding',
      provider: 'acme',
      present: false,
      bytes: null,
      configured: true,
    });
  });

  it('fetches a model from a catalog of the same plugin', async () => {
    const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'acme', KEBAB_MODELS_EMBEDDING_MODEL: 'tiny' };
    const { config } = await resolveConfig({ cwd: '/nowhere', env, homeDir: '/nowhere' });
    const shelf = new FakeCatalog();
    const own = new FakeComponents({ embedder: { acme: new HashEmbedder() }, model_catalog: { shelf } }, 'package');
    const all = { ...componentPorts(own), config, clock };
    await pullModels(all, undefined);
    expect(shelf.pulled).toEqual(['tiny']);
  });

  it('downloads the configured models when none is named, and reports progress', async () => {
    const { models: all, shelf } = await models();
    const events: ModelPull[] = [];
    const last = await pullModels(all, undefined, { onProgress: (event) => events.push(ModelPullSchema.parse(event)) });
    expect(shelf.pulled).toEqual(['multilingual-e5-small']);
    expect(events.map(({ kind, bytes_done: done }) => [kind, done])).toEqual([
      ['started', 0],
      ['progress', 1],
      ['progress', 2],
      ['finished', 2],
    ]);
    expect(last).toEqual(events.at(-1));
    expect(last.path).toBe('/models/multilingual-e5-small');
  });

  it('downloads the named model, configured or not', async () => {
    const { models: all, shelf } = await models();
    await pullModels(all, 'judge');
    expect(shelf.pulled).toEqual(['judge']);
  });

  it('rejects a model that no catalog lists, with the nearest name', async () => {
    const { models: all } = await models();
    await expect(pullModels(all, 'multilingual-e5-smal')).rejects.toMatchObject({
      code: 'invalid_input',
      details: { suggestion: 'multilingual-e5-small' },
    });
  });

  it('reports when no configured model can be downloaded', async () => {
    const { models: all } = await models({ KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' });
    await expect(pullModels(all, undefined)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('names the setting for a folder that cannot hold models', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-model-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(path.join(folder, 'file'), '');
    const modelDir = path.join(folder, 'file', 'models');
    const { models: all, shelf } = await models({ KEBAB_STORAGE_MODEL_DIR: modelDir });
    shelf.pull = async () => mkdirSync(path.join(modelDir, '.pull'), { recursive: true }) ?? '';
    await expect(pullModels(all, 'judge')).rejects.toMatchObject({
      code: 'io_error',
      message: `storage.model_dir is ${modelDir}, but ${path.join(modelDir, '.pull')}: not a directory`,
      hint: expect.stringContaining('kebab config set storage.model_dir') as string,
    });
  });
});
