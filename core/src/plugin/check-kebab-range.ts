import { KebabError } from '../errors/kebab-error.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { PLUGIN_API, type Plugin } from './define-plugin.ts';

/**
 * Throws `plugin_incompatible` unless this kebab lies in the range a plugin asks for. Before 1.0 the plugin API is
 * already version 1, so a plugin that asks for `^1` means that API and fits a 0.x kebab.
 */
export async function checkKebabRange(plugin: Plugin): Promise<void> {
  const range = plugin.kebab ?? '*';
  const { default: satisfies } = await import('semver/functions/satisfies.js');
  if (satisfies(KEBAB_VERSION, range) || (KEBAB_VERSION.startsWith('0.') && satisfies('1.0.0', range))) return;
  const reason = `it wants kebab ${range}`;
  throw new KebabError('plugin_incompatible', `${plugin.name} does not fit: ${reason}, this is ${KEBAB_VERSION}`, {
    details: { plugin: plugin.name, api_version: PLUGIN_API, supported: [PLUGIN_API], reason },
  });
}
