import { existsSync } from 'node:fs';
import path from 'node:path';
import { addSource, type SourceRequest, forgetSource, removableSource, unconfigureSource } from '../admin/sources.ts';
import { tildePath } from '../admin/run-config.ts';
import { initPlace, runInit, type InitPlace } from '../admin/run-init.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import { openStore } from '../documents/open-store.ts';
import { DEFAULT_SOURCE, defaultRoot } from '../documents/source-roots.ts';
import { isAbort } from '../errors/abort.ts';
import { cloneRepository, removeClone } from '../git/repository-clone.ts';
import { repositoriesFolder } from '../git/repository-source.ts';
import { MEDIA, type Media } from '../domain/kinds.ts';
import type { MediaType } from '../domain/media.ts';
import { buryTombstones } from '../ingest/embedding/embedding-step.ts';
import { changeDocuments } from '../ingest/words-step.ts';
import { TreeWalk } from '../ingest/scan/walk-tree.ts';
import type { SourceAdded, SourceRemoved, InitReport } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';

type Ports = Pick<AppPorts, 'documents' | 'resolution' | 'resolveAgain' | 'cwd' | 'env' | 'homeDir' | 'config'>;

/** How many files and folders an estimate examines. */
const MAX_ENTRIES = 50_000;

/** Adds a folder or a repository as a source, and scans it. */
export async function performAdd(
  { documents, extractors, connectors, ...ports }: Ports & Pick<AppPorts, 'extractors' | 'connectors'>,
  request: SourceRequest,
  { signal }: AbortOptions = {},
): Promise<SourceAdded> {
  const indexed = (await (await openStore(documents))?.indexedRoots()) ?? new Map<string, string>();
  return addSource(request, {
    ...ports,
    indexed,
    estimate: (root) => estimate(root, ports, extractors),
    repositories: repositoriesFolder(ports.config.storage.dataDir),
    connectors: connectors.names().map(({ id }) => id),
    clone: (repository) => cloneRepository(repository, { env: ports.env, signal }),
  });
}

/** Counts what a walk would find by kind, without opening any file. */
async function estimate(
  root: string,
  { config: { workspace }, resolution }: Pick<Ports, 'config' | 'resolution'>,
  extractors: AppPorts['extractors'],
): Promise<SourceAdded['holds']> {
  const files: Partial<Record<Media, number>> = {};
  const unsure = new Map<string, { readonly mediaType: MediaType; readonly count: number }>();
  const { include, exclude, followSymlinks, symlinksOutside } = workspace;
  const options = { followSymlinks, linksOutside: symlinksOutside, leaveOut: [], git: resolution.folders.git };
  let seen = 0;
  for (const entry of new TreeWalk({ root, include, exclude }, options).entries()) {
    if (entry.kind === 'file') {
      const { mediaType } = entry;
      if (mediaType.kind === 'other' || mediaType.kind === 'audio') {
        const key = JSON.stringify(mediaType);
        unsure.set(key, { mediaType, count: (unsure.get(key)?.count ?? 0) + 1 });
      } else files[mediaType.kind] = (files[mediaType.kind] ?? 0) + 1;
    }
    if (++seen === MAX_ENTRIES) break;
  }
  let unread = 0;
  const byExtension: Record<string, number> = {};
  const able = unsure.size === 0 ? [] : await extractors.all();
  for (const { mediaType, count } of unsure.values()) {
    if (able.some((extractor) => extractor.supports(mediaType)))
      files[mediaType.kind] = (files[mediaType.kind] ?? 0) + count;
    else {
      unread += count;
      if (mediaType.kind === 'other') byExtension[mediaType.ext] = (byExtension[mediaType.ext] ?? 0) + count;
    }
  }
  const kinds = MEDIA.filter((kind) => files[kind] !== undefined).map((kind) => [kind, files[kind] ?? 0] as const);
  return {
    files: Object.fromEntries(kinds),
    unread,
    unread_by_extension: byExtension,
    is_complete: seen < MAX_ENTRIES,
  };
}

/** Removes a source from the configuration, and its documents from the index, with its clone if it has one; no file of the user is touched. */
export async function performRemove(
  ports: Ports & Pick<AppPorts, 'lexicalIndex' | 'vectorStores' | 'log'>,
  name: string,
  options: AbortOptions = {},
): Promise<SourceRemoved> {
  const { documents, resolution, config, homeDir } = ports;
  const found = await openStore(documents);
  const source = await removableSource(name, resolution, found);
  const store = found === null ? null : await documents.write();
  const change = async (writer: DocumentWriter | null): Promise<SourceRemoved> => {
    const file = await unconfigureSource(source, ports);
    const index = store === null || writer === null ? null : { store, writer };
    const removed = index === null ? 0 : await forgetSource(name, config.storage.assetDir, index);
    const left = index === null ? 0 : await removeVectors(ports, index, options);
    const isClone = path.dirname(source.root) === repositoriesFolder(config.storage.dataDir);
    const hadClone = isClone && removeClone(source.root);
    const again = name === DEFAULT_SOURCE ? await rootThatStays(ports, store) : null;
    return {
      schema_version: 'source_removed.v1',
      id: name,
      root: source.root === '' ? null : source.root,
      ...(hadClone ? { clone_removed: true } : {}),
      file,
      documents: removed,
      vectors_left: left,
      hint:
        again === null
          ? null
          : `${tildePath(again, homeDir)} is indexed again by the next ingest, because no other folder is set: move it away, or set workspace.root`,
    };
  };
  return store === null ? change(null) : changeDocuments(store, ports, { options, change });
}

/** The folder that the source `default` keeps; null if it does not exist. */
async function rootThatStays(
  { resolveAgain }: Pick<Ports, 'resolveAgain'>,
  store: DocumentStore | null,
): Promise<string | null> {
  const { config } = await resolveAgain({ whole: true });
  const root = defaultRoot(config, (await store?.indexedRoots()) ?? new Map());
  return root !== null && existsSync(root) ? root : null;
}

/** Deletes the vectors of removed documents, and returns how many are left for the next ingest because the store is unreachable. */
async function removeVectors(
  { vectorStores, config, log }: Pick<AppPorts, 'vectorStores' | 'config' | 'log'>,
  { store, writer }: { readonly store: DocumentStore; readonly writer: DocumentWriter },
  options: AbortOptions,
): Promise<number> {
  const dead = async (): Promise<number> =>
    (await store.vectors.collections()).reduce((sum, { tombstones }) => sum + tombstones, 0);
  if ((await dead()) === 0) return 0;
  try {
    const vectors = await vectorStores.get(config.storage.vectorStore, 'write');
    await buryTombstones({ store, writer, vectors }, options);
  } catch (error) {
    if (isAbort(error)) throw error;
    log.warn('vectors of a removed source are left to the next ingest', { reason: String(error) });
  }
  return dead();
}

/** The ports of an `init`. */
type InitPorts = Pick<
  AppPorts,
  'documents' | 'resolution' | 'resolveAgain' | 'initAgain' | 'cwd' | 'env' | 'homeDir' | 'randomBytes'
>;

/** Options of an `init`. */
export interface InitOptions extends AbortOptions {
  /** Rewrites an existing configuration file. */
  readonly force?: boolean | undefined;
  /** The user's knowledge base, or one for the working directory; by default {@link initPlace} decides. */
  readonly place?: InitPlace['kind'] | undefined;
}

/** Creates the user's knowledge base, or that of a project. The database of a project is opened with the project's configuration. */
export async function performInit(ports: InitPorts, options: InitOptions = {}): Promise<InitReport> {
  const { resolution, cwd, homeDir } = ports;
  const { force = false, place: asked } = options;
  const place = await initPlace({
    choice: resolution.isNamed ? 'user' : asked,
    cwd,
    homeDir,
    project: resolution.project,
  });
  return place.kind === 'user' ? initUser(ports, force) : initProject(ports, { folder: place.folder, force });
}

async function initUser(
  { documents, resolution, resolveAgain, homeDir }: InitPorts,
  force: boolean,
): Promise<InitReport> {
  const { userFile } = resolution;
  return runInit({
    resolution: force ? await resolveAgain({ replaced: { path: userFile, text: '' } }) : resolution,
    force,
    homeDir,
    openStore: () => makeDatabase(documents),
  });
}

async function initProject(
  { documents, resolution, initAgain, env, homeDir, randomBytes }: InitPorts,
  { folder, force }: { readonly folder: string; readonly force: boolean },
): Promise<InitReport> {
  const { makeProject } = await import('../admin/run-init.ts');
  const { keys, folders, project, failure } = resolution;
  const made = await makeProject({ folder, force, keys, stateDir: folders.state, env, homeDir, randomBytes });
  if (project?.folder !== folder || force || failure !== undefined) {
    const report = await initAgain(folder);
    return { ...report, created: [...made.created], kept: [...made.kept] };
  }
  const { path: opened, schemaVersion } = await makeDatabase(documents);
  return {
    schema_version: 'init_report.v1',
    created: [...made.created],
    kept: [...made.kept],
    opened,
    db_schema_version: schemaVersion,
    hint: `\`kebab ingest\`, then \`kebab search\` anywhere in ${tildePath(folder, homeDir)}`,
  };
}

/** Creates or migrates the database. */
async function makeDatabase(documents: InitPorts['documents']): Promise<{ path: string; schemaVersion: number }> {
  const { location, schemaVersion } = await documents.write();
  return { path: location, schemaVersion };
}
