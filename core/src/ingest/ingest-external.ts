import { appendFileSync, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { EXTERNAL_FOLDER } from '../documents/source-roots.ts';
import { blake3Hex } from '../domain/blake3.ts';
import { extensionOf, type MediaType, mediaTypeOf } from '../domain/media.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { refuseLinks, writeAtomically } from '../files/write-atomically.ts';
import type { IngestOptions, IngestPorts } from './ingest-context.ts';
import { performIngest } from './perform-ingest.ts';
import type { FileHints } from './run/file-task.ts';
import { externalSource, type WalkedSource } from './run/scan-sources.ts';
import { ExternalConnector } from './scan/connectors.ts';
import { skipByContent, skipBySize } from './scan/skip-rules.ts';
import type { IngestReport } from '../wire/index.ts';

/**
 * Takes in one file from outside the sources: its bytes are copied into the workspace, and the document stays until that copy
 * is removed. The same bytes again are the same document.
 * Errors: `invalid_input` for a type that nothing reads or a file over the limits, `io_error`, `locked`.
 */
export async function ingestFile(ports: IngestPorts, path: string, options: IngestOptions = {}): Promise<IngestReport> {
  const absolute = resolve(path);
  if (!statSync(absolute).isFile()) throw unfit(path, 'is not a file');
  const bytes = readFileSync(absolute);
  const hints = { title: null, fileName: basename(absolute), origin: absolute };
  await check(ports, { path, fileName: hints.fileName, bytes });
  return takeIn(ports, { bytes, hints, options });
}

/** What a text from outside is known by. */
export interface TextOrigin {
  readonly title: string;
  readonly sourceUri?: string | undefined;
}

/** The same for a Markdown text. Its own front matter stays as it is; `title` then only fills a missing title. */
export async function ingestText(
  ports: IngestPorts,
  text: TextOrigin & { readonly content: string },
  options: IngestOptions = {},
): Promise<IngestReport> {
  const { content, title, sourceUri } = text;
  if (title.trim() === '') throw invalidInput('a text needs a title', { field: 'title', value: title });
  const bytes = Buffer.from(withFrontMatter(content, { title, sourceUri }), 'utf8');
  const hints = { title, fileName: 'text.md', origin: sourceUri ?? null };
  await check(ports, { path: title, fileName: hints.fileName, bytes });
  return takeIn(ports, { bytes, hints, options });
}

async function takeIn(
  ports: IngestPorts,
  given: { readonly bytes: Uint8Array; readonly hints: FileHints; readonly options: IngestOptions },
): Promise<IngestReport> {
  const { bytes, hints, options } = given;
  const source = externalSource(ports.config);
  const open = async (): Promise<readonly WalkedSource[]> => {
    const name = externalName(bytes, hints.fileName);
    if (name === null)
      throw unfit(hints.fileName, 'has a type that only its name tells, and a copy cannot keep the name');
    keepExternalCopy(source.root, name, bytes);
    return [{ ...source, connector: new ExternalConnector({ folder: EXTERNAL_FOLDER, only: name }) }];
  };
  return performIngest(ports, { options, hints, open });
}

async function check(
  { extractors, config }: Pick<IngestPorts, 'extractors' | 'config'>,
  { path, fileName, bytes }: { readonly path: string; readonly fileName: string; readonly bytes: Uint8Array },
): Promise<void> {
  const media = mediaTypeOf(fileName);
  if (!(await extractors.all()).some((extractor) => extractor.supports(media)))
    throw unfit(path, 'has a type that kebab does not read');
  const limits = { ...config, code: { ...config.code, skipGenerated: false } };
  const counter = skipBySize(bytes.length, media, limits) ?? skipByContent(bytes, media, limits);
  if (counter === 'size_exceeded') throw unfit(path, 'is larger than the configuration allows');
  if (counter !== null) throw unfit(path, 'holds no text');
}

function unfit(path: string, why: string): KebabError<'invalid_input'> {
  return invalidInput(`${path} ${why}`, { field: 'path', value: path });
}

const OWN_FRONT_MATTER = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n(?:[\s\S]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/;

/** Puts front matter with title and origin before a Markdown text; one that has its own is left as it is. */
function withFrontMatter(text: string, { title, sourceUri }: TextOrigin): string {
  if (OWN_FRONT_MATTER.test(text)) return text;
  // A JSON string is a YAML string too, whatever it holds.
  const origin = sourceUri === undefined ? '' : `source_uri: ${JSON.stringify(sourceUri)}\n`;
  return `---\ntitle: ${JSON.stringify(title)}\n${origin}---\n\n${text.startsWith('\uFEFF') ? text.slice(1) : text}`;
}

/** Extensions for files whose whole name says their medium. */
const EXTENSION_OF_NAMED: readonly string[] = ['dockerfile', 'mk'];
const IGNORE_LINE = `${EXTERNAL_FOLDER}/`;

/**
 * The name under which a copy of bytes is kept: the beginning of their hash, and an extension that says the same medium
 * as the original name. Null when no extension does.
 */
function externalName(bytes: Uint8Array, originalName: string): string | null {
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
