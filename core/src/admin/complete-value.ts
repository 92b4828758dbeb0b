import type { ConfigResolution } from '../config/resolve-config.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { allDocuments } from '../documents/open-store.ts';
import { EXTERNAL, sourceRoots } from '../documents/source-roots.ts';
import { allTags } from '../domain/metadata.ts';
import { formatSourcePath } from '../domain/uri.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import type { InstallSetup } from './installing/install-plugin.ts';
import { PluginFolder } from './installing/plugin-folder.ts';

/** The kinds of value whose possible values kebab knows. */
export type ValueKind =
  | 'source'
  | 'own_source'
  | 'tag'
  | 'lang'
  | 'repo'
  | 'code_lang'
  | 'path'
  | 'added_path'
  | 'place'
  | 'glob'
  | 'document_id'
  | 'chunk_id'
  | 'session'
  | 'model'
  | 'missing_part'
  | 'installed_plugin'
  | 'config_key'
  | 'config_value';

/** A value to complete. */
export interface ValueRequest {
  readonly kind: ValueKind;
  readonly typed: string;
  /** For a `config_value`, its key. */
  readonly key?: string | undefined;
}

type CompletionPorts = Pick<Ports, 'documents' | 'sessions' | 'modelCatalogs'> & {
  readonly resolution: Pick<ConfigResolution, 'keys' | 'config' | 'pluginFolder'>;
  readonly installing: () => { readonly setup: Pick<InstallSetup, 'parts' | 'formats'> };
};

/** How many documents are examined: the user is waiting after a key press. */
const MAX_DOCUMENTS = 20_000;
const MAX_VALUES = 1000;

/**
 * Completes a prefix from what is indexed and configured, in alphabetical order. A path is completed up to the next folder. Nothing is
 * written; without an index, or with one of another kebab version, there are no completions from it.
 */
export async function completeValue(ports: CompletionPorts, request: ValueRequest): Promise<readonly string[]> {
  const prefixes = new Set<string>();
  for await (const value of valuesOf(ports, request)) if (value.startsWith(request.typed)) prefixes.add(value);
  return [...prefixes].toSorted().slice(0, MAX_VALUES);
}

async function* valuesOf(ports: CompletionPorts, { kind, typed, key = '' }: ValueRequest): AsyncGenerator<string> {
  switch (kind) {
    case 'config_key':
      yield* ports.resolution.keys.keys.map(({ name }) => name);
      return;
    case 'config_value':
      yield* settingsOf(key, ports.resolution);
      return;
    case 'model':
      for (const catalog of await ports.modelCatalogs.all()) yield* (await catalog.list()).map(({ id }) => id);
      return;
    case 'missing_part':
      yield* partsOf(ports).flatMap((part) => (part.isPresent() ? [] : [part.name]));
      yield* Object.keys(ports.installing().setup.formats);
      return;
    case 'installed_plugin':
      yield* installed(ports);
      return;
    case 'session':
      yield* await sessionIds(ports);
      return;
    case 'source':
      yield* sourceRoots(ports.resolution.config).keys();
      break;
    case 'own_source':
      yield* [...sourceRoots(ports.resolution.config).keys()].filter((id) => id !== EXTERNAL);
      break;
    default:
  }
  const store = await unlessMissing(() => ports.documents.read());
  if (store === null) return;
  yield* idsIn(store, kind, typed);
  if (kind !== 'document_id' && kind !== 'chunk_id') yield* documentValues(store, kind, typed);
}

async function sessionIds({ sessions }: Pick<CompletionPorts, 'sessions'>): Promise<readonly string[]> {
  const repo = await unlessMissing(() => sessions.read());
  return ((await repo?.listSessions()) ?? []).map(({ sessionId }) => sessionId);
}

function partsOf({ installing }: CompletionPorts): InstallSetup['parts'] {
  return installing().setup.parts;
}

/** What `kebab plugin install` has installed: plugins and optional parts. */
function installed(ports: CompletionPorts): readonly string[] {
  const folder = new PluginFolder(ports.resolution.pluginFolder);
  const parts = partsOf(ports).filter(({ name }) => folder.hasPart(name));
  return [...Object.keys(folder.locked()), ...parts.map(({ name }) => name)];
}

/** Ids are completed only after their first digits; without any there are too many to choose from. */
async function* idsIn(store: DocumentStore, kind: ValueKind, typed: string): AsyncGenerator<string> {
  if (!/^[0-9a-f]{1,32}$/.test(typed)) return;
  if (kind === 'document_id' || kind === 'path') yield* await store.findIds('document', typed, MAX_VALUES);
  if (kind === 'chunk_id' || kind === 'place') yield* await store.findIds('chunk', typed, MAX_VALUES);
}

async function* documentValues(store: DocumentStore, kind: ValueKind, typed: string): AsyncGenerator<string> {
  let seen = 0;
  for await (const document of allDocuments(store)) {
    yield* valuesIn(document, kind, typed);
    if (++seen === MAX_DOCUMENTS) return;
  }
}

function valuesIn(document: DocumentRow, kind: ValueKind, typed: string): readonly string[] {
  const { sourceId, workspacePath, lang, repo, codeLang } = document;
  switch (kind) {
    case 'source':
      return [sourceId];
    case 'own_source':
      return sourceId === EXTERNAL ? [] : [sourceId];
    case 'tag':
      return allTags(document).map((tag) => (typed.startsWith('#') ? `#${bare(tag)}` : bare(tag)));
    case 'lang':
      return [lang];
    case 'repo':
      return repo === null ? [] : [repo];
    case 'code_lang':
      return codeLang === null ? [] : [codeLang];
    case 'glob':
      return [upToFolder(workspacePath, typed)];
    case 'added_path':
      return sourceId === EXTERNAL ? [upToFolder(formatSourcePath({ sourceId, path: workspacePath }), typed)] : [];
    case 'path':
    case 'place':
      return [upToFolder(formatSourcePath({ sourceId, path: workspacePath }), typed)];
    default:
      return [];
  }
}

function bare(tag: string): string {
  return tag.replace(/^#+/, '');
}

/** A path up to the next slash after the prefix. */
function upToFolder(path: string, typed: string): string {
  const slash = path.indexOf('/', typed.length);
  return slash === -1 || !path.startsWith(typed) ? path : path.slice(0, slash + 1);
}

function settingsOf(name: string, { keys }: Pick<ConfigResolution, 'keys'>): readonly string[] {
  const key = keys.keys.find((flat) => flat.name === name)?.key;
  switch (key?.kind) {
    case 'bool':
      return ['true', 'false'];
    case 'enum':
      return key.values;
    case 'text':
      return key.known ?? [];
    default:
      return [];
  }
}

/** Null when no index can be read: completion prints nothing about a database of another schema version. */
async function unlessMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isKebabError(error, 'not_indexed')) return null;
    throw error;
  }
}
