import { appendFileSync, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blake3Hex } from '../../domain/blake3.ts';
import { extensionOf, mediaTypeOf, type MediaType } from '../../domain/media.ts';
import { KebabError } from '../../errors/kebab-error.ts';
import { refuseLinks, writeAtomically } from '../../files/write-atomically.ts';
import { EXTERNAL_FOLDER } from '../../documents/external-folder.ts';

/** Extensions for files whose medium is told by their whole name. */
const EXTENSION_OF_NAMED: readonly string[] = ['dockerfile', 'mk'];
const IGNORE_LINE = `${EXTERNAL_FOLDER}/`;

/**
 * The name under which a copy of bytes is kept: the beginning of their hash, and an extension that tells the same medium
 * as the original name. Null when no extension does.
 */
export function externalName(bytes: Uint8Array, originalName: string): string | null {
  const media = mediaTypeOf(originalName);
  const stem = blake3Hex(bytes).slice(0, 12);
  const candidates = [extensionOf(originalName), ...EXTENSION_OF_NAMED].map((extension) => `${stem}.${extension}`);
  return candidates.find((name) => isSameMedia(mediaTypeOf(name), media)) ?? null;
}

/**
 * Keeps a copy of bytes in the external folder of the workspace, and the folder out of the walk of others: on first use
 * the line `_external/` is appended to the `.kebabignore` of the root. A copy that is there already is left alone. Links that the
 * workspace brought along are not followed: they throw `io_error`, and nothing is written.
 */
export function keepExternalCopy(root: string, name: string, bytes: Uint8Array): void {
  const copy = join(root, EXTERNAL_FOLDER, name);
  const ignoreFile = join(root, '.kebabignore');
  refuseLinks(copy, root);
  refuseLinks(ignoreFile, root);
  if (!holds(copy, bytes)) writeAtomically(copy, bytes, { flush: false, within: root });
  ignoreExternalFolder(ignoreFile);
}

function holds(copy: string, bytes: Uint8Array): boolean {
  const kind = lstatSync(copy, { throwIfNoEntry: false });
  return kind?.isFile() === true && kind.size === bytes.length && readFileSync(copy).equals(bytes);
}

/** Reads and appends through one handle, which a link put there meanwhile cannot turn to another file. */
function ignoreExternalFolder(ignoreFile: string): void {
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  // Without O_NOFOLLOW, as on Windows, the check before this one stands alone.
  const handle = openSync(ignoreFile, O_RDWR | O_APPEND | O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o644);
  try {
    if (!fstatSync(handle).isFile()) throw noFile(ignoreFile);
    const text = readFileSync(handle, 'utf8');
    if (text.split(/\r?\n/).some((line) => line.trim() === IGNORE_LINE)) return;
    appendFileSync(handle, `${text === '' || text.endsWith('\n') ? '' : '\n'}${IGNORE_LINE}\n`);
  } finally {
    closeSync(handle);
  }
}

function noFile(path: string): KebabError<'io_error'> {
  const cause = 'is not a regular file';
  return new KebabError('io_error', `${path} ${cause}`, { details: { kind: 'EINVAL', path, cause } });
}

function isSameMedia(a: MediaType, b: MediaType): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
