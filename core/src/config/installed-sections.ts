import { camelCase, defaultOf } from '../schema/field.ts';
import type { PluginSection } from '../schema/plugin-section.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import { firstLine } from '../plugin/plugin-failure.ts';
import { readManifest } from '../plugin/read-manifest.ts';
import { locatePlugin } from '../plugin/resolve-plugin.ts';
import { expandedName, type PathScope } from './expand-path.ts';
import { keyTableWith, sectionsIn, variableOf, type KeyTable } from './key-table.ts';
import { OTHER_VARIABLES } from './read-environment.ts';
import { readValue } from './read-value.ts';

/** Plugins named in one file, in one variable or on the command line. */
export interface NamedPlugins {
  readonly entries: readonly Pick<PluginEntry, 'name'>[];
  /** The context for expanding their paths. */
  readonly scope: PathScope;
}

/** How to look up the sections of plugins. */
export interface SectionSearch {
  readonly keys: KeyTable;
  /** The bundled plugins, whose sections are already among the keys. */
  readonly builtins: ReadonlySet<string>;
  readonly pluginFolder: string;
  /** Omits patterns, for untrusted plugins: a pattern can be crafted to run for ever. */
  readonly withoutPatterns?: boolean | undefined;
}

/** The keys of kebab and of the named plugins. */
export interface InstalledSections {
  readonly keys: KeyTable;
  /** The reasons why sections were rejected, by plugin name. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Adds the sections that third-party plugins declare in their package.json, including those of disabled plugins, so that their settings
 * stay valid. Runs no code. A section whose name is taken is left out, with the reason.
 */
export async function installedSections(
  named: readonly NamedPlugins[],
  { keys, builtins, pluginFolder, withoutPatterns = false }: SectionSearch,
): Promise<InstalledSections> {
  const places = named.flatMap(({ entries, scope }) => entries.map(({ name }) => expandedName(name, scope)));
  let table = keys;
  const seen = new Set(builtins);
  const unread = new Set<string>();
  const refused = new Map<string, string>();
  for (const place of new Set(places)) {
    if (builtins.has(place)) continue;
    try {
      const manifest = await readManifest(locatePlugin(place, pluginFolder));
      if (manifest?.section === undefined || seen.has(manifest.name)) continue;
      seen.add(manifest.name);
      const section = withoutPatterns ? patternless(manifest.section) : manifest.section;
      const problem = problemWith(section, table);
      if (problem === undefined) table = keyTableWith([section], table.members);
      else refused.set(manifest.name, problem);
    } catch (error) {
      unread.add(`${place} (${firstLine(error)})`);
    }
  }
  return { keys: { ...table, unread: [...unread] }, refused };
}

function patternless(section: PluginSection): PluginSection {
  const keys = Object.entries(section.keys).map(([name, key]) => [
    name,
    key.kind === 'text' ? { ...key, pattern: undefined } : key,
  ]);
  return { ...section, keys: Object.fromEntries(keys) as PluginSection['keys'] };
}

/** A shared variable would pass the plugin a value meant for another key, perhaps a secret. */
function problemWith(section: PluginSection, table: KeyTable): string | undefined {
  const { name, keys } = section;
  const outer = name.split('.').slice(0, -1).join('.');
  if (outer !== '' && !sectionsIn(table).some((one) => one.name === outer))
    return `there is no table ${outer} for ${name}`;
  const taken = [...table.keys, ...sectionsIn(table)];
  for (const full of [name, ...Object.keys(keys).map((key) => `${name}.${key}`)]) {
    if (OTHER_VARIABLES.includes(variableOf(full))) return `${variableOf(full)} has another meaning already`;
    const other = taken.find((one) => stepsOf(one.name) === stepsOf(full) || variableOf(one.name) === variableOf(full));
    if (other !== undefined) return `${full} of the configuration is already used by ${other.name}`;
  }
  for (const [key, declared] of Object.entries(keys)) {
    const value = defaultOf(declared);
    if (value === null || value === '') continue;
    try {
      readValue(declared, value, { origin: { origin: 'default' }, key: `${name}.${key}` });
    } catch (error) {
      return firstLine(error);
    }
  }
  return undefined;
}

/** The path of a dotted name in the resolved configuration. */
function stepsOf(name: string): string {
  return name.split('.').map(camelCase).join('.');
}
