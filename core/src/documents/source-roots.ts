import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { shellWord } from '../domain/printable.ts';

/** A source and its folder. */
export interface SourcePlace {
  readonly id: string;
  /** The folder that its documents were indexed from, or the configured one before the first ingest. */
  readonly root: string;
  /** `fs` for folders; another source connector otherwise. */
  readonly connector: string;
  /** The root in the configuration; null for a source that is no longer configured. */
  readonly configured: string | null;
  /** The URL of the repository that the root is a clone of. */
  readonly git?: string | undefined;
}

/** Where and how to look up the documents of a source. */
export interface SourceRoot extends SourcePlace {
  /** Whether its links may lead out of it. */
  readonly linksOutside: boolean;
  /** Larger files are not read. */
  readonly maxFileBytes: number;
}

/** The part of the configuration that determines the sources. */
export type SourceConfig = Pick<ResolvedConfig, 'workspace' | 'storage' | 'indexing'>;

/** The root that each source was indexed from, as recorded in the store. */
export type IndexedRoots = ReadonlyMap<string, string>;

const BYTES_PER_MB = 1_048_576;

/** The source of documents that were added by hand. */
export const EXTERNAL = 'external';

/** The source whose root is `workspace.root`. */
export const DEFAULT_SOURCE = 'default';

/** The folder in the data directory for documents that were added by hand. */
export function externalRoot({ storage }: Pick<ResolvedConfig, 'storage'>): string {
  return path.join(storage.dataDir, EXTERNAL);
}

/** Every source by id, as recorded in the store that indexed it; reads use these. */
export async function indexedSources(
  config: SourceConfig,
  store: Pick<DocumentStore, 'indexedRoots'>,
): Promise<ReadonlyMap<string, SourceRoot>> {
  return sourceRoots(config, await store.indexedRoots());
}

/**
 * Every source by id: the configured ones, `external`, and those that were indexed but are no longer configured. Documents are looked up
 * where they were indexed from, even when the configuration names another root.
 */
export function sourceRoots(config: SourceConfig, indexed: IndexedRoots = new Map()): ReadonlyMap<string, SourceRoot> {
  const limits = {
    linksOutside: config.workspace.symlinksOutside,
    maxFileBytes: config.indexing.maxFileMb * BYTES_PER_MB,
  };
  const configured = configuredSources(config, indexed).map(({ id, root, connector, git }): [string, SourceRoot] => [
    id,
    {
      ...limits,
      id,
      root: (connector === 'fs' ? indexed.get(id) : undefined) ?? root,
      connector,
      configured: root,
      ...(git === undefined ? {} : { git }),
    },
  ]);
  const roots = new Map(configured);
  for (const [id, root] of indexed)
    if (!roots.has(id)) roots.set(id, { ...limits, id, root, connector: 'fs', configured: null });
  return roots;
}

/** A source in the configuration. */
interface ConfiguredSource {
  readonly id: string;
  readonly root: string;
  readonly connector: string;
  readonly git?: string | undefined;
}

function configuredSources(config: SourceConfig, indexed: IndexedRoots): readonly ConfiguredSource[] {
  const external: ConfiguredSource = { id: EXTERNAL, root: externalRoot(config), connector: 'fs' };
  const { sources } = config.workspace;
  const root = defaultRoot(config, indexed);
  return root === null ? [external, ...sources] : [{ id: DEFAULT_SOURCE, root, connector: 'fs' }, external, ...sources];
}

/**
 * The root of the source `default`: the configured one, or the one it was indexed from if none was ever configured. Null when there is no
 * such source: it was neither configured nor indexed, its folder does not exist, and there are other sources.
 */
export function defaultRoot({ workspace }: Pick<ResolvedConfig, 'workspace'>, indexed: IndexedRoots): string | null {
  const { root, isRootSet, sources } = workspace;
  if (isRootSet === true) return root;
  const remembered = indexed.get(DEFAULT_SOURCE);
  if (remembered !== undefined) return remembered;
  return sources.length > 0 && !existsSync(root) ? null : root;
}

/** {@link sourceRoots} without `default`, unless it was configured or indexed, or its folder exists. */
export function expectedSources(config: SourceConfig, indexed: IndexedRoots): ReadonlyMap<string, SourceRoot> {
  const roots = new Map(sourceRoots(config, indexed));
  const own = roots.get(DEFAULT_SOURCE);
  const isMade = config.workspace.isRootSet === true || indexed.has(DEFAULT_SOURCE);
  if (own !== undefined && !isMade && !existsSync(own.root)) roots.delete(DEFAULT_SOURCE);
  return roots;
}

/** The ids of the {@link expectedSources} that are configured, and `external`; documents of other sources stay, but no ingest reads them. */
export function configuredSourceIds(config: SourceConfig, indexed: IndexedRoots): ReadonlySet<string> {
  const configured = [...expectedSources(config, indexed).values()].filter((source) => source.configured !== null);
  return new Set(configured.map(({ id }) => id));
}

/** Whether the documents were indexed from another root than the configured one; never true for `external`. */
export function hasMoved({ id, root, configured }: SourcePlace): boolean {
  return id !== EXTERNAL && configured !== root;
}

/** The message about a source that was indexed from another root than the configured one. */
export interface MovedSource {
  readonly what: string;
  /** The command that resolves it without losing the index. */
  readonly command: string;
  /** The remedy in words, with an alternative where there is one. */
  readonly remedy: string;
}

/** Describes a source for which {@link hasMoved} is true. */
export function describeMoved({ id, root, configured }: SourcePlace): MovedSource {
  const what = `source "${id}" was indexed from ${root}`;
  if (configured === null) {
    const command = `kebab add ${shellWord(root)} --name ${id}`;
    return { what: `${what} and is no longer configured`, command, remedy: `\`${command}\` takes it back` };
  }
  const differs = `${what}; configured is ${configured}`;
  if (id !== DEFAULT_SOURCE) {
    const command = 'kebab ingest --moved';
    return { what: differs, command, remedy: `\`${command}\` takes the configured folder as its new place` };
  }
  const command = `kebab config set workspace.root ${shellWord(root)}`;
  return {
    what: differs,
    command,
    remedy: `\`${command}\` goes back, \`kebab add ${shellWord(configured)}\` has both`,
  };
}

/** The remedy for a source whose folder cannot be read. */
export function remedyForMissing({ id, git }: Pick<SourceRoot, 'id' | 'git'>): string {
  if (git !== undefined) return `\`kebab ingest --source ${id}\` clones ${git} again`;
  return id === DEFAULT_SOURCE
    ? 'mount it, or name another folder with `kebab config set workspace.root FOLDER`'
    : `mount it, or name where it is now with \`kebab add FOLDER --name ${id}\`; \`kebab remove ${id}\` takes the source out`;
}
