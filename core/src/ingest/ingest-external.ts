import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import type { DocumentStore } from '../contracts/document-store.ts';
import { shellWord } from '../domain/printable.ts';
import { blake3Hex } from '../domain/blake3.ts';
import { extensionOf, type MediaType, mediaTypeOf, mediaTypeOfFile } from '../domain/media.ts';
import { workspacePathOf } from '../domain/uri.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError, type KebabError } from '../errors/kebab-error.ts';
import { makeOwnFolder } from '../files/own-folder.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { FileHints, IngestOptions, IngestPorts } from './ingest-context.ts';
import { performIngest } from './perform-ingest.ts';
import { externalSource, sourcesToWalk, type WalkedSource } from './run/scan-sources.ts';
import { oneFileConnector } from './scan/connectors.ts';
import { sizeLimit, skipByContent, skipBySize } from './scan/ignore-rules.ts';
import type { IngestReport } from '../wire/index.ts';

/**
 * Ingests one file. A file in a source is read in place. Any other file is copied to the data folder, and its document is kept until it is
 * removed there (`kebab rm`); ingesting the same bytes again gives the same document. Errors: `invalid_input` for a type that no extractor
 * reads or a file over the limits, `io_error`, `locked`.
 */
export async function ingestFile(ports: IngestPorts, path: string, options: IngestOptions = {}): Promise<IngestReport> {
  const absolute = resolve(path);
  const bytes = readWhole(absolute, path, ports.config.indexing.maxFileMb * BYTES_PER_MB);
  const fileName = basename(absolute);
  await check(ports, { path, fileName, bytes });
  const open = async (store: DocumentStore): Promise<readonly WalkedSource[]> => {
    const place = placeInSources(absolute, sourcesToWalk(ports.config, await store.indexedRoots(), undefined));
    return place === null ? keep(ports, { bytes, fileName, name: stemOf(fileName) }) : [place];
  };
  const hints = { title: null, fileName, origin: absolute };
  return performIngest(ports, { options, hints, open });
}

/** The bytes of a named file; one that is too large is rejected before it is read. */
function readWhole(absolute: string, path: string, maxBytes: number): Uint8Array {
  try {
    return readRegularFile(absolute, { maxBytes });
  } catch (error) {
    if (!isKebabError(error, 'io_error')) throw error;
    if (error.details.kind === 'EFBIG') throw unfit(path, tooLarge('indexing.max_file_mb'));
    const isFolder = statSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
    throw unfit(path, 'is not a file', isFolder ? `add a folder with \`kebab add ${shellWord(path)}\`` : undefined);
  }
}

const BYTES_PER_MB = 1_048_576;

function tooLarge(key: string): string {
  return `is larger than the configuration allows (${key})`;
}

/** The source that contains a file, restricted to that file; null when none does. */
function placeInSources(file: string, sources: ReturnType<typeof sourcesToWalk>): WalkedSource | null {
  const real = realpathSync(file);
  for (const source of sources) {
    if (source.connectorId !== 'fs') continue;
    const root = realRoot(source.root);
    const inside = root === null ? '..' : relative(root, real);
    if (inside === '..' || inside.startsWith(`..${sep}`) || inside.startsWith(sep)) continue;
    return { ...source, connector: oneFileConnector(workspacePathOf(inside.split(sep).join('/'))) };
  }
  return null;
}

function realRoot(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}

/** The metadata of a text from outside. */
export interface TextOrigin {
  readonly title: string;
  readonly sourceUri?: string | undefined;
}

/** Ingests a Markdown text in the same way. Its own front matter is kept; `title` then only fills in a missing title. */
export async function ingestText(
  ports: IngestPorts,
  text: TextOrigin & { readonly content: string },
  options: IngestOptions = {},
): Promise<IngestReport> {
  const { content, title, sourceUri } = text;
  if (title.trim() === '') throw invalidInput('a text needs a title', { field: 'title', value: title });
  if (content.trim() === '') throw invalidInput('the text is empty', { field: 'content', value: content });
  const bytes = Buffer.from(withFrontMatter(content, { title, sourceUri }), 'utf8');
  const hints: FileHints = { title, fileName: 'text.md', origin: sourceUri ?? null };
  await check(ports, { path: title, fileName: hints.fileName, bytes });
  const open = async (): Promise<readonly WalkedSource[]> =>
    keep(ports, { bytes, fileName: hints.fileName, name: title });
  return performIngest(ports, { options, hints, open });
}

/** Bytes from outside, with their metadata. */
interface Brought {
  readonly bytes: Uint8Array;
  /** Determines the medium, unless only the bytes do. */
  readonly fileName: string;
  /** The name that the name of the copy is derived from. */
  readonly name: string;
}

/** Stores a copy in the data folder, and returns the source restricted to that copy. */
function keep({ config }: Pick<IngestPorts, 'config'>, brought: Brought): readonly WalkedSource[] {
  const source = externalSource(config);
  const path = keepCopy(source.root, brought);
  return [{ ...source, connector: oneFileConnector(path) }];
}

async function check(
  { extractors, config }: Pick<IngestPorts, 'extractors' | 'config'>,
  { path, fileName, bytes }: { readonly path: string; readonly fileName: string; readonly bytes: Uint8Array },
): Promise<void> {
  const media = mediaTypeOfFile(fileName, bytes);
  if (!(await extractors.all()).some((extractor) => extractor.supports(media)))
    throw unfit(path, 'has a type that kebab does not read');
  const counter = skipBySize(bytes.length, media, config) ?? skipByContent(bytes, media, config);
  if (counter === 'size_exceeded') throw unfit(path, tooLarge(sizeLimit(media, config).key));
  if (counter !== null) throw unfit(path, 'is not text: it contains null characters');
}

function unfit(path: string, why: string, hint?: string): KebabError<'invalid_input'> {
  return invalidInput(`${path} ${why}`, { field: 'path', value: path, hint });
}

const OWN_FRONT_MATTER = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n(?:[\s\S]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/;

/** Puts front matter with title and origin before a Markdown text; a text that has its own is not changed. */
function withFrontMatter(text: string, { title, sourceUri }: TextOrigin): string {
  if (OWN_FRONT_MATTER.test(text)) return text;
  // A JSON string is also a YAML string, whatever it contains.
  const origin = sourceUri === undefined ? '' : `source_uri: ${JSON.stringify(sourceUri)}\n`;
  return `---\ntitle: ${JSON.stringify(title)}\n${origin}---\n\n${text.startsWith('\uFEFF') ? text.slice(1) : text}`;
}

/** Extensions for files whose medium is determined by their whole name or their first bytes. */
const FITTING_EXTENSIONS: readonly string[] = ['dockerfile', 'mk', 'pdf', 'png', 'jpg', 'gif', 'webp', 'tif'];
const HASH_DIGITS = 12;
const MAX_NAME = 60;

/**
 * Stores a copy of bytes and returns its workspace path: `<name>-<beginning of their hash>.<extension>`. The same bytes are stored once,
 * under the first name. Throws `invalid_input` for a type that no extension can express.
 */
export function keepCopy(root: string, { bytes, fileName, name }: Brought): string {
  const hash = blake3Hex(bytes).slice(0, HASH_DIGITS);
  const media = mediaTypeOfFile(fileName, bytes);
  const extension = [extensionOf(fileName), ...FITTING_EXTENSIONS].find((candidate) =>
    isSameMedia(mediaTypeOf(`${hash}.${candidate}`), media),
  );
  if (extension === undefined)
    throw unfit(fileName, 'has a type that only its file name shows, and a copy cannot keep that name');
  makeOwnFolder(root);
  const path =
    namesIn(root).find((candidate) => candidate.endsWith(`${hash}.${extension}`)) ??
    `${wordsOf(name)}${hash}.${extension}`;
  if (!holds(join(root, path), bytes)) writeAtomically(join(root, path), bytes, { flush: false, within: root });
  return path;
}

/** Converts the words of a title to a file name prefix, with a trailing hyphen; empty when it has no letter or digit. */
function wordsOf(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
  const short = Array.from(words.join('-')).slice(0, MAX_NAME).join('').replace(/-$/, '');
  return short === '' ? '' : `${short}-`;
}

function stemOf(fileName: string): string {
  const extension = extname(fileName);
  return extension === '' ? fileName : fileName.slice(0, -extension.length);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function holds(copy: string, bytes: Uint8Array): boolean {
  const kind = statSync(copy, { throwIfNoEntry: false });
  return (
    kind?.isFile() === true &&
    kind.size === bytes.length &&
    readRegularFile(copy, { maxBytes: bytes.length }).equals(bytes)
  );
}

function isSameMedia(a: MediaType, b: MediaType): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
