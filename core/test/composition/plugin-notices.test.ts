import { describe, expect, it } from 'vitest';
import { PluginNotices } from '../../src/composition/installed-plugins.ts';
import type { ComponentName } from '../../src/plugin/components.ts';
import type { PluginKind } from '../../src/plugin/contributions.ts';
import { attributedFailure } from '../../src/plugin/guard/guard.ts';
import { pluginFailure } from '../../src/plugin/plugin-failure.ts';
import { trustPolicyOf } from '../../src/plugin/trust-policy.ts';

const name = (kind: PluginKind): ComponentName => ({
  kind,
  id: 'x',
  plugin: 'acme',
  pluginVersion: '1.0.0',
  policy: trustPolicyOf({ origin: 'package' }),
});

describe('PluginNotices', () => {
  it('reports each notice once and appends it, so that lines can be printed incrementally', () => {
    const notices = new PluginNotices(['known before']);
    notices.broken(name('extractor'), new Error('acme@1.0.0/create failed: no luck'));
    const first = notices.lines;
    notices.broken(name('extractor'), new Error('acme@1.0.0/create failed: again'));
    notices.failedCall(name('hook'), attributedFailure(new Error('no luck'), name('hook'), 'onAnswer'));
    expect(first).toEqual(['known before', 'plugin acme@1.0.0/create failed: no luck; see `kebab plugin doctor`']);
    expect(notices.lines.slice(first.length)).toEqual([
      'plugin acme@1.0.0/onAnswer failed: no luck; update acme@1.0.0, or take it out of `plugins`; `kebab plugin doctor` looks closer',
    ]);
    expect([notices.reasonOf('acme'), notices.reasonOf('other')]).toEqual([
      'acme@1.0.0/create failed: again',
      undefined,
    ]);
  });

  it('omits what a search or an error reports itself', () => {
    const notices = new PluginNotices([]);
    for (const kind of ['embedder', 'reranker', 'vector_store'] as const)
      notices.failedCall(name(kind), attributedFailure(new Error('no luck'), name(kind), 'call'));
    expect(notices.lines).toEqual([]);
  });

  it('reports once that a plugin fails on files, and nothing about files that are at fault themselves', () => {
    const notices = new PluginNotices([]);
    const plugin = { name: 'acme', version: '1.0.0' };
    notices.failedFile(new Error('cancelled'));
    for (const file of ['a', 'b'])
      notices.failedFile(
        pluginFailure(new Error('no luck'), { plugin, kind: 'extractor', stage: 'extract', path: file }),
      );
    expect(notices.lines).toEqual([
      'plugin acme@1.0.0 fails on files: update it, or take it out of `plugins`; `kebab plugin test` shows its author more',
    ]);
  });
});
