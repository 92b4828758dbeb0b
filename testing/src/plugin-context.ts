import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginContext, Plugin } from '@kebab/core';
import { type PluginPermissions, type PluginManifest, manifestOf } from '@kebab/core/suites';
import { silentCallContext } from './contract-suite.ts';
import { storeWith } from './store-with.ts';

/**
 * A context as kebab passes it to a factory: a silent log, an empty cache, a temporary folder of this process, a data folder for plugins
 * that request one, the real clock, no documents, the id of a knowledge base.
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

/** The manifest in the text of a package.json. Throws for a package.json without one. */
export function manifestFrom(packageJson: string): PluginManifest {
  const manifest = manifestOf(JSON.parse(packageJson) as Readonly<Record<string, unknown>>, 'package.json');
  if (manifest === null) throw new Error('package.json has no "kebab" member');
  return manifest;
}

interface Closable {
  close?(): void | Promise<void>;
}

/** The components created by a case; each is closed once, in reverse order of creation. */
export class MadeComponents {
  readonly #made: Closable[] = [];

  /** Registers a component, and returns it. It is closed only once, even if a suite closes it earlier. */
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

  /** Closes what was created since the last call. The first error is thrown when all are closed. */
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

const MARKED = /(<!-- settings:[^\n]*-->\n)[\s\S]*?(<!-- \/settings -->)/;

/** The JSON Schema of one setting. */
interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
}

/** A schema that can generate JSON Schema, such as those of zod 4. */
interface DescribingSchema {
  readonly '~standard': { readonly jsonSchema?: { input(options: { readonly target: string }): unknown } };
}

/**
 * Inserts the table of a plugin's settings between the markers of a page, generated from the plugin's own schema: name, default, values and
 * meaning of each. Throws for a page without markers and for a schema that has no JSON Schema.
 */
export function withSettings<Config>(page: string, plugin: Pick<Plugin<Config>, 'config'>): string {
  if (!MARKED.test(page)) throw new Error('the page lacks <!-- settings: … --> and <!-- /settings -->');
  const table = tableOf(propertiesOf(plugin.config as DescribingSchema | undefined));
  return page.replace(MARKED, (_match, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

function propertiesOf(schema: DescribingSchema | undefined): Readonly<Record<string, Property>> {
  if (schema === undefined) return {};
  const describe = schema['~standard'].jsonSchema;
  if (describe === undefined) throw new Error('its schema has no JSON Schema: use zod 4.2 or later');
  const { properties = {} } = describe.input({ target: 'draft-2020-12' }) as {
    readonly properties?: Readonly<Record<string, Property>>;
  };
  return properties;
}

function tableOf(properties: Readonly<Record<string, Property>>): string {
  const rows = Object.entries(properties).map(([name, property]) => {
    const given = property.default === undefined ? 'must be given' : `\`${JSON.stringify(property.default)}\``;
    const values = property.enum?.map((value) => JSON.stringify(value)).join(', ') ?? property.type ?? 'any';
    return `| \`${name}\` | ${given} | ${values} | ${(property.description ?? '').replaceAll('|', '\\|')} |`;
  });
  if (rows.length === 0) return 'There is nothing to set.';
  return ['| setting | default | values | meaning |', '|---|---|---|---|', ...rows].join('\n');
}
