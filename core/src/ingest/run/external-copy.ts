import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blake3Hex } from '../../domain/blake3.ts';
import { extensionOf, mediaTypeOf, type MediaType } from '../../domain/media.ts';
import { EXTERNAL_FOLDER } from '../external-folder.ts';

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
 * the line `_external/` is appended to the `.kebabignore` of the root. A copy that is there already is left alone.
 */
export function keepExternalCopy(root: string, name: string, bytes: Uint8Array): void {
  const folder = join(root, EXTERNAL_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const copy = join(folder, name);
  if (!existsSync(copy) || !readFileSync(copy).equals(bytes)) {
    const draft = `${copy}.${process.pid}.tmp`;
    writeFileSync(draft, bytes, { mode: 0o644 });
    renameSync(draft, copy);
  }
  ignoreExternalFolder(join(root, '.kebabignore'));
}

function ignoreExternalFolder(ignoreFile: string): void {
  const text = existsSync(ignoreFile) ? readFileSync(ignoreFile, 'utf8') : '';
  if (text.split(/\r?\n/).some((line) => line.trim() === IGNORE_LINE)) return;
  appendFileSync(ignoreFile, `${text === '' || text.endsWith('\n') ? '' : '\n'}${IGNORE_LINE}\n`, { mode: 0o644 });
}

function isSameMedia(a: MediaType, b: MediaType): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
