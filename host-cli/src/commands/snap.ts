import { realpathSync } from 'node:fs';
import path from 'node:path';
import { platform } from 'node:process';
import {
  invalidInput,
  writeAtomically,
  isKebabError,
  printable,
  type CitedPicture,
  type Snap,
  type App,
  type ChunkId,
  type CitedQuery,
  type Open,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { atPlaceMeant } from '../command/place-meant-by.ts';
import { hitNumbered } from '../command/search-history.ts';
import { launchPlan, launchProgram } from '../io/launch.ts';
import type { Screen } from '../screen/screen.ts';

/** `kebab snap`: renders the page or image of a cited place into a PNG file. */
export async function snap(context: CommandContext): Promise<void> {
  const { values, signal } = context;
  const output = outputOf(values.text('output'));
  const app = await context.openApp();
  const query = await citedQueryOf(context, app);
  const options = { signal, maxPixels: values.number('max-pixels'), words: values.text('query') };
  const picture = await atPlaceMeant(query, { context, app }, (meant) => app.snap(meant, options));
  const file = context.absolute(output ?? defaultName(picture));
  writeNewFile(file, picture.png, { overwrite: values.has('force'), spare: [picture.file] });
  context.show(report(picture, file), renderSnap);
  noteWhatIsMissing(picture, { isChunk: query.kind === 'chunk', asksForWords: values.has('query') }, context);
}

/** Rejects `-`: no reader of stdout expects the bytes of a picture there. */
function outputOf(typed: string | undefined): string | undefined {
  if (typed !== '-' && typed !== '') return typed;
  throw invalidInput('a picture is written to a file, not to standard output', { field: '--output', value: typed });
}

function defaultName({ docPath, page }: CitedPicture): string {
  const { name } = path.posix.parse(docPath);
  return `${name}-${page === null ? 'snap' : `p${page}`}.png`;
}

function report({ width, height, docPath, uri, outlined, freshness }: CitedPicture, file: string): Snap {
  return { schema_version: 'snap.v1', path: file, width, height, doc_path: docPath, uri, outlined, freshness };
}

function noteWhatIsMissing(
  picture: CitedPicture,
  { isChunk, asksForWords }: { readonly isChunk: boolean; readonly asksForWords: boolean },
  context: CommandContext,
): void {
  const { outlined, freshness } = picture;
  const lacksFrame = isChunk && !outlined;
  if (freshness === 'changed') {
    const frame = lacksFrame ? ', without a frame: the text may be elsewhere now' : '';
    context.note(`notice: the file changed since it was ingested; this is how it is now${frame}`);
  } else if (picture.lacksReading)
    context.note(
      'notice: OCR read this page, but the positions of its words are not stored for the current settings, so there is no frame. ' +
        'Reading it again keeps it: kebab ingest --force-reingest with ocr.engine set',
    );
  else if (lacksFrame) context.note('notice: the position of this chunk in the picture is not known');
  if (asksForWords && picture.marked === 0 && !picture.lacksReading)
    context.note('notice: none of the words of --query is in this picture');
}

/** How a file is written. */
export interface WriteOptions {
  /** Whether an existing file may be replaced. */
  readonly overwrite: boolean;
  /** Absolute paths of files that are never replaced, under any name. */
  readonly spare: readonly string[];
}

/**
 * Writes a file atomically: a reader sees no file, the old content, or all of the new. Throws `invalid_input` for an existing file that may
 * not be replaced; other errors of the file system pass through.
 */
export function writeNewFile(file: string, bytes: Uint8Array, { overwrite, spare }: WriteOptions): void {
  const real = realPathOf(file);
  if (real !== null && spare.some((one) => realPathOf(one) === real))
    throw taken(file, 'is the document itself', 'give another name with --output');
  if (real !== null && !overwrite) throw alreadyThere(file);
  try {
    realpathSync(path.dirname(file)); // a missing folder is probably a typo
    writeAtomically(file, bytes, { replace: overwrite });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyThere(file);
    throw Object.assign(error as Error, { path: file }); // not the path of the temporary file or the folder
  }
}

function realPathOf(file: string): string | null {
  try {
    return realpathSync(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function errorCode(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}

function alreadyThere(file: string): Error {
  return taken(file, 'is there already', 'replace it with --force, or give another name with --output');
}

function taken(file: string, why: string, hint: string): Error {
  return invalidInput(`${file} ${why}`, { field: '--output', value: file, hint });
}

/** The file of the picture, its size and the place that it shows. */
function renderSnap(drawn: Snap, { colors }: Screen): string {
  return `${printable(drawn.path)}\n${colors.dim(`${drawn.width} × ${drawn.height}  ${printable(drawn.uri)}`)}\n`;
}

/** Six or more hex digits are a chunk id if there is one with that prefix; otherwise `facade` may be the name of a file. */
const CHUNK_ID = /^[0-9a-f]{6,32}$/i;

/** The place that the argument `URI|CHUNK_ID` names. */
export async function citedQueryOf(context: CommandContext, app: App): Promise<CitedQuery> {
  const { values } = context;
  const typed = values.arg('URI|CHUNK_ID');
  const source = values.text('source');
  if (!CHUNK_ID.test(typed)) return { kind: 'uri', uri: hitNumbered(context, typed) ?? typed, source };
  if (source !== undefined)
    throw invalidInput('--source goes with a URI: a chunk id already determines its source', { field: '--source' });
  try {
    return { kind: 'chunk', chunkId: (await app.resolveId('chunk', typed)) as ChunkId };
  } catch (error) {
    const document = isKebabError(error, 'chunk_not_found') ? await app.nameDocuments(typed) : null;
    if (document?.kind === 'document') return { kind: 'uri', uri: typed };
    throw error;
  }
}

const NOTICES = {
  changed: 'the file changed since it was ingested: the place may have moved',
  deleted: 'the file no longer exists',
} as const;

/** `kebab open`: prints the file and location of a citation, and with `--launch` opens it there. */
export async function open(context: CommandContext): Promise<void> {
  const { values, signal } = context;
  const app = await context.openApp();
  const query = await citedQueryOf(context, app);
  const place = await atPlaceMeant(query, { context, app }, (meant) => app.locate(meant, { signal }));
  if (values.has('launch')) {
    const plan = launchPlan(place, { platform, variable: (name) => context.variable(name) });
    const hasTerminal = context.io.stdin.isTerminal && context.io.stdout.isTerminal;
    await launchProgram(plan, place.path, { hasTerminal });
  }
  context.show(place, renderPlace);
  if (place.place !== undefined) context.note(`in the file: ${printable(place.place)}`);
  if (place.freshness !== 'fresh') context.note(`notice: ${NOTICES[place.freshness]}`);
}

/** The place in the form that terminals and editors recognise: `/notes/a.md:12`, `/papers/a.pdf#page=3`, `/photos/b.png`. */
function renderPlace({ path: file, line, page }: Open): string {
  const place = `${file}${line === null ? '' : `:${line}`}${page === null ? '' : `#page=${page}`}`;
  return `${printable(place)}\n`;
}
