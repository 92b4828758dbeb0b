import { realpathSync } from 'node:fs';
import nodePath from 'node:path';
import { INGEST_FILE, INGEST_STDIN, invalidInput, type IngestProgress } from '@kebab/core/app';
import type { Settings } from '../live-app.ts';
import type { CallContext } from '../protocol/surface.ts';
import type { KebabTool } from './tool.ts';

/** `ingest_file`: adds one file. */
export const ingestFile: KebabTool<typeof INGEST_FILE> = {
  name: 'ingest_file',
  operation: 'ingestFile',
  title: 'Add a file',
  description:
    'Adds one file to the knowledge base; a copy is kept, and the same bytes again change nothing. Takes files below a source, the working directory or a folder that is configured.',
  input: INGEST_FILE,
  outputs: ['ingest_report'],
  writes: true,
  run({ path }, { app, settings, signal, progress }) {
    return app.ingestFile(placeInScope(path, settings), { signal, onProgress: ingestProgress(progress) });
  },
};

/** `ingest_stdin`: adds a text. */
export const ingestStdin: KebabTool<typeof INGEST_STDIN> = {
  name: 'ingest_stdin',
  operation: 'ingestText',
  title: 'Add a note',
  description: 'Adds Markdown as a document of its own; the same content again changes nothing.',
  input: INGEST_STDIN,
  outputs: ['ingest_report'],
  writes: true,
  run({ content, title, source_uri: sourceUri }, { app, signal, progress }) {
    return app.ingestText(content, { title, sourceUri }, { signal, onProgress: ingestProgress(progress) });
  },
};

/** Turns the events of an ingest into the progress of a call: one step when a file begins, one when it ends. */
function ingestProgress(report: CallContext['progress']): (event: IngestProgress) => void {
  let total = 0;
  return (event) => {
    if (event.kind === 'scan_completed') total = event.total;
    if (event.kind === 'asset_started')
      report({ done: 2 * event.idx - 1, total: 2 * total, message: `reading ${event.path}` });
    if (event.kind === 'asset_finished')
      report({ done: 2 * event.idx, total: 2 * total, message: `${event.idx} of ${total} files` });
  };
}

/**
 * The real path of a file that may be ingested: in a source root, the working directory or a folder that the configuration allows, with
 * links resolved on both sides. Throws `invalid_input` for any other path, whether or not it exists.
 */
function placeInScope(typed: string, { cwd, sourceRoots, ingestRoots }: Settings): string {
  if (typed.includes('\0') || typed.trim() === '')
    throw invalidInput('path is the path of a file', { field: 'path', value: typed });
  const real = realPathOf(nodePath.resolve(cwd, typed));
  const roots = [...sourceRoots, ...ingestRoots, ...workingFolder(cwd)];
  if (roots.some((root) => real === realPathOf(root)))
    throw invalidInput(`${typed} is a folder, not a file`, {
      field: 'path',
      value: typed,
      hint: 'name one file; searches find what is in a source without a call of ingest_file',
    });
  if (roots.some((root) => isInside(real, realPathOf(root)))) return real;
  throw invalidInput(`${typed} is outside the folders that files may be ingested from`, {
    field: 'path',
    value: typed,
    allowed: roots,
    hint: 'add its folder to mcp.ingest_roots in the configuration',
  });
}

/** A host that starts servers in the file system root has not chosen a folder; using it would allow everything. */
function workingFolder(cwd: string): readonly string[] {
  return nodePath.dirname(cwd) === cwd ? [] : [cwd];
}

/** The real path, also of a missing file: then that of the nearest existing folder, with the rest appended. */
function realPathOf(absolute: string): string {
  try {
    return realpathSync(absolute);
  } catch {
    const parent = nodePath.dirname(absolute);
    return parent === absolute ? absolute : nodePath.join(realPathOf(parent), nodePath.basename(absolute));
  }
}

function isInside(file: string, folder: string): boolean {
  const relative = nodePath.relative(folder, file);
  return (
    relative !== '' && relative !== '..' && !relative.startsWith(`..${nodePath.sep}`) && !nodePath.isAbsolute(relative)
  );
}
