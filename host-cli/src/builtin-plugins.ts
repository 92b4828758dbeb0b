import type { BuiltinPlugin, PluginManifest } from '@kebab/core/app';
import rust from '@kebab/plugin-code-rust/package.json' with { type: 'json' };
import c from '@kebab/plugin-code-c/package.json' with { type: 'json' };
import cpp from '@kebab/plugin-code-cpp/package.json' with { type: 'json' };
import go from '@kebab/plugin-code-go/package.json' with { type: 'json' };
import java from '@kebab/plugin-code-java/package.json' with { type: 'json' };
import javascript from '@kebab/plugin-code-javascript/package.json' with { type: 'json' };
import kotlin from '@kebab/plugin-code-kotlin/package.json' with { type: 'json' };
import typescript from '@kebab/plugin-code-typescript/package.json' with { type: 'json' };
import python from '@kebab/plugin-code-python/package.json' with { type: 'json' };
import manifests from '@kebab/plugin-manifests/package.json' with { type: 'json' };
import md from '@kebab/plugin-md/package.json' with { type: 'json' };
import plainText from '@kebab/plugin-plain-text/package.json' with { type: 'json' };
import sqlite from '@kebab/plugin-store-sqlite/package.json' with { type: 'json' };

/** The plugins that come with kebab. Their manifests are data; their code is loaded when one of them is first used. */
export const builtins: readonly BuiltinPlugin[] = [
  { manifest: manifestOf(md), load: () => import('@kebab/plugin-md') },
  { manifest: manifestOf(plainText), load: () => import('@kebab/plugin-plain-text') },
  { manifest: manifestOf(rust), load: () => import('@kebab/plugin-code-rust') },
  { manifest: manifestOf(python), load: () => import('@kebab/plugin-code-python') },
  { manifest: manifestOf(c), load: () => import('@kebab/plugin-code-c') },
  { manifest: manifestOf(cpp), load: () => import('@kebab/plugin-code-cpp') },
  { manifest: manifestOf(go), load: () => import('@kebab/plugin-code-go') },
  { manifest: manifestOf(java), load: () => import('@kebab/plugin-code-java') },
  { manifest: manifestOf(javascript), load: () => import('@kebab/plugin-code-javascript') },
  { manifest: manifestOf(kotlin), load: () => import('@kebab/plugin-code-kotlin') },
  { manifest: manifestOf(typescript), load: () => import('@kebab/plugin-code-typescript') },
  { manifest: manifestOf(manifests), load: () => import('@kebab/plugin-manifests') },
  { manifest: manifestOf(sqlite), load: () => import('@kebab/plugin-store-sqlite') },
];

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly kebab: {
    readonly apiVersion: number;
    readonly contributes: PluginManifest['contributes'];
    readonly permissions: { readonly fs: string; readonly net: readonly string[]; readonly spawn: readonly string[] };
  };
}

function manifestOf({ name, version, kebab }: PackageJson): PluginManifest {
  const permissions = kebab.permissions as PluginManifest['permissions']; // the type of a JSON file widens literals
  return { name, version, apiVersion: kebab.apiVersion, contributes: kebab.contributes, permissions };
}
