import type { AbortOptions } from '../contracts/contribution.ts';
import type { QuarantinedFile } from '../contracts/document-store.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Components } from '../plugin/components.ts';
import type { Contributions, PluginKind } from '../plugin/contributions.ts';
import { crashesByAgent } from '../plugin/limits.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import { firstLine } from '../plugin/plugin-failure.ts';
import type { PluginReport } from '../plugin/find-plugins.ts';
import { trustPolicyOf } from '../plugin/trust-policy.ts';
import type { Doctor, DoctorCheck } from '../wire/index.ts';

/** What {@link diagnosePlugins} looks at. */
export interface PluginDoctorInit {
  readonly components: Components;
  /** Plugins that may be used, preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  /** How every plugin stands, those that cannot be used included. */
  readonly reports: () => readonly PluginReport[];
}

const SHOWN_FILES = 3;

/**
 * Looks at every plugin, as doctor.v1 with a check for each: that it loads, takes its configuration, makes what it
 * contributes, and that what this depends on can be used. Built-in plugins are only loaded. Suites are not run, and nothing
 * is changed.
 */
export async function diagnosePlugins(init: PluginDoctorInit, { signal }: AbortOptions = {}): Promise<Doctor> {
  const crashes = await crashesOf(init.components, crashLimits(init.reports()));
  const checks: DoctorCheck[] = [];
  for (const plugin of init.plugins) {
    throwIfCancelled(signal, 'plugin doctor');
    checks.push({ name: nameOf(plugin.manifest), ...(await check(plugin, init.components, crashes)) });
  }
  for (const report of init.reports())
    if (!init.plugins.some(({ manifest }) => manifest.name === report.name)) checks.push(rejected(report));
  return { schema_version: 'doctor.v1', ok: checks.every(({ ok }) => ok), checks };
}

/** How many crashes switch a plugin off, by `name@version`, of those that can be switched off. */
export function crashLimits(reports: readonly PluginReport[]): ReadonlyMap<string, number> {
  return new Map(
    reports.flatMap((report) => {
      const { maxCrashes } = trustPolicyOf(report);
      return maxCrashes === null ? [] : [[nameOf(report), maxCrashes]];
    }),
  );
}

/** The plugins that are switched off because they crashed as often as these limits say, as lines for `doctor`. */
export function switchedOffPlugins(
  files: readonly QuarantinedFile[],
  limits: ReadonlyMap<string, number>,
): readonly string[] {
  return [...crashesByAgent(files)]
    .filter(([agent, crashed]) => crashed.length >= (limits.get(agent) ?? Infinity))
    .map(([agent, crashed]) => `${agent} is switched off after ${crashed.length} crashes (${paths(crashed)})`);
}

type Outcome = Omit<DoctorCheck, 'name'>;

async function check(plugin: LoadedPlugin, components: Components, crashes: readonly string[]): Promise<Outcome> {
  const { manifest, policy } = plugin;
  const crashed = crashes.find((line) => line.startsWith(`${manifest.name}@${manifest.version} `));
  try {
    if (policy.examination === 'load') await plugin.load();
    else for (const kind of kindsOf(manifest)) await makeAll(components, plugin, kind);
  } catch (error) {
    return { ok: false, detail: firstLine(error), hint: error instanceof Unwell ? error.remedy : remedyFor(error) };
  }
  if (crashed !== undefined)
    return { ok: false, detail: crashed, hint: 'update it, or try again with `kebab ingest --force-reingest`' };
  const contributes = kindsOf(manifest).map((kind) => `${kind} ${(manifest.contributes[kind] ?? []).join(', ')}`);
  return { ok: true, detail: contributes.join('; ') };
}

async function makeAll(components: Components, { manifest }: LoadedPlugin, kind: PluginKind): Promise<void> {
  for (const id of manifest.contributes[kind] ?? []) {
    const owner = components.list(kind).find((name) => name.id === id);
    if (owner?.plugin !== manifest.name) continue; // another plugin stands in its place
    const made = (await components.get(kind, id)) as Partial<Pick<Contributions['embedder'], 'health'>>;
    const found = await made.health?.();
    if (found !== undefined && found !== null) throw new Unwell(`${kind} ${id}: ${found.problem}`, found.remedy);
  }
}

/** What a component says of itself. */
class Unwell extends Error {
  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    super(problem);
    this.remedy = remedy;
  }
}

function remedyFor(error: unknown): string {
  if (!isKebabError(error, 'plugin_failed'))
    return isKebabError(error) ? error.hint : 'see `kebab plugin doctor --verbose`';
  switch (error.details.stage) {
    case 'configure':
      return 'correct its `config` where `plugins` names it; `kebab config path` shows the file';
    case 'load':
      return 'install it again, or take it out of `plugins`';
    default:
      return `run \`kebab plugin test ${error.details.plugin}\`, and report what it says to its author`;
  }
}

function rejected({ name, version, state, reason }: PluginReport): DoctorCheck {
  const label = version === '0.0.0' ? name : nameOf({ name, version });
  switch (state) {
    case 'disabled':
      return { name: label, ok: true, detail: reason ?? 'switched off' };
    case 'incompatible':
      return { name: label, ok: false, detail: reason ?? state, hint: 'install a version made for this kebab' };
    case 'untrusted':
      return { name: label, ok: false, detail: reason ?? state, hint: 'kebab trust' };
    case 'failed':
    case 'active':
      return {
        name: label,
        ok: false,
        detail: reason ?? state,
        hint: hintForMissing(reason),
      };
    default:
      return state satisfies never;
  }
}

/** A plugin that is not there, or that imports a package which is not. */
function hintForMissing(reason: string | null): string {
  const imported = /^Cannot find package '([^']+)' imported from/.exec(reason ?? '')?.[1];
  if (imported === undefined) return 'correct its name or path in `plugins`, or install it';
  return `run \`npm install ${imported}\` in the folder of the plugin`;
}

function nameOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version}`;
}

/** What crashed is known to the database; without one nothing has. */
async function crashesOf(components: Components, limits: ReadonlyMap<string, number>): Promise<readonly string[]> {
  try {
    const store = await components.first('document_store');
    return switchedOffPlugins(await store.quarantined(), limits);
  } catch {
    return [];
  }
}

function paths(files: readonly QuarantinedFile[]): string {
  const shown = files.slice(0, SHOWN_FILES).map(({ workspacePath }) => workspacePath);
  return [...shown, ...(files.length > SHOWN_FILES ? [`${files.length - SHOWN_FILES} more`] : [])].join(', ');
}
