import { accessSync, constants, statSync } from 'node:fs';
import type { QuarantinedFile } from '../../contracts/document-store.ts';
import { sourceRoots, type SourceRoot } from '../../documents/source-roots.ts';
import type { DoctorContext } from './doctor-context.ts';
import { checkOf, failed, fine } from './outcome.ts';

const SHOWN_FILES = 5;

/** Whether every folder can be read, and which files could not be taken in. */
export const checkSourceRoots = checkOf('source_roots', async (context) => {
  const sources = [...sourceRoots(context.resolution.config).values()].filter(({ id }) => id !== 'external');
  const folders = sources.filter(({ connector }) => connector === 'fs');
  const unreadable = folders.filter(({ root }) => !isReadable(root));
  const summary = `${sources.length - unreadable.length} of ${sources.length} readable`;
  const detail = [summary, ...(await quarantine(context))].join('; ');
  if (unreadable.length === 0) return fine(detail);
  return failed(
    `${detail}; missing: ${unreadable.map(nameOf).join(', ')}`,
    'mount or create them, or correct their roots; see `kebab config show`',
  );
});

function nameOf({ id, root }: SourceRoot): string {
  return `${root} (source ${id})`;
}

function isReadable(root: string): boolean {
  try {
    accessSync(root, constants.R_OK | constants.X_OK);
    return statSync(root).isDirectory();
  } catch {
    return false;
  }
}

/** The files that the last runs could not take in; the database has a check of its own. */
async function quarantine({ ports }: DoctorContext): Promise<readonly string[]> {
  let files: readonly QuarantinedFile[];
  try {
    files = (await ports.documents.read()).quarantined();
  } catch {
    return [];
  }
  if (files.length === 0) return [];
  const shown = files.slice(0, SHOWN_FILES).map(describe);
  const rest = files.length - shown.length;
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  return [`${count} not taken in`, ...shown, ...(rest === 0 ? [] : [`and ${rest} more`])];
}

function describe({ workspacePath, reason, agent, attempts }: QuarantinedFile): string {
  return `${workspacePath}: ${reason} (${agent}, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`})`;
}
