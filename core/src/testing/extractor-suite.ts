import assert from 'node:assert/strict';
import type { ExtractedDocument, Extractor, MediaMatch } from '../contracts/extractor.ts';
import { mediaTypeOf, type MediaType } from '../domain/media.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { silentCallContext } from './call-context.ts';
import { assertExtracted } from './check-extracted.ts';
import type { ContractCase, ContractSuite } from './contract-suite.ts';
import { assetFrom } from './document-from.ts';
import { hostileTexts } from './hostile-texts.ts';

/** One file for the suite: its path, which decides its media type, and its content. */
export interface ExtractorFixture {
  readonly path: string;
  /** A text stands for its UTF-8 bytes. */
  readonly content: string | Uint8Array;
  /** The number of characters of the text that are front matter; 0 by default. */
  readonly bodyStart?: number;
}

/** What {@link extractorSuite} needs. */
export interface ExtractorSuiteOptions {
  /** Makes a fresh extractor; it is called once for each case that needs its own. */
  readonly make: () => Extractor | Promise<Extractor>;
  /** At least one file for each kind of media or language that the extractor reads. */
  readonly fixtures: readonly ExtractorFixture[];
  /** `decoded`: the text is the file's own, decoded (the default); `derived`: it is read out of another format. */
  readonly text?: 'decoded' | 'derived';
  /** Reports of hostile text are checked for a path with this name; by default that of the first fixture. */
  readonly hostilePath?: string;
}

const PROBES = ['md', 'txt', 'pdf', 'png', 'mp3', 'rs', 'py', 'ts', 'go', 'yaml', 'sh', 'xyz', ''].map((extension) =>
  mediaTypeOf(`probe.${extension}`),
);

/** The promises of an {@link Extractor}: text, ranges, spans, hostile input, determinism, abort, and what it says of itself. */
export function extractorSuite(options: ExtractorSuiteOptions): ContractSuite {
  const hostilePath = options.hostilePath ?? options.fixtures[0]?.path ?? 'hostile.txt';
  return {
    contract: 'Extractor',
    cases: [
      ...selfCases(options),
      ...options.fixtures.flatMap((fixture) => fixtureCases(options, fixture)),
      ...hostileTexts().map(({ name, bytes }) => ({
        name: `survives ${name}`,
        run: () => survives(options, { path: hostilePath, content: bytes }),
      })),
    ],
  };
}

function selfCases({ make, fixtures }: ExtractorSuiteOptions): readonly ContractCase[] {
  return [
    {
      name: 'supports exactly what it lists, and every fixture',
      run: async () => {
        const extractor = await make();
        const media = fixtures.map(({ path }) => mediaTypeOf(path));
        assert.ok(media.length > 0, 'the suite is given fixtures');
        for (const type of media) assert.ok(extractor.supports(type), `supports ${JSON.stringify(type)}`);
        for (const type of [...media, ...PROBES])
          if (extractor.supports(type)) assert.ok(listed(extractor.match, type), `lists ${JSON.stringify(type)}`);
        for (const codeLang of extractor.match.codeLangs ?? [])
          assert.ok(extractor.supports({ kind: 'code', lang: codeLang }), `supports ${codeLang}, which it lists`);
      },
    },
    {
      name: 'labels its output and names a chunker for every fixture',
      run: async () => {
        const extractor = await make();
        for (const { path } of fixtures) {
          assert.match(extractor.parserVersion(mediaTypeOf(path)), /^[a-z0-9][a-z0-9-]*-v\d+$/);
          assert.match(extractor.chunkerId(mediaTypeOf(path)), /^\S+$/);
        }
      },
    },
    {
      name: 'has one fingerprint, whichever instance is asked',
      run: async () => {
        const [one, other] = [await make(), await make()];
        assert.ok(one.fingerprint().length > 0, 'the fingerprint says something');
        assert.equal(one.fingerprint(), one.fingerprint());
        assert.equal(one.fingerprint(), other.fingerprint());
        assert.ok(one.id.length > 0 && one.version.length > 0, 'it has an id and a version');
      },
    },
  ];
}

function fixtureCases(options: ExtractorSuiteOptions, fixture: ExtractorFixture): readonly ContractCase[] {
  return [
    { name: `keeps ranges, spans and text of ${fixture.path}`, run: () => keepsPromises(options, fixture) },
    {
      name: `gives the same for ${fixture.path} every time, in every instance`,
      run: async () => {
        const one = await options.make();
        const first = await extract(one, fixture);
        assert.deepEqual(await extract(one, fixture), first);
        assert.deepEqual(await extract(await options.make(), fixture), first);
      },
    },
    {
      name: `stops on ${fixture.path} when the signal has fired`,
      run: () => settlesAfterAbort(options, fixture),
    },
    {
      name: `survives ${fixture.path} cut off`,
      run: async () => {
        const bytes = bytesOf(fixture);
        for (const share of [0.1, 0.5, 0.9]) {
          const content = bytes.slice(0, Math.floor(bytes.length * share));
          await survives(options, { path: fixture.path, content }, { frontMatter: 'unknown' });
        }
        await survives(options, { ...fixture, content: bytes.slice(0, -1) });
      },
    },
  ];
}

/** A `KebabError` is a fair answer to hostile bytes; any other failure, or a broken promise, is not. */
async function survives(
  options: ExtractorSuiteOptions,
  fixture: ExtractorFixture,
  body?: { readonly frontMatter: 'unknown' },
): Promise<void> {
  try {
    await keepsPromises(options, fixture, body);
  } catch (error) {
    if (!isKebabError(error)) throw error;
  }
}

async function keepsPromises(
  options: ExtractorSuiteOptions,
  fixture: ExtractorFixture,
  body?: { readonly frontMatter: 'unknown' },
): Promise<void> {
  const extracted = await extract(await options.make(), fixture);
  if ((options.text ?? 'decoded') === 'decoded') assertSameText(extracted.text, decoded(bytesOf(fixture)));
  assert.ok(!/\r/.test(extracted.text), 'the text has no carriage return');
  const bodyStart = fixture.bodyStart ?? 0;
  assertExtracted(extracted, body === undefined ? bodyStart : (extracted.blocks[0]?.start ?? extracted.text.length));
  for (const { kind, note } of extracted.warnings ?? [])
    assert.ok(note.length > 0, `the warning ${kind} says what about`);
}

async function extract(extractor: Extractor, fixture: ExtractorFixture): Promise<ExtractedDocument> {
  const bytes = bytesOf(fixture);
  const copy = bytes.slice();
  const extracted = await extractor.extract({ asset: assetFrom(fixture.path, bytes), bytes }, silentCallContext());
  assert.ok(Buffer.compare(bytes, copy) === 0, 'the bytes it was given are as they were');
  return extracted;
}

/** Ten seconds stand for "never": the promise is a second, but the machine may be busy. */
async function settlesAfterAbort({ make }: ExtractorSuiteOptions, fixture: ExtractorFixture): Promise<void> {
  const extractor = await make();
  const bytes = bytesOf(fixture);
  const work = extractor
    .extract({ asset: assetFrom(fixture.path, bytes), bytes }, silentCallContext(AbortSignal.abort()))
    .then(
      () => 'settled',
      (error: unknown) => {
        if (!isAbort(error) && !isKebabError(error)) throw error;
        return 'settled';
      },
    );
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('still running'), 10_000);
  });
  try {
    assert.equal(await Promise.race([work, limit]), 'settled');
  } finally {
    clearTimeout(timer);
  }
}

/** A text of megabytes is not worth a report line by line. */
function assertSameText(text: string, expected: string): void {
  if (text === expected) return;
  let at = 0;
  while (text[at] === expected[at]) at++;
  const [found, wanted] = [text, expected].map((each) => JSON.stringify(each.slice(at, at + 40)));
  assert.fail(`the text is the decoded bytes: at ${at} it is ${found}, not ${wanted}`);
}

function listed(match: MediaMatch, media: MediaType): boolean {
  if (match.media?.includes(media.kind) === true) return true;
  if (media.kind === 'code') return match.codeLangs?.includes(media.lang) === true;
  return media.kind === 'other' && match.extensions?.includes(media.ext) === true;
}

function bytesOf({ content }: ExtractorFixture): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** The rule of §9.1, written apart from the product's own decoder. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const label =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(label)
    .decode(bytes)
    .split(/\r\n|\r/)
    .join('\n');
}
