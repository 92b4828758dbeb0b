import path from 'node:path';
import { invalidInput, type CitedPicture, type WireObjects } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { citedQueryOf } from './cited-query.ts';

/** `kebab snap`: draws the page or image of a cited place into a PNG file. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const output = outputOf(values.text('output'));
  const maxPixels = values.number('max-pixels');
  const app = await context.openApp();
  const query = await citedQueryOf(context, app);
  const picture = await app.snap(query, { signal, ...(maxPixels === undefined ? {} : { maxPixels }) });
  const file = context.absolute(output ?? defaultName(picture));
  const { writeNewFile } = await import('../io/write-new-file.ts');
  writeNewFile(file, picture.png, { overwrite: values.has('force'), spare: [picture.file] });
  await context.show(report(picture, file), async () => (await import('../render/snap.ts')).renderSnap);
  tellWhatIsMissing(picture, query.kind === 'chunk', context);
  return EXIT.ok;
}

/** A picture among the data on stdout would be bytes that no reader of the output expects. */
function outputOf(typed: string | undefined): string | undefined {
  if (typed !== '-' && typed !== '') return typed;
  throw invalidInput('a picture is written to a file, not to standard output', { field: '--output', value: typed });
}

function defaultName({ docPath, page }: CitedPicture): string {
  const { name } = path.posix.parse(docPath);
  return `${name}-${page === null ? 'snap' : `p${page}`}.png`;
}

function report({ width, height, docPath, uri, outlined, freshness }: CitedPicture, file: string): WireObjects['snap'] {
  return { schema_version: 'snap.v1', path: file, width, height, doc_path: docPath, uri, outlined, freshness };
}

function tellWhatIsMissing({ outlined, freshness }: CitedPicture, isChunk: boolean, context: CommandContext): void {
  const lacksFrame = isChunk && !outlined;
  if (freshness === 'changed') {
    const frame = lacksFrame ? ', without a frame: the text may stand elsewhere now' : '';
    context.tell(`notice: the file changed since it was ingested; this is how it is now${frame}`);
  } else if (lacksFrame) context.tell('notice: where the text of this chunk stands in the picture is not known');
}
