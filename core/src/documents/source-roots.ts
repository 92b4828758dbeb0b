import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore } from '../contracts/document-store.ts';

/** A source and its folder. */
export interface SourcePlace {
  readonly id: string;
  /** The folder that its documents were indexed from; the configured one where nothing was. */
  readonly root: string;
  /** `fs` for folders; another source connector otherwise. */
  readonly connector: string;
  /** The root that the configuration names; null for a source that it does not know any more. */
  readonly configured: string | null;
}

/** Where the documents of one source are looked up, and how. */
export interface SourceRoot extends SourcePlace {
  /** Whether its links may lead out of it. */
  readonly linksOutside: boolean;
  /** Longer files are not read. */
  readonly maxFileBytes: number;
}

/** The part of a configuration that says which sources there are. */
export type SourceConfig = Pick<ResolvedConfig, 'workspace' | 'storage' | 'indexing'>;

/** The root that each source was indexed from, as a store remembers it. */
export type IndexedRoots = ReadonlyMap<string, string>;

const BYTES_PER_MB = 1_048_576;

/** The source of what was brought in by hand. */
export const EXTERNAL = 'external';

/** The source whose root is `workspace.root`. */
export const DEFAULT_SOURCE = 'default';

/** The folder of the data directory that keeps what was brought in by hand. */
export function externalRoot({ storage }: Pick<ResolvedConfig, 'storage'>): string {
  return path.join(storage.dataDir, EXTERNAL);
}

/** The folder of a workspace root where earlier versions kept it; no source walks it. */
export const EXTERNAL_FOLDER = '_external';

/** Every source by id, as the store that indexed it remembers it: reads go by these. */
export async function indexedSources(
  config: SourceConfig,
  store: Pick<DocumentStore, 'indexedRoots'>,
): Promise<ReadonlyMap<string, SourceRoot>> {
  return sourceRoots(config, await store.indexedRoots());
}

/**
 * Every source by id: the configured ones, `external`, and those that were indexed and are configured no more. Documents lie
 * where they were indexed from, also while the configuration names another root.
 */
export function sourceRoots(config: SourceConfig, indexed: IndexedRoots = new Map()): ReadonlyMap<string, SourceRoot> {
  const limits = {
    linksOutside: config.workspace.symlinksOutside,
    maxFileBytes: config.indexing.maxFileMb * BYTES_PER_MB,
  };
  const configured = configuredSources(config, indexed).map(({ id, root, connector }): [string, SourceRoot] => [
    id,
    { ...limits, id, root: (connector === 'fs' ? indexed.get(id) : undefined) ?? root, connector, configured: root },
  ]);
  const roots = new Map(configured);
  for (const [id, root] of indexed)
    if (!roots.has(id)) roots.set(id, { ...limits, id, root, connector: 'fs', configured: null });
  return roots;
}

/** A source as it is configured. */
interface ConfiguredSource {
  readonly id: string;
  readonly root: string;
  readonly connector: string;
}

function configuredSources(config: SourceConfig, indexed: IndexedRoots): readonly ConfiguredSource[] {
  const external: ConfiguredSource = { id: EXTERNAL, root: externalRoot(config), connector: 'fs' };
  const { sources } = config.workspace;
  const root = defaultRoot(config, indexed);
  return root === null ? [external, ...sources] : [{ id: DEFAULT_SOURCE, root, connector: 'fs' }, external, ...sources];
}

/**
 * The root of the source `default`: the configured one; where none was ever configured, the one it was indexed from. Null when
 * there is no such source: nothing was configured or indexed, its folder is not there, and there are other sources.
 */
export function defaultRoot({ workspace }: Pick<ResolvedConfig, 'workspace'>, indexed: IndexedRoots): string | null {
  const { root, isRootSet, sources } = workspace;
  if (isRootSet === true) return root;
  const remembered = indexed.get(DEFAULT_SOURCE);
  if (remembered !== undefined) return remembered;
  return sources.length > 0 && !existsSync(root) ? null : root;
}

/** Whether the documents were indexed from another root than the configured one; that is never said of `external`. */
export function hasMoved({ id, root, configured }: SourcePlace): boolean {
  return id !== EXTERNAL && configured !== root;
}

/** What is shown of a source that was indexed from another root than the configured one. */
export interface MovedSource {
  readonly what: string;
  /** The command that settles it without losing what is indexed. */
  readonly command: string;
  /** The same in words, with another way where there is one. */
  readonly remedy: string;
}

/** Describes a source that {@link hasMoved}. */
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

/** What to do about a source whose folder cannot be read. */
export function remedyForMissing({ id }: SourceRoot): string {
  return id === DEFAULT_SOURCE
    ? 'mount it, or name another folder with `kebab config set workspace.root FOLDER`'
    : `mount it, or take the source out with \`kebab remove ${id}\``;
}

/** A path as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
