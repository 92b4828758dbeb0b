import { statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { AbortOptions, CallContext } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { SourceEntry, SourceFile } from '../contracts/source-connector.ts';
import { type PathScope, sourcePathsOf } from '../documents/find-document.ts';
import { extensionOf } from '../domain/media.ts';
import type { MayRead } from '../domain/read-rule.ts';
import { parseUri, workspacePathOf } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { Pipelines } from '../extraction/pipelines.ts';
import { firstBytes } from '../files/read-regular-file.ts';
import type { Ports } from '../ports.ts';
import type { SkippedFile } from '../wire/index.ts';
import { failuresIn, seenAsTheyAre, type WalkedFolder } from './find-changes.ts';
import { recognised, sourcesAsIndexed, type WalkedSource } from './run/scan-sources.ts';
import { HEADER_CHARS, saysGenerated } from './scan/generated-header.ts';
import { sizeLimit, skipByContent, skipBySize } from './scan/ignore-rules.ts';
import { pathOfUri } from './scan/list-directory.ts';
import { isRules } from './scan/seen-places.ts';

/** What finding skipped files takes. */
export interface SkippedPorts extends Pick<Ports, 'connectors' | 'extractors' | 'chunkers' | 'config' | 'log'> {
  /** The short names of kebab's own plugins that are not installed, which are the extensions of their files. */
  readonly formats?: (() => readonly string[]) | undefined;
  /** What the caller may read; everything when absent. */
  readonly mayRead?: MayRead | undefined;
}

/** Restricted to one file. */
type SkippedOptions = AbortOptions & { readonly at?: { readonly sourceId: string; readonly path: string } | undefined };

/** Walks the sources as an ingest does, and yields every file or folder that it leaves out. */
export async function* findSkipped(
  store: DocumentStore,
  ports: SkippedPorts,
  { at, signal = new AbortController().signal }: SkippedOptions = {},
): AsyncGenerator<SkippedFile> {
  const { connectors, config, log } = ports;
  const call: CallContext = { signal, log, progress: () => {} };
  const wanted = at === undefined ? undefined : [at.sourceId];
  const failures = await failuresIn(store);
  for (const source of sourcesAsIndexed(config, await store.indexedRoots(), wanted)) {
    if (source.connectorId !== 'fs') continue;
    const connector = await connectors.get(source.connectorId);
    const known = await store.knownDocuments(source.id);
    const enters = (folder: string): boolean => at === undefined || at.path.startsWith(folder);
    const { root, include, exclude } = source;
    const entries = connector.scan({ root, include, exclude, enters }, call);
    yield* leftOutOf({ walked: { ...source, connector }, entries, known, failures }, { store, ports }, { at, signal });
  }
}

/**
 * Those entries of a folder that an ingest leaves out, with the reason and how to change it. Files that only the next ingest will index are
 * not among them.
 */
export async function* leftOutOf(
  { walked, entries, known, failures }: WalkedFolder,
  { store, ports }: { readonly store: DocumentStore; readonly ports: SkippedPorts },
  { at, signal = new AbortController().signal }: SkippedOptions = {},
): AsyncGenerator<SkippedFile> {
  const call: CallContext = { signal, log: ports.log, progress: () => {} };
  const pipelines = await Pipelines.open({ ...ports, indexVersion: '' });
  for await (const entry of entries) {
    throwIfCancelled(signal, 'list docs');
    const path = entry.workspacePath;
    if (at === undefined && isRules(path)) continue;
    if (at !== undefined && path !== at.path && !at.path.startsWith(`${path}/`)) continue;
    const failure = failures.get(`${walked.id}:${path}`);
    const why = await whyLeftOut(entry, { ports, pipelines, walked, call, isKnown: known.has(path), store, failure });
    if (why !== null && mayReadEntry(ports, walked.id, { root: walked.root, path }))
      yield { schema_version: 'skipped_file.v1', source_id: walked.id, doc_path: path, ...why };
  }
}

/** A folder may be read whose entries may be: rules name files. */
function mayReadEntry(
  { mayRead = () => true }: Pick<SkippedPorts, 'mayRead'>,
  sourceId: string,
  { root, path }: { readonly root: string; readonly path: string },
): boolean {
  if (!mayRead(sourceId, path)) return false;
  return statOf(join(root, path))?.isDirectory() !== true || mayRead(sourceId, `${path}/`);
}

/** Undefined for what is not there, leads in a circle, or lies where nothing may be looked up. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

type Why = Pick<SkippedFile, 'reason' | 'why' | 'remedy'>;

interface EntryContext {
  readonly ports: SkippedPorts;
  readonly pipelines: Pipelines;
  readonly walked: WalkedSource;
  readonly call: CallContext;
  readonly store: DocumentStore;
  /** Whether the index has a document of this path. */
  readonly isKnown: boolean;
  /** Why it could not be ingested when that was last tried. */
  readonly failure: string | undefined;
}

/** Why an entry is left out; null for what is indexed or will be. */
async function whyLeftOut(found: SourceEntry, context: EntryContext): Promise<Why | null> {
  const { config } = context.ports;
  if (found.kind === 'error')
    return { reason: 'unreadable', why: found.message, remedy: 'make it readable and ingest again' };
  if (found.kind === 'skipped') return byRule(found);
  const file = recognised(found);
  if (context.pipelines.of(file.mediaType) === null) return unsupported(file, context.ports);
  if (skipBySize(file.size, file.mediaType, config) !== null) {
    const { bytes, key } = sizeLimit(file.mediaType, config);
    const why = `it has ${file.size} bytes, more than the ${Math.floor(bytes)} that ${key} allows`;
    return { reason: 'size_exceeded', why, remedy: `raise the limit: kebab config set ${key} N` };
  }
  if (context.isKnown) return isGenerated(file, context.ports) ? GENERATED : null;
  if (context.failure !== undefined) return { reason: 'failed', why: context.failure, remedy: 'see `kebab doctor`' };
  return byContent(file, context);
}

const GENERATED: Why = {
  reason: 'generated',
  why: 'its header says that a program wrote it, so only its name and beginning are indexed',
  remedy: 'index such files whole: kebab config set code.skip_generated false',
};

function isGenerated(file: SourceFile, { config }: SkippedPorts): boolean {
  if (file.mediaType.kind !== 'code' || !config.code.skipGenerated) return false;
  const head = firstBytes(pathOfUri(file.uri), Math.min(file.size, HEADER_CHARS));
  return head !== null && saysGenerated(new TextDecoder().decode(head));
}

async function byContent(file: SourceFile, context: EntryContext): Promise<Why | null> {
  const { config } = context.ports;
  const { walked, call, store } = context;
  let bytes: Uint8Array;
  try {
    bytes = await walked.connector.read(file, call);
  } catch {
    return null; // the next ingest reports it
  }
  const counter = skipByContent(bytes, file.mediaType, config);
  if (counter === 'size_exceeded')
    return {
      reason: counter,
      why: `it has more lines than code.max_file_lines allows (${config.code.maxFileLines})`,
      remedy: 'raise the limit: kebab config set code.max_file_lines N',
    };
  if (counter === 'binary') return BINARY;
  if (config.indexing.secrets !== 'skip') return null;
  return (await seenAsTheyAre([file], walked, store)).has(file) ? WITH_SECRETS : null;
}

const BINARY: Why = {
  reason: 'binary',
  why: 'it is not text: it contains null characters',
  remedy: 'if it is text, save it as UTF-8',
};

/** Only an ingest finds secrets; it turns every other file into a document or a failure. */
const WITH_SECRETS: Why = {
  reason: 'secrets',
  why: 'it contains keys or passwords',
  remedy: 'blank them instead: kebab config set indexing.secrets redact',
};

function byRule({ workspacePath, counter }: Extract<SourceEntry, { kind: 'skipped' }>): Why {
  const name = workspacePath.slice(workspacePath.lastIndexOf('/') + 1);
  const include = `put the line !${name} into a .kebabignore beside it`;
  switch (counter) {
    case 'gitignore':
      return { reason: counter, why: 'a .gitignore excludes it', remedy: include };
    case 'kebabignore':
      return { reason: counter, why: 'a .kebabignore excludes it', remedy: 'change the .kebabignore' };
    case 'builtin_blacklist':
      return { reason: counter, why: 'it is on the built-in list of files that are never read', remedy: include };
    case 'unfollowed_link':
      return {
        reason: counter,
        why: 'it is a link that leads out of the source, or nowhere',
        remedy: 'follow such links: kebab config set workspace.symlinks_outside true',
      };
    default:
      return {
        reason: 'excluded',
        why: 'workspace.include and workspace.exclude leave it out',
        remedy: 'see `kebab config get workspace.exclude`',
      };
  }
}

function unsupported({ workspacePath }: SourceFile, { formats = () => [] }: SkippedPorts): Why {
  const extension = extensionOf(workspacePath.slice(workspacePath.lastIndexOf('/') + 1));
  const isOurs = formats().includes(extension);
  return {
    reason: 'unsupported',
    why: `no plugin reads files ${extension === '' ? 'of its kind, without an extension' : `named *.${extension}`}`,
    remedy: isOurs
      ? `kebab plugin install ${extension}`
      : `look for a plugin: kebab plugin search ${extension === '' ? 'WORD' : extension}`,
  };
}

/** No file has a longer path; expressions over longer ones overflow. */
const MAX_PATH = 4096;

/** Of a file that exists, the error that says why it has no document; any other error unchanged. */
export async function whyAbsent(
  error: unknown,
  typed: string,
  ports: SkippedPorts & PathScope & { readonly documents: Pick<Ports['documents'], 'read'> },
): Promise<unknown> {
  if (!isKebabError(error, 'doc_not_found') || typed.length > MAX_PATH) return error;
  const { path } = parseUri(typed);
  const store = await ports.documents.read();
  const at = await placeOnDisk(store, path, ports);
  if (at === null || ports.mayRead?.(at.sourceId, at.path) === false) return error;
  const { value } = await findSkipped(store, ports, { at }).next();
  if (value === undefined && !at.isFile) return error;
  const [why, hint] = value === undefined ? ['the next ingest reads it', '`kebab ingest`'] : [value.why, value.remedy];
  return new KebabError('doc_not_found', `${JSON.stringify(path)} is on disk, but not indexed: ${why}`, {
    details: error.details,
    hint,
  });
}

/** The source and path of a file or folder that exists; null when no source has it. */
async function placeOnDisk(
  store: DocumentStore,
  typed: string,
  scope: SkippedPorts & PathScope,
): Promise<{ readonly sourceId: string; readonly path: string; readonly isFile: boolean } | null> {
  const sources = sourcesAsIndexed(scope.config, await store.indexedRoots());
  const rootOf = new Map(sources.flatMap(({ id, root, connectorId }) => (connectorId === 'fs' ? [[id, root]] : [])));
  const [, named, inside = ''] = /^([\w.-]+):(.+)$/s.exec(typed) ?? [];
  const places = [
    ...(named !== undefined && rootOf.has(named) ? [{ sourceId: named, path: inside }] : []),
    ...(await sourcePathsOf(store, typed, scope)),
    ...[...rootOf.keys()].map((sourceId) => ({ sourceId, path: typed })),
  ];
  for (const { sourceId, path } of places) {
    const root = rootOf.get(sourceId);
    if (root === undefined || path === '' || path.startsWith('/') || path.split('/').includes('..')) continue;
    const stats = statOf(join(root, path));
    if (stats !== undefined) return { sourceId, path: workspacePathOf(path), isFile: stats.isFile() };
  }
  return null;
}
