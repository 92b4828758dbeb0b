import type { BigIntStats } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SourceFile } from '../../contracts/source-connector.ts';
import { mediaTypeOf } from '../../domain/media.ts';

const PLAIN_PATH = /^\/[\w./-]*$/;

/** Describes a file of a source from its place on disk and its stat. */
export function sourceFile(workspacePath: string, absolutePath: string, stat: BigIntStats): SourceFile {
  return {
    kind: 'file',
    workspacePath,
    uri: fileUri(absolutePath),
    size: Number(stat.size),
    mtimeNs: stat.mtimeNs,
    birthtimeMs: Number(stat.birthtimeMs),
    mediaType: mediaTypeOf(workspacePath),
  };
}

/** The `file:` URI of an absolute path. */
export function fileUri(absolutePath: string): string {
  return PLAIN_PATH.test(absolutePath) ? `file://${absolutePath}` : pathToFileURL(absolutePath).href;
}

/** The absolute path that a `file:` URI names. */
export function pathOfUri(uri: string): string {
  const path = uri.slice('file://'.length);
  return PLAIN_PATH.test(path) ? path : fileURLToPath(uri);
}
