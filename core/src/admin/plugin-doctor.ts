import { existsSync, statSync } from 'node:fs';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { MediaMatch } from '../contracts/extractor.ts';
import type { QuarantinedFile } from '../contracts/document-store.ts';
import type { MediaType } from '../domain/media.ts';
import { shellWord } from '../domain/printable.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { DEFAULT_HINTS } from '../errors/codes.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { chooseExtractor, contestLine, type ContestedMedium, contestOf } from '../extraction/choose-extractor.ts';
import type { Components } from '../plugin/components.ts';
import type { Contributions, PluginKind } from '../plugin/contributions.ts';
import { crashesByAgent } from '../plugin/crashes.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import { missingPackageIn } from '../plugin/missing-package.ts';
import { firstLine } from '../plugin/plugin-failure.ts';
import type { PluginReport } from '../plugin/find-plugins.ts';
import { isPath } from '../plugin/resolve-plugin.ts';
import { trustPolicyOf } from '../plugin/trust-policy.ts';
import type { Doctor, DoctorCheck } from '../wire/index.ts';

/** The inputs of {@link diagnosePlugins}. */
export interface PluginDoctorInit {
  readonly components: Components;
  /** Usable plugins, preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  /** The state of every plugin, including unusable ones. */
  readonly reports: () => readonly PluginReport[];
}

const SHOWN_FILES = 3;

/**
 * Checks every plugin, as doctor.v1 with one check each: that it loads, accepts its configuration, creates its contributions, and that
 * their dependencies are usable. Built-in plugins are only loaded. Contract suites are not run, and nothing is changed.
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

/** How many crashes disable a plugin, by `name@version`, for those that can be disabled. */
export function crashLimits(reports: readonly PluginReport[]): ReadonlyMap<string, number> {
  return new Map(
    reports.flatMap((report) => {
      const { maxCrashes } = trustPolicyOf(report);
      return maxCrashes === null ? [] : [[nameOf(report), maxCrashes]];
    }),
  );
}

/** The plugins that are disabled because they crashed as often as these limits allow, as lines for `doctor`. */
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
    const hint = error instanceof Unwell ? error.remedy : remedyFor(error, plugin);
    return { ok: false, detail: firstLine(error), hint };
  }
  if (crashed !== undefined)
    return { ok: false, detail: crashed, hint: 'update it, or try again with `kebab ingest --force-reingest`' };
  const contributes = kindsOf(manifest).map((kind) => `${kind} ${(manifest.contributes[kind] ?? []).join(', ')}`);
  const contested = policy.place === 'last' ? [] : await contestedOf(components, manifest.name);
  return { ok: true, detail: [...contributes, ...contested.map(contestLine)].join('; ') };
}

/** The media that several plugins read, where an extractor of this plugin loses to one of another. */
async function contestedOf(components: Components, plugin: string): Promise<readonly ContestedMedium[]> {
  const names = components.list('extractor');
  const own = new Set(names.filter((name) => name.plugin === plugin).map(({ id }) => id));
  if (own.size === 0) return [];
  const extractors = await components.all('extractor');
  const media = extractors.filter(({ id }) => own.has(id)).flatMap(({ match }) => mediaIn(match));
  return media.flatMap((one) => {
    const chosen = chooseExtractor(extractors, one);
    const contested = chosen === undefined ? null : contestOf(one, chosen, { extractors, names });
    return contested?.others.some(({ id }) => own.has(id)) === true ? [contested] : [];
  });
}

/** The media that an extractor names individually. */
function mediaIn({ media = [], codeLangs = [], extensions = [] }: MediaMatch): readonly MediaType[] {
  const kinds = media.flatMap((kind): readonly MediaType[] =>
    kind === 'markdown' || kind === 'text' || kind === 'pdf' ? [{ kind }] : [],
  );
  return [
    ...kinds,
    ...codeLangs.map((lang): MediaType => ({ kind: 'code', lang })),
    ...extensions.map((ext): MediaType => ({ kind: 'other', ext })),
  ];
}

async function makeAll(components: Components, { manifest }: LoadedPlugin, kind: PluginKind): Promise<void> {
  for (const id of manifest.contributes[kind] ?? []) {
    const owner = components.list(kind).find((name) => name.id === id);
    if (owner?.plugin !== manifest.name) continue; // another plugin took its place
    const made = (await components.get(kind, id)) as Partial<Pick<Contributions['embedder'], 'health'>>;
    const unhealthy = await made.health?.();
    if (unhealthy !== undefined && unhealthy !== null)
      throw new Unwell(`${kind} ${id}: ${unhealthy.problem}`, unhealthy.remedy);
  }
}

/** The problem that a component reported. */
class Unwell extends Error {
  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    super(problem);
    this.remedy = remedy;
  }
}

function remedyFor(error: unknown, { manifest, origin, path }: LoadedPlugin): string {
  const stage = isKebabError(error, 'plugin_failed') ? error.details.stage : null;
  if (stage === 'configure') return 'correct its `config` in `plugins`; `kebab config path` shows the file';
  if (stage === 'load')
    return `${origin === 'path' ? 'correct it' : 'install it again'}, or take it out of \`plugins\``;
  const hasOwnHint = isKebabError(error) && stage === null && error.hint !== DEFAULT_HINTS[error.code];
  return hasOwnHint ? error.hint : remedyOfCode(origin === 'path' ? (path ?? manifest.name) : manifest.name);
}

/** The hint for a defect in the code of a plugin, given by name or path. */
function remedyOfCode(plugin: string): string {
  return `run \`kebab plugin test ${shellWord(plugin)}\`, and report what it says to its author`;
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
        hint: hintForRejected(name, reason),
      };
    default:
      return state satisfies never;
  }
}

/** The hint for a plugin that does not exist, that imports a missing package, or whose code is invalid. */
function hintForRejected(name: string, reason: string | null): string {
  const imported = missingPackageIn(reason ?? '');
  if (imported !== undefined) return `run \`npm install ${imported}\` in the folder of the plugin`;
  const isThere = isPath(name) && existsSync(name) && statSync(name).isFile();
  if (isThere) return remedyOfCode(name);
  return reason?.startsWith('its ') === true
    ? 'correct that in its package.json, or report it to its author'
    : 'correct its name or path in `plugins`, or install it';
}

function nameOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version}`;
}

/** Crashes are recorded in the database; without one there are none. */
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
