// Reading what was indexed: lists, inspections, fetches, places, pictures.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

const SPECIAL_PATHS = [
  'odd/structures.md',
  'odd/crlf.md',
  'odd/bom.md',
  'odd/utf16.txt',
  'odd/emoji 🌯 kebab.md',
  'odd/empty.md',
  'big/long-list.md',
  'web/src/search.ts',
  'kebab_eval/long.py',
  'papers/multicolumn.pdf',
  'papers/ko-page-hclt-p5-worn-scan.pdf',
  'pictures/phototest.tif',
];

/** Every document in `list docs`. */
export async function documentsOf(world) {
  const { stdout } = await world.run(['list', 'docs', '--json']);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Lists, with and without filters. */
export async function recordLists(recorder, world) {
  const filters = [
    [],
    ['--media', 'code'],
    ['--media', 'pdf,image'],
    ['--tag', 'rust'],
    ['--lang', 'ko'],
    ['--source', 'code', '--code-lang', 'python'],
    ['--path-glob', 'odd/**'],
    ['--path-glob', 'ODD/**'],
    ['--trust-min', 'secondary'],
    ['--source-type', 'paper'],
    ['--repo', 'samples', '--media', 'markdown'],
    ['--ingested-after', '2199-01-01'],
    ['--media', 'film'],
    ['--colour', 'red'],
  ];
  await Promise.all(
    filters.map((flags, i) => recorder.cli(world, 'list docs', ['list', 'docs', ...flags], { human: i !== 0 })),
  );
}

/** Blocks, chunks, metadata and provenance of every document. */
export async function recordInspections(recorder, world, documents) {
  const inspected = await Promise.all(
    documents.map(async ({ doc_id: id, doc_path: path, source_id: source }) => {
      const name = `${source}: ${path}`;
      const human = SPECIAL_PATHS.includes(path);
      const [inspection] = await recorder.cli(world, 'inspect doc', ['inspect', 'doc', id], { name, human });
      return { path, source, inspection };
    }),
  );
  const special = inspected.filter(({ path }) => SPECIAL_PATHS.includes(path));
  await Promise.all(
    special.flatMap(({ path, inspection }) =>
      (inspection?.chunk_ids ?? [])
        .slice(0, 3)
        .map((id, n) =>
          recorder.cli(world, 'inspect chunk', ['inspect', 'chunk', id], { name: `${path} ${n}`, human: n === 0 }),
        ),
    ),
  );
  return new Map(inspected.map(({ path, source, inspection }) => [`${source}: ${path}`, inspection]));
}

/** Chunks, documents, lines and URIs, with context and budgets. */
export async function recordFetches(recorder, world, inspections) {
  const of = (path) => inspections.get(path);
  const docId = (path) => of(path)?.summary?.doc_id ?? '0'.repeat(32);
  const chunkId = (path, n) => of(path)?.chunk_ids?.at(n) ?? '0'.repeat(32);
  const calls = [
    ...['default: odd/structures.md', 'default: papers/multicolumn.pdf', 'code: web/src/search.ts'].flatMap((path) => [
      { name: `first chunk of ${path}`, args: ['chunk', chunkId(path, 0)] },
      { name: `second chunk of ${path} with context 1`, args: ['chunk', chunkId(path, 1), '--context', '1'] },
      { name: `last chunk of ${path} with context 50`, args: ['chunk', chunkId(path, -1), '--context', '50'] },
    ]),
    { name: 'chunk by its first digits', args: ['chunk', chunkId('default: odd/structures.md', 0).slice(0, 10)] },
    ...['odd/structures.md', 'odd/crlf.md', 'odd/cr.txt', 'odd/utf16.txt', 'odd/empty.md', 'odd/control.md'].map(
      (path) => ({
        name: `document ${path}`,
        args: ['doc', docId(`default: ${path}`)],
      }),
    ),
    { name: 'document with a budget', args: ['doc', docId('default: commonmark/spec.txt'), '--max-tokens', '50'] },
    {
      name: 'document, Korean, with a budget',
      args: ['doc', docId('default: odd/emoji 🌯 kebab.md'), '--max-tokens', '3'],
    },
    { name: 'document with a budget of 0', args: ['doc', docId('default: odd/bom.md'), '--max-tokens', '0'] },
    ...[
      ['1', '3'],
      ['3', '3'],
      ['5', '9999'],
      ['9000', '9001'],
      ['0', '2'],
      ['4', '2'],
      ['one', 'two'],
    ].map(([start, end]) => ({
      name: `lines ${start} to ${end} of odd/structures.md`,
      args: ['span', docId('default: odd/structures.md'), start, end],
    })),
    {
      name: 'lines with a budget',
      args: ['span', docId('default: odd/structures.md'), '1', '40', '--max-tokens', '20'],
    },
    { name: 'lines of a PDF', args: ['span', docId('default: papers/multicolumn.pdf'), '1', '2'] },
    { name: 'lines of an image', args: ['span', docId('default: pictures/phototest.tif'), '1', '2'] },
    { name: 'lines of an empty document', args: ['span', docId('default: odd/empty.md'), '1', '2'] },
  ];
  await Promise.all([
    ...calls.map(({ name, args }) => recorder.cli(world, 'fetch', ['fetch', ...args], { name, human: true })),
    ...uris().map((args) => recorder.cli(world, 'fetch', ['fetch', 'uri', ...args], { human: true })),
  ]);
}

function uris() {
  return [
    ['odd/structures.md#L1-L4'],
    ['odd/structures.md#L7'],
    ['odd/structures.md'],
    ['odd/100%25 sure %231.md#L1-L3'],
    ['odd/100% sure #1.md#L1'],
    ['odd/with spaces and (brackets) [1].md#L3'],
    ['odd/한글 파일.md#L1-L3'],
    ['odd/한글 파일.md#L1-L3'.normalize('NFD')],
    ['papers/multicolumn.pdf#p=2'],
    ['papers/multicolumn.pdf#p=2', '--max-tokens', '30'],
    ['papers/multicolumn.pdf#p=99'],
    ['papers/multicolumn.pdf#L1'],
    ['pictures/phototest.tif#xywh=0,0,10,10'],
    ['pictures/phototest.tif#caption'],
    ['odd/structures.md#t=00:00:01.000,00:00:02.000'],
    ['web/src/search.ts#L20-L30'],
    ['web/src/search.ts#L20-L30', '--source', 'code'],
    ['web/src/search.ts#L20-L30', '--source', 'default'],
    ['web/src/search.ts#L20-L30', '--source', 'nowhere'],
    ['README.md#L1'],
    ['README.md#L1', '--source', 'code'],
    ['odd/structures.md#L0'],
    ['odd/structures.md#L5-L2'],
    ['odd/structures.md#L99999'],
    ['odd/structures.md#wrong'],
    ['../../etc/passwd#L1'],
    ['/etc/passwd'],
    ['nowhere/at-all.md#L1'],
    [''],
  ];
}

/** The locations of cited places, and pictures of them. */
export async function recordPlaces(recorder, world, inspections) {
  const page = inspections.get('default: papers/multicolumn.pdf')?.chunk_ids?.[1] ?? 'none';
  const places = [
    'odd/structures.md#L7',
    'papers/multicolumn.pdf#p=2',
    'pictures/line.jpg',
    'web/src/search.ts#L20',
    'nowhere.md',
  ];
  await Promise.all(places.map((uri) => recorder.cli(world, 'open', ['open', uri], { human: true })));
  await recorder.cli(world, 'open', ['open', page], { name: 'a chunk of a PDF', human: true });
  const pictures = [
    { name: 'a page', uri: 'papers/multicolumn.pdf#p=2', flags: ['--max-pixels', '400'] },
    { name: 'a chunk', uri: page, flags: ['--max-pixels', '300'] },
    { name: 'an image', uri: 'pictures/line.jpg', flags: [] },
    { name: 'a Markdown file', uri: 'odd/structures.md#L7', flags: [] },
    { name: 'a page that is not there', uri: 'papers/multicolumn.pdf#p=77', flags: [] },
  ];
  for (const { name, uri, flags } of pictures) {
    const output = world.at('work', `${name.replaceAll(' ', '-')}.png`);
    await recorder.cli(world, 'snap', ['snap', uri, '-o', output, ...flags], { name });
    const digest = existsSync(output) ? createHash('sha256').update(readFileSync(output)).digest('hex') : null;
    recorder.keep('snap', `${name}, its bytes`, digest);
  }
  const again = ['snap', 'pictures/line.jpg', '-o', world.at('work', 'an-image.png')];
  await recorder.cli(world, 'snap', again, { name: 'over a file that is there', human: true });
  await recorder.cli(world, 'snap', [...again, '--force'], { name: 'over a file, by force' });
  await recorder.cli(world, 'snap', ['snap', 'pictures/line.jpg', '-o', '-'], { name: 'to standard output' });
}
