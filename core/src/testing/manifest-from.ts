import type { PluginManifest } from '../plugin/manifest.ts';
import { manifestOf } from '../plugin/read-manifest.ts';

/** The manifest in the text of a package.json. Throws for a package.json that has none. */
export function manifestFrom(packageJson: string): PluginManifest {
  const manifest = manifestOf(JSON.parse(packageJson) as Readonly<Record<string, unknown>>, 'package.json');
  if (manifest === null) throw new Error('package.json has no "kebab" member');
  return manifest;
}
