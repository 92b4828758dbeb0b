import { fingerprintOf } from '../domain/policy-hash.ts';
import assert from 'node:assert/strict';
import type { PluginKind } from '../plugin/contributions.ts';
import { NO_PERMISSIONS, PLUGIN_API, type Plugin } from '../plugin/define-plugin.ts';
import { contributedIds, validateConfig } from '../plugin/loaded-plugin.ts';
import type { PluginManifest } from '../plugin/manifest.ts';
import type { ContractCase } from './contract-suite.ts';
import type { Make } from './suites-by-kind.ts';

/** What a plugin says of itself, and how it is configured. */
export interface PluginPromisesOptions {
  readonly plugin: Plugin;
  readonly manifest?: PluginManifest;
  readonly config?: unknown;
}

/** A contribution and the way to make it. */
export interface TestedContribution {
  readonly kind: PluginKind;
  readonly id: string;
  readonly make: Make<PluginKind>;
}

/** Kinds whose components carry no id, version and fingerprint. */
const NAMELESS: ReadonlySet<PluginKind> = new Set([
  'document_store',
  'document_encoder',
  'session_repo',
  'interceptor',
  'hook',
]);
const SEMVER = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** The promises of a plugin as a whole: its name, its manifest, its configuration, and contributions under their ids. */
export function pluginPromises(
  options: PluginPromisesOptions,
  contributions: readonly TestedContribution[],
): readonly ContractCase[] {
  const { plugin, manifest, config = {} } = options;
  return [
    {
      name: 'names itself, its version and the API it speaks, in package.json or in its code',
      run: () => {
        const { name, version, apiVersion } = { ...manifest, ...plugin };
        assert.match(name ?? '', /^(?:@[^/\s]+\/)?[^/\s]+$/, 'the name is one of a package');
        assert.match(version ?? '', SEMVER, 'the version is a semantic one');
        assert.equal(apiVersion, PLUGIN_API);
        assert.ok(contributions.length > 0, 'it contributes something');
      },
    },
    {
      name: 'is what its package.json says',
      ...(manifest === undefined ? { skip: 'there is no package.json with a "kebab" member' } : {}),
      run: () => {
        assert.deepEqual(saidOf({ ...manifest, ...plugin, contributes: contributedIds(plugin) }), saidOf(manifest));
      },
    },
    {
      name: 'declares permissions as lists of hosts and programs',
      run: () => {
        const { fs, net, spawn } = plugin.permissions ?? manifest?.permissions ?? NO_PERMISSIONS;
        assert.ok(['none', 'input-only', 'data-dir'].includes(fs), `${fs} is a file permission`);
        for (const one of [...net, ...spawn]) assert.match(one, /^\S+$/, 'a host or program has no white space');
      },
    },
    {
      name: 'takes its configuration, and refuses settings it does not know',
      ...(plugin.config === undefined ? { skip: 'it has no settings' } : {}),
      run: async () => {
        await validateConfig(plugin, config);
        await assert.rejects(
          validateConfig(plugin, { ...(config as object), 'no-such-setting': 1 }),
          /no-such-setting/,
          'an unknown setting is named as wrong',
        );
      },
    },
    ...contributions.map(contributionPromise),
  ];
}

type Said = { readonly [K in keyof PluginManifest]?: PluginManifest[K] | undefined };

/** What code and package.json both say. */
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
    name: `makes the ${kind} "${id}" anew each time, under that id, with one fingerprint`,
    run: async () => {
      const [one, other] = [await make(), await make()];
      for (const made of [one, other]) assert.equal(typeof made, 'object', 'a factory gives an object');
      if (NAMELESS.has(kind)) return;
      const [named, again] = [one, other] as unknown as readonly Named[];
      assert.equal(named?.id, id);
      assert.match(named?.version ?? '', /\S/, 'it has a version');
      assert.ok(named !== undefined && again !== undefined);
      assert.equal(fingerprintOf(named), fingerprintOf(again), 'two of one configuration have one fingerprint');
    },
  };
}

interface Named {
  readonly id: string;
  readonly version: string;
  fingerprint?(): string;
}
