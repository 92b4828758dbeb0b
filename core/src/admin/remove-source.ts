import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { loadConfigFile } from '../config/load-config-file.ts';
import { isTable } from '../config/read-value.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import { DEFAULT_SOURCE, EXTERNAL, type SourcePlace, sourceRoots } from '../documents/source-roots.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { nearestName } from '../errors/nearest-name.ts';
import { checkWritable } from './add-source.ts';
import { changeFile, targetFile, type ConfigTools } from './run-config.ts';

/** What is opened of the index to remove documents from it; null where nothing was indexed yet. */
interface OpenIndex {
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
}

const MAX_A_TRANSACTION = 200;

/** Finds a source by name. Throws `invalid_input` for one there is not, and for one that cannot be removed. */
export async function removableSource(
  name: string,
  resolution: ConfigResolution,
  store: DocumentStore | null,
): Promise<SourcePlace> {
  const { config } = resolution;
  const sources = new Map(sourceRoots(config, (await store?.indexedRoots()) ?? new Map()));
  const own = sources.get(DEFAULT_SOURCE);
  const isRootSet = config.workspace.isRootSet === true;
  const isMade = isRootSet || (await store?.indexedRoots())?.has(DEFAULT_SOURCE) === true;
  if (own !== undefined && !isMade && !existsSync(own.root)) sources.delete(DEFAULT_SOURCE);
  const known = [...sources.keys(), ...((await store?.knownSources()) ?? [])];
  const names = [...new Set(known)].filter((id) => id !== EXTERNAL);
  if (name === EXTERNAL)
    throw invalidInput('"external" holds what was brought in by hand; it is no source to remove', {
      field: 'NAME',
      value: name,
    });
  if (name === DEFAULT_SOURCE && resolution.project !== null)
    throw invalidInput('"default" is the folder of the project itself', {
      field: 'NAME',
      value: name,
      hint: 'remove the knowledge base of the project with `kebab reset --all`',
    });
  if (!names.includes(name)) {
    const suggestion = nearestName(name, names);
    const question = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
    throw invalidInput(`there is no source "${name}"${question}`, {
      field: 'NAME',
      value: name,
      allowed: names,
      suggestion,
    });
  }
  return sources.get(name) ?? { id: name, root: '', connector: 'fs', configured: null };
}

/** Takes a source out of the configuration and returns the file that was changed; null when none was. */
export async function unconfigureSource({ id, configured }: SourcePlace, tools: ConfigTools): Promise<string | null> {
  const { resolution } = tools;
  const file = targetFile(resolution);
  const written = existsSync(file) ? (await loadConfigFile(file)).table : {};
  const workspace = isTable(written) ? written['workspace'] : undefined;
  if (id === DEFAULT_SOURCE) {
    if (resolution.config.workspace.isRootSet !== true) return null;
    checkWritable(resolution, file, 'workspace.root');
    return (await changeFile(file, { kind: 'unset', path: ['workspace', 'root'] }, tools)) ? file : null;
  }
  if (configured === null) return null;
  checkWritable(resolution, file);
  const list: unknown = isTable(workspace) ? workspace['sources'] : undefined;
  const index = Array.isArray(list) ? list.findIndex((table: unknown) => isTable(table) && table['id'] === id) : -1;
  return (await changeFile(file, { kind: 'remove', path: ['workspace', 'sources'], index }, tools)) ? file : null;
}

/** Removes the documents of a source with all that was made of them, and returns how many there were. */
export async function forgetSource(id: string, assetDir: string, { store, writer }: OpenIndex): Promise<number> {
  const documents = [...(await store.knownDocuments(id)).values()];
  for (let at = 0; at < documents.length; at += MAX_A_TRANSACTION)
    writer.transaction((tx) => {
      for (const { docId } of documents.slice(at, at + MAX_A_TRANSACTION)) tx.deleteDocument(docId);
    });
  writer.setIndexedRoot(id, null);
  const failed = await store.quarantined();
  if (failed.some(({ sourceId }) => sourceId === id))
    writer.setQuarantine(failed.filter(({ sourceId }) => sourceId !== id));
  for (const copy of writer.sweepAssets()) {
    const inside = path.relative(assetDir, copy);
    if (!inside.startsWith('..') && !path.isAbsolute(inside)) rmSync(copy, { force: true });
  }
  return documents.length;
}
