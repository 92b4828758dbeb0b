import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ResolvedConfig, ResolvedSource } from '../../src/config/resolved-config.ts';
import type { PluginEntry } from '../../src/plugin/find-plugins.ts';
import { ConfigWorld } from './config-world.ts';

describe('ResolvedConfig', () => {
  it('has the type of the key table', async () => {
    expectTypeOf<ResolvedConfig['schemaVersion']>().toEqualTypeOf<number>();
    expectTypeOf<ResolvedConfig['plugins']>().toEqualTypeOf<readonly PluginEntry[]>();
    expectTypeOf<ResolvedConfig['workspace']['root']>().toEqualTypeOf<string>();
    expectTypeOf<ResolvedConfig['workspace']['followSymlinks']>().toEqualTypeOf<boolean>();
    expectTypeOf<ResolvedConfig['workspace']['sources']>().toEqualTypeOf<readonly ResolvedSource[]>();
    expectTypeOf<ResolvedConfig['models']['embedding']['dimensions']>().toEqualTypeOf<number | null>();
    expectTypeOf<ResolvedConfig['rag']['promptTemplateVersion']>().toEqualTypeOf<'rag-v1' | 'rag-v2' | 'rag-v3'>();
    expectTypeOf<ResolvedConfig['rag']['scoreGateHybrid']>().toEqualTypeOf<number | null>();
    expectTypeOf<ResolvedConfig['mcp']['ingestRoots']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<ResolvedSource['trustLevel']>().toEqualTypeOf<'primary' | 'secondary' | 'generated' | null>();
    const world = new ConfigWorld();
    const { config } = await world.resolve();
    world.remove();
    expect(Object.keys(config)).toEqual([
      'schemaVersion',
      'plugins',
      'workspace',
      'storage',
      'indexing',
      'chunking',
      'code',
      'pdf',
      'ocr',
      'caption',
      'models',
      'search',
      'rag',
      'mcp',
      'access',
      'serve',
      'pluginLimits',
      'logging',
      's3',
    ]);
  });

  it('is frozen at every depth', async () => {
    const world = new ConfigWorld();
    const { config } = await world.resolve({ env: { KEBAB_WORKSPACE_SOURCES: '[{"id": "a", "root": "a"}]' } });
    world.remove();
    const thawed: string[] = [];
    const visit = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(at);
      for (const [name, member] of Object.entries(value)) visit(member, `${at}.${name}`);
    };
    visit(config, 'config');
    expect(thawed).toEqual([]);
  });
});
