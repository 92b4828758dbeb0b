import { promises } from 'node:fs';
import path from 'node:path';
import { KebabError } from '../errors/kebab-error.ts';
import { PLUGIN_KINDS } from './contributions.ts';
import { PLUGIN_API, type PluginPermissions } from './define-plugin.ts';
import type { PluginManifest } from './manifest.ts';

/**
 * Reads the manifest of the package that a file belongs to, from the nearest package.json that has a `kebab` member;
 * null when there is none, as for a single file. Throws `plugin_incompatible` for a plugin API this kebab does not speak.
 */
export async function readManifest(entryFile: string): Promise<PluginManifest | null> {
  for (let folder = path.dirname(entryFile); ; folder = path.dirname(folder)) {
    const text = await promises.readFile(path.join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) return manifestOf(parseObject(text), folder);
    if (folder === path.dirname(folder)) return null;
  }
}

/** Takes the manifest out of the members of a package.json; null when it has no `kebab` member. */
export function manifestOf(packageJson: Readonly<Record<string, unknown>>, where: string): PluginManifest | null {
  const kebab = asObject(packageJson['kebab']);
  if (kebab === null) return null;
  const name = typeof packageJson['name'] === 'string' ? packageJson['name'] : path.basename(where);
  const version = typeof packageJson['version'] === 'string' ? packageJson['version'] : '0.0.0';
  const apiVersion = kebab['apiVersion'];
  checkApiVersion(name, apiVersion);
  const contributes = asObject(kebab['contributes']) ?? {};
  return {
    name,
    version,
    apiVersion: PLUGIN_API,
    contributes: Object.fromEntries(
      PLUGIN_KINDS.flatMap((kind) => {
        const ids = contributes[kind];
        return Array.isArray(ids) ? [[kind, textsOf(ids)]] : [];
      }),
    ),
    permissions: permissionsOf(kebab['permissions']),
  };
}

/** What a plugin says it touches; whatever is left out or is not of the right kind counts as not asked for. */
export function permissionsOf(declared: unknown): PluginPermissions {
  const { fs, net, spawn } = asObject(declared) ?? {};
  return { fs: fs === 'input-only' || fs === 'data-dir' ? fs : 'none', net: textsOf(net), spawn: textsOf(spawn) };
}

/** Throws `plugin_incompatible` unless a plugin was written for the contracts of this kebab. */
export function checkApiVersion(plugin: string, apiVersion: unknown): void {
  if (apiVersion === PLUGIN_API) return;
  const found = typeof apiVersion === 'number' && Number.isInteger(apiVersion) ? apiVersion : null;
  const reason = found === null ? 'it names no plugin API version' : `it was written for plugin API ${found}`;
  throw new KebabError('plugin_incompatible', `${plugin} does not fit: ${reason}, this kebab speaks ${PLUGIN_API}`, {
    details: { plugin, api_version: found, supported: [PLUGIN_API], reason },
  });
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
