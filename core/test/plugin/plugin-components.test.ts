import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { invalidInput } from '../../src/errors/invalid-input.ts';
import { type GivenSettings } from '../../src/plugin/define-plugin.ts';
import { definePlugin, type Extractor, type Hook, type Plugin, type PluginContext } from '@kebab/core';
import { contributedIds, type LoadedPlugin } from '../../src/plugin/loaded-plugin.ts';
import { PluginComponents } from '../../src/plugin/plugin-components.ts';
import { trustPolicyOf } from '../../src/plugin/trust-policy.ts';
import { ScriptedModel } from '@kebab/testing';

const base = { version: '1.0.0', apiVersion: 1, permissions: { fs: 'none', net: [], spawn: [] } } as const;
const hook = (close?: () => void | Promise<void>): Hook & { close?: () => void | Promise<void> } =>
  close === undefined ? {} : { close };

function loaded(plugin: Plugin, origin: LoadedPlugin['origin'] = 'path', rawConfig: unknown = {}): LoadedPlugin {
  return {
    manifest: { ...base, name: plugin.name ?? 'p', contributes: contributedIds(plugin) },
    origin,
    policy: trustPolicyOf({ origin }),
    path: null,
    moduleUrl: null,
    rawConfig,
    load: async () => ({ default: plugin }),
  };
}

/** A plugin that contributes hooks alone. */
function hooks(name: string, made: Readonly<Record<string, (context: PluginContext) => unknown>>): LoadedPlugin {
  return loaded(definePlugin({ ...base, name, contributes: { hook: made as Record<string, () => Hook> } }));
}

interface Surroundings {
  readonly settings?: unknown;
  readonly context?: object;
  /** Receives the messages of failures. */
  readonly failed?: string[];
}

function componentsOf(
  plugins: readonly LoadedPlugin[],
  { settings = {}, context = {}, failed = [] }: Surroundings = {},
): PluginComponents {
  return new PluginComponents({
    plugins,
    settingsOf: () => settings as GivenSettings,
    contextOf: () => context as Omit<PluginContext, 'config'>,
    onFailure: (_name, error) => failed.push(error.message),
    allowWrite: () => {},
  });
}

describe('PluginComponents', () => {
  it('prefers the first plugin, for each id', async () => {
    const one = { ...hook(), from: 'one' };
    const components = componentsOf([
      loaded(definePlugin({ ...base, name: 'one', contributes: { hook: { log: () => one } } }), 'builtin'),
      hooks('two', { log: () => hook(), other: () => hook() }),
    ]);
    expect(components.list('hook').map(({ plugin, id }) => `${plugin}/${id}`)).toEqual(['one/log', 'two/other']);
    expect(await components.get('hook', 'log')).toHaveProperty('from', 'one');
    expect(await components.first('hook')).toBe(await components.get('hook', 'log'));
  });

  it.each(['path', 'builtin'] as const)(
    'keeps the secrets of its configuration out of failures of a %s plugin',
    async (origin) => {
      const fail = (): never => {
        throw new Error('401 for sk-own-1 and sk-given-1 at http://me:pass@host/x?api_key=k123', {
          cause: new Error('sent "Bearer sk-given-1" 4711-0815'),
        });
      };
      const refuse = (): never => {
        throw invalidInput('sk-own-1 is refused', { field: 'x', value: 'sk-own-1' });
      };
      const embedder = {
        id: 'fails',
        version: '1',
        modelId: 'm',
        modelVersion: '1',
        dimensions: 2,
        maxInputTokens: 1,
        relevance: { floor: 0, ceil: 1 },
        languages: null,
        embed: fail,
      };
      const plugin = definePlugin({
        ...base,
        name: 'p',
        contributes: { embedder: { fails: () => embedder, unmade: fail, refused: refuse } },
      });
      const made = loaded(plugin, origin, { api_key: 'sk-own-1', nested: [{ token: 'no' }] });
      const key = { kind: 'text', default: '', secret: true, doc: 'A PIN.' } as const;
      const manifest = { ...made.manifest, section: { name: 'safe', doc: 'A safe.', keys: { door_pin: key } } };
      const components = componentsOf([{ ...made, manifest }], {
        settings: { llm: { apiKey: 'sk-given-1', model: 'host' }, section: { doorPin: '4711-0815' } },
      });
      const shown = (error: unknown): string => inspect(error, { depth: 9 });
      const errors = await Promise.all([
        components.get('embedder', 'unmade').catch(shown),
        components.get('embedder', 'refused').catch(shown),
        (async () => (await components.get('embedder', 'fails')).embed([]))().catch(shown),
      ]);
      for (const error of errors) expect(error).not.toMatch(/sk-own-1|sk-given-1|me:pass|k123|4711/);
      expect(errors[0]).toContain('401 for *** and *** at http://***@host/x?api_key=***');
      expect(errors[1]).toContain('*** is refused');
      expect(errors[2]).toContain('401 for *** and *** at http://***@host/x?api_key=***');
    },
  );

  it('creates each component once, on first request, and gives a plugin one context', async () => {
    const contexts: unknown[] = [];
    const make = (context: PluginContext): Hook => {
      contexts.push(context);
      return hook();
    };
    const components = componentsOf([hooks('p', { a: make, b: make })]);
    expect(contexts).toHaveLength(0);
    await Promise.all([components.get('hook', 'a'), components.get('hook', 'a'), components.get('hook', 'b')]);
    expect(contexts).toHaveLength(2);
    expect(contexts[0]).toBe(contexts[1]);
  });

  it('names the plugin, its version and the stage of a failure, and keeps the others working', async () => {
    const failed: string[] = [];
    const fail = (): never => {
      throw new Error('no luck');
    };
    const components = componentsOf([hooks('bad', { x: fail }), hooks('good', { y: () => hook() })], { failed });
    await expect(components.get('hook', 'x')).rejects.toMatchObject({
      code: 'plugin_failed',
      message: 'bad@1.0.0/create failed: no luck',
      details: { plugin: 'bad', version: '1.0.0', kind: 'hook', stage: 'create', cause: 'no luck', path: null },
    });
    expect(await components.all('hook')).toHaveLength(1);
    expect(failed).toEqual(['bad@1.0.0/create failed: no luck']);
  });

  it('validates the configuration by the plugin’s own schema and names the bad key', async () => {
    const plugin = definePlugin<{ readonly depth: number }>({
      ...base,
      name: 'strict',
      config: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: (value) =>
            typeof (value as { depth?: unknown }).depth === 'number'
              ? { value: value as { depth: number } }
              : { issues: [{ message: 'expected a number', path: ['depth'] }] },
        },
      },
      contributes: { hook: { x: (context) => ({ ...hook(), depth: context.config.depth }) } },
    });
    const strict = (config: object) => componentsOf([loaded(plugin as Plugin, 'path', config)]);
    const made = await strict({ depth: 3 }).get('hook', 'x');
    expect((made as { readonly depth?: number }).depth).toBe(3);
    await expect(strict({}).get('hook', 'x')).rejects.toThrow(
      'strict@1.0.0/configure failed: bad configuration (depth: expected a number)',
    );
  });

  it('derives a plugin’s configuration from kebab’s settings, overridden by its own entry', async () => {
    const plugin = definePlugin({
      contributes: { hook: { x: ({ config }) => ({ ...hook(), config }) } },
      settings: ({ embedder }) => ({ model: embedder.model, batch: embedder.batchSize }),
    });
    const settings = { embedder: { model: 'small', batchSize: 4 } };
    const made = await componentsOf([loaded(plugin, 'path', { batch: 8 })], { settings }).get('hook', 'x');
    expect(made).toHaveProperty('config', { model: 'small', batch: 8 });
  });

  it('opens a language model with another model name beside the configured one, each once', async () => {
    const plugin = definePlugin({
      contributes: {
        llm: {
          scripted: ({ config }) =>
            new ScriptedModel('yes', { model: { id: (config as { readonly model: string }).model, provider: 'x' } }),
        },
      },
      settings: ({ llm }) => ({ model: llm.model }),
    });
    const components = componentsOf([loaded(plugin)], { settings: { llm: { model: 'small' } } });
    const other = await components.languageModel('scripted', 'large');
    expect([other.model.id, (await components.get('llm', 'scripted')).model.id]).toEqual(['large', 'small']);
    expect(await components.languageModel('scripted', 'large')).toBe(other);
    await expect(components.languageModel('y', 'large')).rejects.toMatchObject({ code: 'config_invalid' });
  });

  it('suggests the nearest id for an unknown one', async () => {
    await expect(componentsOf([hooks('p', { audit: () => hook() })]).get('hook', 'audti')).rejects.toMatchObject({
      code: 'config_invalid',
      details: { suggestion: 'audit' },
    });
  });

  it('closes in reverse order of creation, and continues after a failing close', async () => {
    const closed: string[] = [];
    const closing = (name: string) => (): Hook =>
      hook(() => {
        closed.push(name);
        if (name === 'b') throw new Error('stuck');
      });
    const plugin = hooks('p', { a: closing('a'), b: closing('b'), c: closing('c') });
    for (const origin of ['path', 'builtin'] as const) {
      closed.length = 0;
      const failed: string[] = [];
      const components = componentsOf([{ ...plugin, origin, policy: trustPolicyOf({ origin }) }], { failed });
      await components.get('hook', 'c');
      await components.get('hook', 'b');
      const ended = await components.close().then(
        () => 'closed',
        (error: Error) => error.message,
      );
      expect({ closed, failed, ended }).toEqual(
        origin === 'path'
          ? { closed: ['b', 'c'], failed: ['p@1.0.0/close failed: stuck'], ended: 'closed' }
          : { closed: ['b', 'c'], failed: [], ended: 'closing failed' },
      );
    }
  });

  it('abandons a factory or a close that exceeds its time limit', async () => {
    const failed: string[] = [];
    const never = new Promise<never>(() => {});
    const slow = hooks('slow', { made: () => hook(() => never), never: () => never });
    const limits = { ...slow.policy.limits, createMs: 20, closeMs: 20 };
    const components = componentsOf([{ ...slow, policy: { ...slow.policy, limits } }], { failed });
    await expect(components.get('hook', 'never')).rejects.toMatchObject({
      code: 'plugin_failed',
      message: 'slow@1.0.0/create failed: its factory of the hook "never" did not finish within 0.02 s',
    });
    await components.get('hook', 'made');
    await components.close();
    expect(failed).toEqual(['slow@1.0.0/close failed: its hook did not close within 0.02 s']);
  });

  /** A plugin of an extractor `x` with other members. */
  const extracting = (more: object = {}): Plugin => {
    const x = {
      id: 'x',
      version: '1',
      isolation: 'inline',
      match: {},
      supports: () => true,
      fingerprint: () => 'x@1',
      parserVersion: () => 'x-v1',
      chunkerId: () => 'x',
      extract: async () => ({}),
      ...more,
    };
    return definePlugin({ ...base, name: 'p', contributes: { extractor: { x: () => x as unknown as Extractor } } });
  };

  it('keeps lazy members of a context lazy', async () => {
    let asked = 0;
    const context = {
      get tmpDir() {
        asked++;
        return '/tmp/x';
      },
    };
    const plugin = hooks('p', { idle: () => hook(), busy: ({ tmpDir: folder }) => ({ ...hook(), folder }) });
    const components = componentsOf([plugin], { context });
    await components.get('hook', 'idle');
    expect(asked).toBe(0);
    await components.get('hook', 'busy');
    expect(asked).toBe(1);
  });

  it('skips an extractor that fails to say whether it takes a file, and names it', async () => {
    const failed: string[] = [];
    const supports = (): never => {
      throw new Error('no idea');
    };
    for (const more of [{ supports }, { parserVersion: () => 7 }]) {
      const components = componentsOf([loaded(extracting(more))], { failed });
      expect((await components.get('extractor', 'x')).supports({ kind: 'text' })).toBe(false);
    }
    expect(failed).toEqual([
      'p@1.0.0/supports failed: no idea',
      'p@1.0.0/supports failed: its parserVersion of text is not a string',
    ]);
  });

  it('runs a third-party extractor in a worker, whatever isolation it declares', async () => {
    const isolationOf = async (origin: LoadedPlugin['origin']) =>
      (await componentsOf([loaded(extracting(), origin)]).get('extractor', 'x')).isolation;
    expect([await isolationOf('path'), await isolationOf('package'), await isolationOf('builtin')]).toEqual([
      'worker',
      'worker',
      'inline',
    ]);
  });
});
