import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginContext, PluginPermissions } from '../plugin/define-plugin.ts';
import { silentCallContext } from './call-context.ts';
import { storeWith } from './store-with.ts';

/**
 * A context as kebab gives it to a factory: a silent log, an empty cache, a folder of this process, one to
 * keep files in for plugins that ask for it, the real clock, no documents, the id of a knowledge base.
 */
export function pluginContext<Config>(config: Config, permissions: PluginPermissions): PluginContext<Config> {
  const cached = new Map<string, Uint8Array>();
  return {
    config,
    log: silentCallContext().log,
    cache: { get: (key) => cached.get(key), set: (key, payload) => void cached.set(key, payload) },
    tmpDir: temporaryFolder(),
    ...(permissions.fs === 'data-dir' ? { dataDir: path.join(temporaryFolder(), 'data') } : {}),
    clock: { now: () => new Date() },
    documents: () => storeWith([]),
    knowledgeBase: async () => '0123456789abcdef'.repeat(2),
    ...(permissions.net.length === 0 ? {} : { fetch: globalThis.fetch }),
  };
}

let folder: string | undefined;

function temporaryFolder(): string {
  if (folder !== undefined) return folder;
  const made = path.join(tmpdir(), `kebab-plugin-test-${process.pid}`);
  mkdirSync(path.join(made, 'data'), { recursive: true });
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}
