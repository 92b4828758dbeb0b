import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginContext, PluginPermissions } from '../plugin/define-plugin.ts';
import { silentCallContext } from './call-context.ts';
import { storeWith } from './store-with.ts';
import type { PluginManifest } from '../plugin/manifest.ts';
import { manifestOf } from '../plugin/read-manifest.ts';

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

/** The manifest in the text of a package.json. Throws for a package.json that has none. */
export function manifestFrom(packageJson: string): PluginManifest {
  const manifest = manifestOf(JSON.parse(packageJson) as Readonly<Record<string, unknown>>, 'package.json');
  if (manifest === null) throw new Error('package.json has no "kebab" member');
  return manifest;
}

interface Closable {
  close?(): void | Promise<void>;
}

/** The components that a case made; each is closed once, the last made first. */
export class MadeComponents {
  readonly #made: Closable[] = [];

  /** Remembers a component, and gives it back. Whoever closes it first does; a suite may, before this does. */
  keep<T>(component: T): T {
    if (typeof component !== 'object' || component === null) return component;
    const close = (component as Closable).close?.bind(component);
    let closed = false;
    if (close !== undefined && Object.isExtensible(component))
      Object.defineProperty(component, 'close', {
        value: () => {
          if (closed) return undefined;
          closed = true;
          return close();
        },
      });
    this.#made.push(component);
    return component;
  }

  /** Closes what was made since the last call. The first failure is thrown when all are closed. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const component of this.#made.splice(0).toReversed()) {
      try {
        await component.close?.();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
