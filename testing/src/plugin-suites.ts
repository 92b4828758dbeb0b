import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type PluginKind, type Plugin, type PluginContext, analyseQuery } from '@kebab/core';
import type { Factory } from '@kebab/core/store';
import {
  PLUGIN_KINDS,
  NO_PERMISSIONS,
  PLUGIN_API,
  type PluginManifest,
  validateConfig,
  contributedIds,
} from '@kebab/core/suites';
import { assertIdentified, type ContractCase, type ContractSuite } from './contract-suite.ts';
import { MadeComponents, pluginContext } from './plugin-context.ts';
import { SUITES_BY_KIND, type Make, type PluginFixtures, type SuiteKind } from './suites-by-kind.ts';
import { growingStore } from './store-with.ts';

/** A plugin under test, with the inputs of its suites. */
export interface PluginSuitesOptions<Config = unknown> {
  readonly plugin: Plugin<Config>;
  /** The manifest in its package.json, which the plugin must match. */
  readonly manifest?: PluginManifest;
  readonly fixtures?: PluginFixtures;
  /** Its configuration, as a user would write it; `{}` by default. */
  readonly config?: unknown;
}

/**
 * Every suite a plugin has to pass: its declarations, the suite of each contribution, and that nothing stays open once all are closed. A
 * contribution whose suite needs missing fixtures is a skipped case that asks for them.
 */
export function pluginSuites<Config>(options: PluginSuitesOptions<Config>): readonly ContractSuite[] {
  const plugin = options.plugin as Plugin; // its factories receive the configuration that its own schema returned
  const made = new MadeComponents();
  let before: OpenHandles | undefined;
  const watched = (suite: ContractSuite): ContractSuite => ({
    ...suite,
    cases: suite.cases.map((one) => ({
      ...one,
      run: async () => {
        before ??= openHandles();
        try {
          await one.run();
        } finally {
          await made.close();
        }
      },
    })),
  });
  const making = <K extends PluginKind>(kind: K, id: string): Make<K> =>
    makerOf<K>({ ...options, plugin }, { kind, id, made });
  const contributions = PLUGIN_KINDS.flatMap((kind) =>
    Object.keys(plugin.contributes?.[kind] ?? {}).map((id) => ({ kind, id, make: making(kind, id) })),
  );
  return [
    watched({ contract: 'Plugin', cases: pluginPromises({ ...options, plugin }, contributions) }),
    ...contributions.map(({ kind, id, make }) =>
      watched({ contract: `${kind} ${id}`, cases: casesOf(kind, id, { make, fixtures: options.fixtures }) }),
    ),
    { contract: 'Plugin, closed', cases: [leavesNothing(() => before ?? openHandles())] },
  ];
}

function makerOf<K extends PluginKind>(
  { plugin, manifest, config = {} }: PluginSuitesOptions,
  { kind, id, made }: { readonly kind: K; readonly id: string; readonly made: MadeComponents },
): Make<K> {
  return async (given: Partial<PluginContext> = {}) => {
    const factory = plugin.contributes[kind]?.[id] as Factory<Awaited<ReturnType<Make<K>>>, unknown>;
    const permissions = plugin.permissions ?? manifest?.permissions ?? NO_PERMISSIONS;
    const context = { ...pluginContext(await validateConfig(plugin, config), permissions), ...given };
    return made.keep(await factory(context));
  };
}

function casesOf(
  kind: PluginKind,
  id: string,
  given: { readonly make: Make<PluginKind>; readonly fixtures: PluginFixtures | undefined },
): readonly ContractCase[] {
  if (!(kind in SUITES_BY_KIND)) return [skipped(`there is no suite for a ${kind}`)];
  const suiteKind = kind as SuiteKind;
  const fixture = given.fixtures?.[suiteKind]?.[id] ?? defaultFixture(suiteKind);
  if (fixture === undefined) return [skipped(`its suite needs fixtures.${kind}["${id}"]`)];
  const suite = SUITES_BY_KIND[suiteKind] as (options: unknown) => ContractSuite;
  return suite((fixture as (make: Make<PluginKind>) => unknown)(given.make)).cases;
}

function skipped(why: string): ContractCase {
  return {
    name: 'meets its contract',
    skip: why,
    run: () => {
      throw new Error(why);
    },
  };
}

function leavesNothing(before: () => OpenHandles): ContractCase {
  return {
    name: 'leaves no timer, socket, process, thread or watcher behind',
    run: async () => {
      const leaked = await leakedSince(before());
      if (leaked.length > 0) throw new Error(`still open after everything was closed: ${leaked.join(', ')}`);
    },
  };
}

type FixtureOf<K extends SuiteKind> = NonNullable<PluginFixtures[K]>[string];

const DEFAULTS: { readonly [K in SuiteKind]?: FixtureOf<K> } = {
  retriever: (make) => ({
    open: async (documents) => {
      const store = growingStore(documents);
      const retriever = await make({ documents: async () => store.documents });
      return { retriever, analyse: analyseQuery, commit: store.commit };
    },
  }),
  embedder: (make) => ({ create: make }),
  reranker: (make) => ({ open: async () => ({ reranker: await make() }) }),
  groundedness: (make) => ({ make }),
  interceptor: (make) => ({ make }),
  hook: (make) => ({ make }),
};

/** The default fixture for the suite of a kind; undefined when there is none. */
function defaultFixture<K extends SuiteKind>(kind: K): FixtureOf<K> | undefined {
  return DEFAULTS[kind];
}

/** Resources that a component may have left open, as Node names them. Others come and go with the test runner. */
const LEAKS: ReadonlySet<string> = new Set([
  'Timeout',
  'Immediate',
  'TCPSocketWrap',
  'TCPServerWrap',
  'UDPWrap',
  'TLSWrap',
  'ProcessWrap',
  'FSEventWrap',
  'StatWatcher',
  'Worker',
  'MessagePort',
  'HTTP2Session',
]);
const WAIT_MS = 50;
const MAX_WAITS = 30;

/** The number of open resources of each kind that keep this process alive. */
export type OpenHandles = ReadonlyMap<string, number>;

/** Counts what keeps this process alive: timers, sockets, servers, child processes, threads, file watchers. */
export function openHandles(): OpenHandles {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo())
    if (LEAKS.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The resources opened since `before`, after a second and a half to close them; empty when there are none. */
export async function leakedSince(before: OpenHandles): Promise<readonly string[]> {
  for (let waits = 0; ; waits++) {
    const leaked = [...openHandles()].flatMap(([name, count]) => {
      const more = count - (before.get(name) ?? 0);
      return more > 0 ? [`${more} ${name}`] : [];
    });
    if (leaked.length === 0 || waits === MAX_WAITS) return leaked;
    await sleep(WAIT_MS);
  }
}

/** The declarations of a plugin, and its configuration. */
interface PluginPromisesOptions {
  readonly plugin: Plugin;
  readonly manifest?: PluginManifest;
  readonly config?: unknown;
}

/** A contribution and the way to create it. */
interface TestedContribution {
  readonly kind: PluginKind;
  readonly id: string;
  readonly make: Make<PluginKind>;
}

/** Kinds whose components have no id, version and fingerprint. */
const NAMELESS: ReadonlySet<PluginKind> = new Set(['document_store', 'session_repo', 'interceptor', 'hook']);
const SEMVER = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** The suite of a plugin as a whole: its name, its manifest, its configuration, and contributions under their ids. */
function pluginPromises(
  options: PluginPromisesOptions,
  contributions: readonly TestedContribution[],
): readonly ContractCase[] {
  const { plugin, manifest, config = {} } = options;
  return [
    {
      name: 'declares its name, its version and its API version, in package.json or in its code',
      run: () => {
        const { name, version, apiVersion } = { ...manifest, ...plugin };
        assert.match(name ?? '', /^(?:@[^/\s]+\/)?[^/\s]+$/, 'the name is that of a package');
        assert.match(version ?? '', SEMVER, 'the version is a semantic one');
        assert.equal(apiVersion, PLUGIN_API);
        assert.ok(contributions.length > 0, 'it contributes something');
      },
    },
    {
      name: 'matches its package.json',
      ...(manifest === undefined ? { skip: 'there is no package.json with a "kebab" member' } : {}),
      run: () => {
        const code: Said = saidOf({ ...manifest, ...plugin, contributes: contributedIds(plugin) });
        for (const [key, declared] of Object.entries(saidOf(manifest))) {
          const [inCode, inManifest] = [code[key as keyof Said], declared].map((value) => JSON.stringify(value));
          const message = `${key} is ${inCode} in the code, and ${inManifest} in package.json`;
          assert.ok(isDeepStrictEqual(code[key as keyof Said], declared), message);
        }
      },
    },
    {
      name: 'declares permissions as lists of hosts and programs',
      run: () => {
        const { fs, net, spawn } = plugin.permissions ?? manifest?.permissions ?? NO_PERMISSIONS;
        assert.ok(['none', 'input-only', 'data-dir'].includes(fs), `${fs} is a valid fs permission`);
        for (const one of [...net, ...spawn]) assert.match(one, /^\S+$/, 'a host or program has no white space');
      },
    },
    {
      name: 'accepts its configuration, and rejects unknown settings',
      ...(plugin.config === undefined ? { skip: 'it has no settings' } : {}),
      run: async () => {
        await validateConfig(plugin, config);
        await assert.rejects(
          validateConfig(plugin, { ...(config as object), 'no-such-setting': 1 }),
          /no-such-setting/,
          'an unknown setting is reported',
        );
      },
    },
    ...contributions.map(contributionPromise),
  ];
}

type Said = { readonly [K in keyof PluginManifest]?: PluginManifest[K] | undefined };

/** The declarations common to code and package.json. */
function saidOf(manifest: Said | undefined): Said {
  if (manifest === undefined) return {};
  const { name, version, apiVersion, contributes, permissions } = manifest;
  return {
    name,
    version,
    apiVersion,
    contributes: { ...contributes },
    permissions: { ...NO_PERMISSIONS, ...permissions },
  };
}

function contributionPromise({ kind, id, make }: TestedContribution): ContractCase {
  return {
    name: `creates another ${kind} "${id}" each time, under that id, with the same fingerprint`,
    run: async () => {
      const [one, other] = [await make(), await make()];
      for (const made of [one, other]) assert.equal(typeof made, 'object', 'a factory returns an object');
      if (NAMELESS.has(kind)) return;
      const [named, again] = [one, other] as unknown as readonly Named[];
      assert.equal(named?.id, id);
      assert.ok(named !== undefined && again !== undefined);
      assertIdentified(named, again);
    },
  };
}

interface Named {
  readonly id: string;
  readonly version: string;
  fingerprint?(): string;
}
