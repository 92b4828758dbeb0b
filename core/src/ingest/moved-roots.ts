import { lstatSync, readdirSync, copyFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import type { KnownDocument } from '../contracts/document-store.ts';
import { describeMoved, EXTERNAL, EXTERNAL_FOLDER, externalRoot } from '../documents/source-roots.ts';
import { KebabError } from '../errors/kebab-error.ts';
import type { IngestReport } from '../wire/index.ts';
import type { IngestContext } from './ingest-context.ts';
import type { SourceScan } from './run/scan-sources.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { makeOwnFolder } from '../files/own-folder.ts';
import { readRegularText } from '../files/read-regular-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** A source whose folder is elsewhere than when it was indexed. */
export type MovedRoot = NonNullable<IngestReport['moved']>[number];

/**
 * The sources whose folder has moved: they are configured with another root than they were indexed from, and it contains at least half of
 * their documents, at their paths and with their sizes. Throws `config_invalid` for a source whose configured root is an unrelated folder:
 * ingesting it would replace one index by another.
 */
export async function findMovedRoots(
  scans: readonly SourceScan[],
  { store, options }: Pick<IngestContext, 'store' | 'options'>,
): Promise<readonly MovedRoot[]> {
  const indexed = await store.indexedRoots();
  const moved: MovedRoot[] = [];
  for (const scan of scans) {
    const { source, rootFailure } = scan;
    const from = indexed.get(source.id);
    if (from === undefined || from === source.root || source.id === EXTERNAL || rootFailure !== null) continue;
    const known = await store.knownDocuments(source.id);
    if (known.size === 0) continue;
    const found = countFound(scan, known);
    if (options.moved !== true && found * 2 < known.size) throw otherFolder(scan, { from, indexed: known.size, found });
    moved.push({ source_id: source.id, from, to: source.root });
  }
  return moved;
}

function countFound({ files }: SourceScan, known: ReadonlyMap<string, KnownDocument>): number {
  return files.filter(({ workspacePath, size }) => known.get(workspacePath)?.file?.size === size).length;
}

interface OtherFolder {
  readonly from: string;
  readonly indexed: number;
  readonly found: number;
}

function otherFolder({ source }: SourceScan, { from, indexed, found }: OtherFolder): KebabError<'config_invalid'> {
  const { what, remedy } = describeMoved({ id: source.id, root: from, connector: 'fs', configured: source.root });
  const holds = found === 0 ? 'none' : `only ${found}`;
  const count = indexed === 1 ? '1 document' : `${indexed} documents`;
  return new KebabError('config_invalid', `${what}, which holds ${holds} of its ${count}`, {
    details: {
      path: null,
      key: source.id === 'default' ? 'workspace.root' : 'workspace.sources',
      cause: 'the root of an indexed source is another folder',
      suggestion: from,
    },
    hint: remedy,
  });
}

const IGNORE_LINE = `${EXTERNAL_FOLDER}/`;

/**
 * Moves, once, what an earlier version stored in the folder of notes to the data folder: the copies, which keep their paths and ids, and
 * the line of `.kebabignore` that excluded them from walks. Anything that is not a copy of kebab's is left in place.
 */
export async function moveOldExternal(
  config: Pick<ResolvedConfig, 'workspace' | 'storage'>,
  { store, writer }: Pick<IngestContext, 'store' | 'writer'>,
): Promise<readonly MovedRoot[]> {
  const to = externalRoot(config);
  const from = (await store.indexedRoots()).get(EXTERNAL) ?? config.workspace.root;
  if (from === to || !(await store.knownSources()).includes(EXTERNAL)) return [];
  const copies = copiesIn(path.join(from, EXTERNAL_FOLDER));
  if (copies.length > 0) {
    makeOwnFolder(to);
    makeFolder(path.join(to, EXTERNAL_FOLDER));
    for (const name of copies) move(path.join(from, EXTERNAL_FOLDER, name), path.join(to, EXTERNAL_FOLDER, name));
    removeEmpty(path.join(from, EXTERNAL_FOLDER));
    dropIgnoreLine(path.join(from, '.kebabignore'));
  }
  writer.setIndexedRoot(EXTERNAL, to);
  return copies.length === 0 ? [] : [{ source_id: EXTERNAL, from: path.join(from, EXTERNAL_FOLDER), to }];
}

/** The regular files with names that kebab assigned: the beginning of a hash. A folder reached through a link is not examined. */
function copiesIn(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && /^[0-9a-f]{12}\.\w+$/.test(entry.name)).map(({ name }) => name);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
    rmSync(from);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // it contains files of the user
  }
}

/** Removes the line that kebab appended; if the file contains nothing else, it is removed too. */
function dropIgnoreLine(file: string): void {
  const kind = lstatSync(file, { throwIfNoEntry: false });
  if (kind?.isFile() !== true) return;
  const lines = readRegularText(file, { maxBytes: kind.size, followLink: false }).split('\n');
  const kept = lines.filter((line) => line.trim() !== IGNORE_LINE);
  if (kept.length === lines.length) return;
  if (kept.join('').trim() === '') rmSync(file);
  else writeAtomically(file, kept.join('\n'));
}
