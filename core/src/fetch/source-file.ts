import path from 'node:path';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { locateFile } from '../documents/locate-file.ts';
import { sourceRoots } from '../documents/source-roots.ts';

/** The file of a document. */
export interface SourceFilePath {
  /** Absolute; where the file is, or would be. */
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Tells where the file of a document lies. Errors: `invalid_input` for a document whose source is no folder of this machine,
 * or no longer configured, and whatever the file system reports beside absence.
 */
export function sourceFileOf(
  { sourceId, workspacePath }: DocumentRow,
  config: Pick<ResolvedConfig, 'workspace'>,
): SourceFilePath {
  const source = sourceRoots(config).get(sourceId);
  if (source === undefined)
    throw invalidInput(`the configuration knows no source "${sourceId}" any more, of which ${workspacePath} is`, {
      field: 'source',
      value: sourceId,
      hint: 'put the source back into the configuration, or read the stored text with `kebab fetch`',
    });
  if (source.connector !== 'fs')
    throw invalidInput(`${workspacePath} lies in no folder: source "${sourceId}" is read by ${source.connector}`, {
      field: 'source',
      value: sourceId,
      hint: 'read the stored text with `kebab fetch`',
    });
  const found = locateFile(source.root, workspacePath);
  return found === null
    ? { path: path.join(source.root, workspacePath), exists: false }
    : { path: found.path, exists: true };
}
