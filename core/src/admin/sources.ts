import { existsSync, accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { loadConfigFile } from '../config/load-config.ts';
import { isTable } from '../schema/value.ts';
import type { ConfigEdit } from '../config/editing/config-edit.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { ResolvedConfig, ResolvedSource } from '../config/resolved-config.ts';
import type { DocumentStore, DocumentWriter, KnownDocument } from '../contracts/document-store.ts';
import { isReadableFolder } from '../documents/locate-file.ts';
import { deleteDocuments, openStore, sweepCopies } from '../documents/open-store.ts';
import { shellWord } from '../domain/printable.ts';
import {
  EXTERNAL,
  expectedSources,
  hasMoved,
  type IndexedRoots,
  type SourceRoot,
  sourceRoots,
  DEFAULT_SOURCE,
  type SourcePlace,
} from '../documents/source-roots.ts';
import { systemReason } from '../errors/classify-error.ts';
import { invalidInput, nearestName } from '../errors/invalid-input.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { type ClonedRepository, removeClone } from '../git/repository-clone.ts';
import { looksLikeUrl, REPOSITORY_URL, REPOSITORY_URL_DOC, repositoryNameIn } from '../git/repository-source.ts';
import { isInside } from '../files/read-regular-file.ts';
import type { Ports } from '../ports.ts';
import type { SourceList, SourceAdded } from '../wire/index.ts';
import { changeFile, targetFile, tildePath, type ConfigTools } from './run-config.ts';

/**
 * Lists every source, configured or indexed, with its documents; `external` once something was added by hand. Throws `not_indexed` only for
 * a database of another version.
 */
export async function listSources({
  documents,
  config,
}: Pick<Ports, 'documents'> & { readonly config: ResolvedConfig }): Promise<SourceList> {
  const store = await openStore(documents);
  const indexed: IndexedRoots = (await store?.indexedRoots()) ?? new Map();
  const roots = sourceRoots(config, indexed);
  const sources: SourceList['sources'][number][] = [];
  for (const source of roots.values()) {
    const known = (await store?.knownDocuments(source.id)) ?? new Map<string, KnownDocument>();
    if (source.id === EXTERNAL && known.size === 0) continue;
    const { id, root, connector, configured, git } = source;
    let last = 0;
    for (const { indexedAt } of known.values()) last = Math.max(last, indexedAt.getTime());
    sources.push({
      id,
      root,
      configured_root: configured,
      connector,
      ...(git === undefined ? {} : { git }),
      documents: known.size,
      last_ingest_at: last === 0 ? null : new Date(last).toISOString(),
      state: stateOf(source, indexed),
    });
  }
  return { schema_version: 'source_list.v1', sources };
}

function stateOf(source: SourceRoot, indexed: IndexedRoots): SourceList['sources'][number]['state'] {
  if (source.configured === null) return 'not_configured';
  if (source.connector === 'fs' && !isReadableFolder(source.configured)) return 'missing';
  if (hasMoved(source)) return 'moved';
  return indexed.has(source.id) ? 'ready' : 'not_ingested';
}

/** A folder or a repository to add as a source. */
export interface SourceRequest {
  /** Absolute, or relative to the working directory; `~` is the home folder. Or the URL of a git repository. */
  readonly path: string;
  /** Defaults to the name of the folder or the repository. */
  readonly name?: string | undefined;
}

/** The dependencies of adding a source. */
interface AddTools extends ConfigTools {
  readonly indexed: IndexedRoots;
  /** Scans the folder without reading any file. */
  readonly estimate: (root: string) => Promise<SourceAdded['holds']>;
  /** The folder of the clones of the knowledge base. */
  readonly repositories: string;
  readonly clone: (repository: ClonedRepository) => Promise<void>;
  /** The ids of the source connectors, each of which reads the URLs whose scheme it is: `s3` reads `s3://…`. */
  readonly connectors: readonly string[];
}

const SOURCES = 'workspace.sources';
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const MAX_NAME_LENGTH = 64;

/**
 * Adds a folder, or a clone of a repository, to the configuration as a source of its own. Throws `io_error` for what is not a readable folder, `invalid_input` for a
 * name that is taken and a folder that overlaps another source. Under the name of a source whose folder is gone, this is its new folder. If the configuration replaced the indexed folder of `default` by this one,
 * it becomes an additional source instead.
 */
export async function addSource({ path: typed, name }: SourceRequest, tools: AddTools): Promise<SourceAdded> {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):\/\//.exec(typed) ?? [];
  if (tools.connectors.includes(scheme)) return addPlace(typed, name, { ...tools, connector: scheme });
  if (looksLikeUrl(typed) && !existsSync(path.resolve(tools.cwd, typed))) return addRepository(typed, name, tools);
  const { cwd, homeDir, resolution, indexed } = tools;
  const root = path.resolve(cwd, typed === '~' || typed.startsWith('~/') ? path.join(homeDir, typed.slice(1)) : typed);
  checkFolder(root);
  const file = targetFile(resolution);
  checkWritable(resolution, file);
  const all = sourcesIn(resolution, indexed);
  const moved = all.find((source) => source.id === name && isGone(source));
  const sources = all.filter((source) => source !== moved);
  const replaced = sources.find((source) => isReplacedBy(source, root));
  if (replaced !== undefined) checkWritable(resolution, file, 'workspace.root');
  checkApart(
    root,
    sources.map((source) => (source === replaced ? { ...source, configured: source.root } : source)),
    resolution,
  );
  const ids = [...sources.map(({ id }) => id), DEFAULT_SOURCE, EXTERNAL];
  const before = [...indexed].find(([known, place]) => place === root && !ids.includes(known))?.[0];
  const id = name === undefined ? (before ?? freeName(path.basename(root), ids, indexed)) : checkedName(name, ids);
  const table = { id, root: tildePath(root, homeDir) };
  const sourcesPath = SOURCES.split('.');
  const edit: ConfigEdit =
    moved === undefined
      ? { kind: 'append', path: sourcesPath, table }
      : { kind: 'set', path: [...sourcesPath, String(await indexIn(file, id)), 'root'], value: table.root };
  await changeFile(file, edit, tools);
  if (replaced !== undefined) {
    const value = tildePath(replaced.root, homeDir);
    await changeFile(file, { kind: 'set', path: ['workspace', 'root'], value }, tools);
  }
  const hint = 'kebab ingest';
  return { schema_version: 'source_added.v1', id, root, file, holds: await tools.estimate(root), hint };
}

/** Adds what a connector of a plugin reads; whether it can is left to the ingest. */
async function addPlace(
  root: string,
  name: string | undefined,
  { connector, ...tools }: AddTools & { readonly connector: string },
): Promise<SourceAdded> {
  const base = path.posix.basename(root);
  const isSame = (source: ResolvedSource): boolean => source.root.replace(/\/+$/, '') === root.replace(/\/+$/, '');
  const { id, file } = newEntry({ typed: root, name, base, isSame }, tools);
  await changeFile(file, { kind: 'append', path: SOURCES.split('.'), table: { id, root, connector } }, tools);
  const holds = { files: {}, unread: 0, unread_by_extension: {}, is_complete: false };
  return { schema_version: 'source_added.v1', id, root, file, holds, hint: 'kebab ingest' };
}

/** Clones a repository, and adds the clone. A clone whose source cannot be written is removed again. */
async function addRepository(url: string, name: string | undefined, tools: AddTools): Promise<SourceAdded> {
  const git = checkedUrl(url);
  const isSame = (source: ResolvedSource): boolean => withoutEnding(source.git ?? '') === withoutEnding(git);
  const { id, file } = newEntry({ typed: git, name, base: repositoryNameIn(git), isSame }, tools);
  if (id.startsWith('.'))
    throw invalidInput('the name of a repository must not begin with a dot: it names a folder', {
      field: '--name',
      value: id,
    });
  const root = path.join(tools.repositories, id);
  await tools.clone({ url: git, root });
  try {
    await changeFile(file, { kind: 'append', path: SOURCES.split('.'), table: { id, git } }, tools);
  } catch (error) {
    removeClone(root);
    throw error;
  }
  const holds = await tools.estimate(root);
  return { schema_version: 'source_added.v1', id, root, git, file, holds, hint: 'kebab ingest' };
}

/** The id of a source that is no folder yet, and the file to write it to. Throws `invalid_input` for one that is already there. */
function newEntry(
  {
    typed,
    name,
    base,
    isSame,
  }: Pick<SourceRequest, 'name'> & {
    readonly typed: string;
    readonly base: string;
    readonly isSame: (source: ResolvedSource) => boolean;
  },
  { resolution, indexed }: AddTools,
): { readonly id: string; readonly file: string } {
  const file = targetFile(resolution);
  checkWritable(resolution, file);
  const same = resolution.config.workspace.sources.find(isSame);
  if (same !== undefined)
    throw invalidInput(`${typed} is already the source "${same.id}"`, {
      field: 'PATH',
      value: typed,
      hint: `\`kebab ingest --source ${same.id}\` brings it up to date`,
    });
  const ids = [...expectedSources(resolution.config, indexed).keys(), DEFAULT_SOURCE, EXTERNAL];
  return { id: name === undefined ? freeName(base, ids, indexed) : checkedName(name, ids), file };
}

function withoutEnding(url: string): string {
  return url.replace(/\/+$/, '').replace(/\.git$/, '');
}

/** Throws `invalid_input` for a URL that git must not be given. */
function checkedUrl(url: string): string {
  if (REPOSITORY_URL.test(url)) return url;
  const hasPassword = /^\w+:\/\/[^/]*@/.test(url);
  const shown = url.replace(/\/\/[^/]*@/, '//***@');
  throw invalidInput(
    hasPassword
      ? `${shown} holds a user name or a password, which would be written to the configuration`
      : `${JSON.stringify(shown)} is no URL that kebab clones`,
    {
      field: 'PATH',
      value: shown,
      hint: hasPassword
        ? 'leave it out, and let git know the password: a credential helper, or an ssh key'
        : `give ${REPOSITORY_URL_DOC}`,
    },
  );
}

function checkFolder(root: string): void {
  const failed = (kind: string, cause: string, hint?: string): KebabError<'io_error'> =>
    new KebabError('io_error', `${root} cannot be added: ${cause}`, { details: { kind, path: root, cause }, hint });
  try {
    if (!statSync(root).isDirectory())
      throw failed(
        'ENOTDIR',
        'it is a file; a source is a folder',
        `add this file alone with \`kebab ingest-file ${shellWord(root)}\`, or its folder with \`kebab add\``,
      );
    accessSync(root, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof KebabError) throw error;
    throw failed((error as NodeJS.ErrnoException).code ?? 'EIO', systemReason((error as Error).message));
  }
}

/** A value in another file or variable would override the one about to be written. */
export function checkWritable({ origins, files }: ConfigResolution, file: string, key = SOURCES): void {
  const origin = origins.get(key);
  const ignored = files.some(({ path: read, trusted }) => read === file && !trusted);
  if (ignored)
    throw invalidInput(`${file} was edited since kebab wrote it, and is not trusted: ${key} in it has no effect`, {
      field: key,
      hint: `look at it, then run \`kebab trust ${file}\` and repeat this`,
    });
  const other = origin?.origin === 'env' ? origin.variable : origin?.origin === 'file' ? origin.path : file;
  if (other === file) return;
  throw invalidInput(`${key} is set in ${other}, which takes precedence over ${file}`, {
    field: key,
    hint: `change it there, or remove it there and repeat this`,
  });
}

/** The folders that are already sources. */
function sourcesIn({ config }: ConfigResolution, indexed: IndexedRoots): readonly SourceRoot[] {
  return [...expectedSources(config, indexed).values()].filter(
    ({ id, connector, configured }) => connector === 'fs' && configured !== null && id !== EXTERNAL,
  );
}

/** `default` was indexed from elsewhere: it is restored, and this folder becomes an additional source. */
function isReplacedBy(source: SourceRoot, root: string): boolean {
  return source.id === DEFAULT_SOURCE && hasMoved(source) && realPath(source.configured ?? '') === realPath(root);
}

function isGone({ id, git, configured }: SourceRoot): boolean {
  return id !== DEFAULT_SOURCE && git === undefined && configured !== null && !existsSync(configured);
}

/** No file may belong to two sources. */
function checkApart(
  root: string,
  sources: readonly SourceRoot[],
  { project }: Pick<ConfigResolution, 'project'>,
): void {
  const here = realPath(root);
  const places = sources.flatMap(({ id, root: indexed, configured, git }) =>
    [...new Set([configured ?? indexed, indexed])].map((place) => ({ id, place, isClone: git !== undefined })),
  );
  for (const { id, place, isClone } of places) {
    const there = realPath(place);
    const relation =
      here === there
        ? `is already the source "${id}"`
        : isInside(here, there)
          ? `lies in ${place}, which is the source "${id}"`
          : isInside(there, here) && !isClone // a walk leaves kebab's own folders out
            ? `contains ${place}, which is the source "${id}"`
            : null;
    const isProject = id === DEFAULT_SOURCE && project !== null;
    if (relation !== null)
      throw invalidInput(`${root} ${relation}`, {
        field: 'PATH',
        value: root,
        hint:
          here !== there && isInside(there, here)
            ? isProject
              ? 'a project is a source of its own; for the folder around it use `kebab add --user`'
              : `to have all of it as one source, run \`kebab remove ${id}\` first`
            : `\`kebab ingest --source ${id}\` indexes what has changed in it`,
      });
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // a missing folder is compared by its former path
  }
}

function checkedName(name: string, ids: readonly string[]): string {
  if (!NAME.test(name))
    throw invalidInput(
      `the name of a source has 1 to 64 letters, digits, dots, dashes and underscores, not ${JSON.stringify(name)}`,
      {
        field: '--name',
        value: name,
      },
    );
  if (name === DEFAULT_SOURCE || name === EXTERNAL)
    throw invalidInput(`the name ${name} is reserved`, { field: '--name', value: name });
  if (ids.includes(name))
    throw invalidInput(`there is already a source "${name}"`, {
      field: '--name',
      value: name,
      hint: 'see all with `kebab list sources`',
    });
  return name;
}

/** The name of a folder or a repository as the name of a source, with a number if that is taken. */
function freeName(name: string, ids: readonly string[], indexed: IndexedRoots): string {
  const own = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  const base = own === '' ? 'source' : own.slice(0, MAX_NAME_LENGTH - 4);
  const taken = new Set([...ids, ...indexed.keys()]);
  for (let count = 1; ; count += 1) {
    const numbered = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** The opened index for removing documents; null when nothing was indexed yet. */
interface OpenIndex {
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
}

/** Finds a source by name. Throws `invalid_input` for an unknown one, and for one that cannot be removed. */
export async function removableSource(
  name: string,
  resolution: ConfigResolution,
  store: DocumentStore | null,
): Promise<SourcePlace> {
  const { config } = resolution;
  const sources = expectedSources(config, (await store?.indexedRoots()) ?? new Map());
  const known = [...sources.keys(), ...((await store?.knownSources()) ?? [])];
  const names = [...new Set(known)].filter((id) => id !== EXTERNAL);
  if (name === EXTERNAL)
    throw invalidInput('"external" holds what was brought in by hand; it is not a source to remove', {
      field: 'NAME',
      value: name,
    });
  if (name === DEFAULT_SOURCE && resolution.project !== null)
    throw invalidInput('"default" is the folder of the project itself', {
      field: 'NAME',
      value: name,
      hint: 'remove the knowledge base of the project with `kebab reset --all`',
    });
  if (!names.includes(name))
    throw invalidInput(`there is no source "${name}"`, {
      field: 'NAME',
      value: name,
      allowed: names,
      suggestion: nearestName(name, names),
      hint: 'see them all with `kebab list sources`',
    });
  return sources.get(name) ?? { id: name, root: '', connector: 'fs', configured: null };
}

/** Removes a source from the configuration and returns the file that was changed; null when none was. */
export async function unconfigureSource({ id, configured }: SourcePlace, tools: ConfigTools): Promise<string | null> {
  const { resolution } = tools;
  const file = targetFile(resolution);
  if (id === DEFAULT_SOURCE) {
    if (resolution.config.workspace.isRootSet !== true) return null;
    checkWritable(resolution, file, 'workspace.root');
    return (await changeFile(file, { kind: 'unset', path: ['workspace', 'root'] }, tools)) ? file : null;
  }
  if (configured === null) return null;
  checkWritable(resolution, file);
  const edit = { kind: 'remove', path: SOURCES.split('.'), index: await indexIn(file, id) } as const;
  return (await changeFile(file, edit, tools)) ? file : null;
}

/** The index of a source in the list of a configuration file; -1 if it is not in it. */
async function indexIn(file: string, id: string): Promise<number> {
  const written = existsSync(file) ? (await loadConfigFile(file)).table : {};
  const workspace = isTable(written) ? written['workspace'] : undefined;
  const list: unknown = isTable(workspace) ? workspace['sources'] : undefined;
  return Array.isArray(list) ? list.findIndex((table: unknown) => isTable(table) && table['id'] === id) : -1;
}

/** Removes the documents of a source with all derived data, and returns their number. */
export async function forgetSource(id: string, assetDir: string, { store, writer }: OpenIndex): Promise<number> {
  const documents = [...(await store.knownDocuments(id)).values()];
  await deleteDocuments(
    writer,
    documents.map(({ docId }) => docId),
  );
  await writer.setIndexedRoot(id, null);
  const failed = await store.quarantined();
  if (failed.some(({ sourceId }) => sourceId === id))
    await writer.setQuarantine(failed.filter(({ sourceId }) => sourceId !== id));
  await sweepCopies(writer, assetDir);
  return documents.length;
}
