import { lstatSync, mkdirSync, readdirSync, copyFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { EXTERNAL, EXTERNAL_FOLDER, externalRoot } from '../documents/source-roots.ts';
import { makeOwnFolder } from '../files/own-folder.ts';
import { readRegularText } from '../files/read-regular-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { IngestContext } from './ingest-context.ts';
import type { MovedRoot } from './moved-roots.ts';

const IGNORE_LINE = `${EXTERNAL_FOLDER}/`;

/**
 * Moves what an earlier version kept in the folder of notes into the data folder, once: the copies, which keep their paths and
 * ids, and the line of `.kebabignore` that left them out of walks. What is no copy of kebab's stays where it is.
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
    mkdirSync(path.join(to, EXTERNAL_FOLDER), { recursive: true, mode: 0o755 });
    for (const name of copies) move(path.join(from, EXTERNAL_FOLDER, name), path.join(to, EXTERNAL_FOLDER, name));
    removeEmpty(path.join(from, EXTERNAL_FOLDER));
    dropIgnoreLine(path.join(from, '.kebabignore'));
  }
  writer.setIndexedRoot(EXTERNAL, to);
  return copies.length === 0 ? [] : [{ source_id: EXTERNAL, from: path.join(from, EXTERNAL_FOLDER), to }];
}

/** The regular files with names that kebab gave: the beginning of a hash. A folder reached by a link is not looked into. */
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
    // something of the user's is in it
  }
}

/** Takes out the line that kebab appended; a file that holds nothing else goes with it. */
function dropIgnoreLine(file: string): void {
  const kind = lstatSync(file, { throwIfNoEntry: false });
  if (kind?.isFile() !== true) return;
  const lines = readRegularText(file, { maxBytes: kind.size, followLink: false }).split('\n');
  const kept = lines.filter((line) => line.trim() !== IGNORE_LINE);
  if (kept.length === lines.length) return;
  if (kept.join('').trim() === '') rmSync(file);
  else writeAtomically(file, kept.join('\n'));
}
