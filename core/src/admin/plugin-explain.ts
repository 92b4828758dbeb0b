import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Extractor } from '../contracts/extractor.ts';
import { extensionOf, mediaTypeOfFile, type MediaType, HEAD_BYTES } from '../domain/media.ts';
import { mediumName, namesMedium } from '../extraction/choose-extractor.ts';
import { Pipelines } from '../extraction/pipelines.ts';
import { firstBytes } from '../files/read-regular-file.ts';
import type { ComponentName } from '../plugin/components.ts';
import type { Ports } from '../ports.ts';
import { firstLine } from '../plugin/plugin-failure.ts';
import type { PluginExplain, PluginList, PluginSearch } from '../wire/index.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { PluginReport } from '../plugin/find-plugins.ts';
import { runNpm } from './installing/run-npm.ts';

/** The ports of an explanation. */
export type ExplainPorts = Pick<Ports, 'extractors' | 'chunkers' | 'config'> & { readonly cwd: string };

/** The answers of an extractor, or why it has none. */
type Candidate =
  | { readonly kind: 'able'; readonly name: ComponentName; readonly extractor: Extractor }
  | { readonly kind: 'broken'; readonly name: ComponentName; readonly reason: string };

/**
 * Explains which extractor and chunker process a file of this name, who else could take it, and what decided, as plugin_explain.v1. The
 * decision is the same as in an ingest; the file need not exist, and its first bytes are examined if its name says nothing.
 */
export async function explainPlugin(ports: ExplainPorts, path: string): Promise<PluginExplain> {
  const file = resolve(ports.cwd, path);
  const media = mediaOf(file);
  const candidates = await candidatesFor(ports, media);
  const pipeline = (await Pipelines.open({ ...ports, indexVersion: '' })).of(media);
  const chosen = candidates.find(({ name }) => name.id === pipeline?.extractor.id);
  const cutter = ports.chunkers.names().find(({ id }) => id === pipeline?.chunkerId);
  return {
    schema_version: 'plugin_explain.v1',
    path,
    media: media.kind,
    code_lang: media.kind === 'code' ? media.lang : null,
    extractor: chosen === undefined ? null : contribution(chosen.name),
    chunker: cutter === undefined ? null : contribution(cutter),
    reason: chosen === undefined ? whyNone(file, media) : whyChosen(chosen, candidates, media),
    others: candidates
      .filter((candidate) => candidate !== chosen)
      .map((candidate) => ({ ...contribution(candidate.name), reason: whyNot(candidate, chosen, media) })),
  };
}

function mediaOf(file: string): MediaType {
  const head = firstBytes(file, HEAD_BYTES);
  return mediaTypeOfFile(basename(file), head ?? new Uint8Array());
}

async function candidatesFor(ports: ExplainPorts, media: MediaType): Promise<readonly Candidate[]> {
  const candidates = ports.extractors.names().map(async (name): Promise<Candidate | null> => {
    try {
      const extractor = await ports.extractors.get(name.id);
      return extractor.supports(media) ? { kind: 'able', name, extractor } : null;
    } catch (error) {
      return { kind: 'broken', name, reason: firstLine(error) };
    }
  });
  return (await Promise.all(candidates)).filter((candidate) => candidate !== null);
}

function contribution({ id, plugin, pluginVersion }: ComponentName): {
  readonly id: string;
  readonly plugin: string;
  readonly version: string;
} {
  return { id, plugin, version: pluginVersion };
}

function whyNone(file: string, media: MediaType): string {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) return 'it is a folder: name a file in it';
  if (media.kind === 'code') return `no active extractor reads ${media.lang}`;
  if (media.kind !== 'other') return `no active extractor reads ${media.kind}`;
  const extension = extensionOf(file);
  return extension === ''
    ? 'no active extractor reads files without an extension whose first bytes identify no format'
    : `no active extractor reads files that end in ".${extension}"`;
}

function whyChosen(chosen: Candidate, candidates: readonly Candidate[], media: MediaType): string {
  const rivals = candidates.filter((one) => one !== chosen && one.kind === 'able');
  const closeness = isNamed(chosen, media) ? `it names ${mediumName(media)}` : `it reads ${mediumName(media)}`;
  if (rivals.length === 0) return `${closeness}, and no other does`;
  const equal = rivals.some((rival) => isNamed(rival, media) === isNamed(chosen, media));
  return equal
    ? `${closeness}, and stands first: plugins in the order of the configuration, then the built-in ones`
    : `${closeness} more closely than the others`;
}

function whyNot(candidate: Candidate, chosen: Candidate | undefined, media: MediaType): string {
  if (candidate.kind === 'broken') return candidate.reason;
  if (chosen !== undefined && isNamed(chosen, media) && !isNamed(candidate, media))
    return `it reads ${mediumName(media)} without naming it`;
  return `it stands behind ${chosen?.name.plugin ?? 'another'}`;
}

function isNamed(candidate: Candidate, media: MediaType): boolean {
  if (candidate.kind === 'broken') return false;
  return namesMedium(candidate.extractor, media);
}

/** The state of every plugin, in order of preference, as plugin_list.v1. */
export function listPlugins(reports: readonly PluginReport[]): PluginList {
  return {
    schema_version: 'plugin_list.v1',
    plugins: reports.map(({ name, version, apiVersion, kinds, permissions, state, reason, origin }) => ({
      name,
      version,
      api_version: apiVersion,
      kinds,
      permissions,
      state,
      reason,
      origin,
    })),
  };
}

/** The npm keyword of every plugin. */
const KEYWORD = 'kebab-plugin';
const MAX_PLUGINS = 50;

interface RegistryPackage {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly date?: string;
  readonly keywords?: readonly string[];
}

/** Searches the configured npm registry for plugins. Throws `io_error` when it cannot be reached. */
export async function searchPlugins(
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
  query: string,
  { signal }: AbortOptions = {},
): Promise<PluginSearch> {
  const words = query.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'));
  const args = ['search', '--json', `--searchlimit=${MAX_PLUGINS}`, `keywords:${KEYWORD}`, ...words];
  const printed = await runNpm(args, { cwd, env, signal });
  const packages = JSON.parse(printed.trim() === '' ? '[]' : printed) as readonly RegistryPackage[];
  return {
    schema_version: 'plugin_search.v1',
    query: words.join(' '),
    plugins: packages
      .filter(({ keywords = [] }) => keywords.includes(KEYWORD))
      .map(({ name, version, description = '', date }) => ({ name, version, description, date: date ?? null })),
  };
}
