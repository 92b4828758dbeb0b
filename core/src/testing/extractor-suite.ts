import assert from 'node:assert/strict';
import { fingerprintOf } from '../domain/policy-hash.ts';
import type { MediaMatch, ExtractedDocument, Extractor } from '../contracts/extractor.ts';
import { mediaTypeOf, type MediaType } from '../domain/media.ts';
import { type ContractCase, type ContractSuite, withinLimit, silentCallContext } from './contract-suite.ts';
import { HOSTILE_TRAITS, hostileTexts, type HostileText } from './hostile-texts.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { assertExtracted } from './check-extracted.ts';
import { assetFrom } from './sample-documents.ts';

/** What {@link extractorSuite} needs. */
export interface ExtractorSuiteOptions extends ExtractorUnderTest {
  /** At least one file for each kind of media or language that the extractor reads; the first is also made large. */
  readonly fixtures: readonly ExtractorFixture[];
  /** Reports of hostile text are checked for a path with this name; by default that of the first fixture. */
  readonly hostilePath?: string;
  /** What it must survive; {@link hostileTexts} by default. */
  readonly hostile?: readonly HostileText[];
}

const PROBES = ['md', 'txt', 'pdf', 'png', 'mp3', 'rs', 'py', 'ts', 'go', 'yaml', 'sh', 'xyz', ''].map((extension) =>
  mediaTypeOf(`probe.${extension}`),
);

/** The promises of an `Extractor`: text, ranges, spans, hostile and large input, determinism, abort, what it says of itself. */
export function extractorSuite(options: ExtractorSuiteOptions): ContractSuite {
  const hostilePath = options.hostilePath ?? options.fixtures[0]?.path ?? 'hostile.txt';
  return {
    contract: 'Extractor',
    cases: [
      ...selfCases(options),
      ...options.fixtures.flatMap((fixture) => fixtureCases(options, fixture)),
      ...hostileCases(options, hostilePath),
      ...options.fixtures.slice(0, 1).flatMap((fixture) => largeInputCases(options, fixture)),
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
        assert.ok(fingerprintOf(one).length > 0, 'the fingerprint says something');
        assert.equal(fingerprintOf(one), fingerprintOf(one));
        assert.equal(fingerprintOf(one), fingerprintOf(other));
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
      run: async () => settlesAfterAbort(extract(await options.make(), fixture, AbortSignal.abort())),
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

/** One case for all texts of a trait: what they show together is one promise. */
function hostileCases(options: ExtractorSuiteOptions, path: string): readonly ContractCase[] {
  const all = options.hostile ?? hostileTexts();
  return HOSTILE_TRAITS.flatMap((trait) => {
    const texts = all.filter((text) => text.trait === trait);
    if (texts.length === 0) return [];
    const run = async (): Promise<void> => {
      for (const { name, bytes } of texts) await naming(name, () => survives(options, { path, content: bytes }));
    };
    return [{ name: `survives ${trait}`, run }];
  });
}

/** Fails as `check` fails, with the name of what it was about. */
async function naming(name: string, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function listed(match: MediaMatch, media: MediaType): boolean {
  if (match.media?.includes(media.kind) === true) return true;
  if (media.kind === 'code') return match.codeLangs?.includes(media.lang) === true;
  return media.kind === 'other' && match.extensions?.includes(media.ext) === true;
}

const LARGE_BYTES = 50 * 2 ** 20;
/** Enough to be at work when the signal fires. */
const STOPPED_BYTES = 8 * 2 ** 20;
/** A guard, not a measure; kebab itself gives an extractor 120 s by default (`indexing.extract_timeout_s`). */
const HANG_MS = 100_000;
/** Long enough for an extractor that takes time to be at work. */
const AT_WORK_MS = 50;

/**
 * What an extractor promises of large files: it reads or refuses fifty megabytes, and stops in the middle of a file when
 * the signal fires. One that works in one go is done before any signal can reach it: what stops that one is kebab, which
 * ends its thread.
 */
export function largeInputCases(tested: ExtractorUnderTest, fixture: ExtractorFixture): readonly ContractCase[] {
  return [
    {
      name: `reads or refuses fifty megabytes of ${fixture.path}`,
      run: async () => {
        const ended = new AbortController();
        const large = enlarged(fixture, LARGE_BYTES);
        const work = survives(tested, large, { signal: ended.signal });
        try {
          await withinLimit(work, HANG_MS);
        } finally {
          ended.abort();
        }
      },
    },
    {
      name: `stops in the middle of megabytes of ${fixture.path}`,
      run: async () => {
        const extractor = await tested.make();
        const large = enlarged(fixture, STOPPED_BYTES);
        const ended = new AbortController();
        const timer = setTimeout(() => ended.abort(), AT_WORK_MS);
        try {
          await settlesAfterAbort(extract(extractor, large, ended.signal));
        } finally {
          clearTimeout(timer);
        }
      },
    },
  ];
}

const STRUCTURED_CHARS = 2 ** 14;
const PARAGRAPH_CHARS = 2 ** 14;

/**
 * A file of `size` bytes made of a fixture. A text is repeated as it is at first; then come its words in long paragraphs, for
 * millions of headings would take minutes and show nothing that thousands do not. Bytes are repeated as they are.
 */
function enlarged({ path, content, bodyStart = 0 }: ExtractorFixture, size: number): ExtractorFixture {
  if (typeof content !== 'string')
    return { path, content: Buffer.alloc(size, content.length === 0 ? '\0' : content), bodyStart };
  const body = `${content.slice(bodyStart)}\n`;
  const words = `${(body.match(/[\p{L}\p{N}]+/gu) ?? ['none']).join(' ')} `;
  const large = Buffer.alloc(size, `${words.repeat(Math.ceil(PARAGRAPH_CHARS / words.length))}\n\n`);
  large.write(`${body.repeat(Math.ceil(STRUCTURED_CHARS / body.length))}\n`);
  return { path, content: large };
}

/** One file for the suite: its path, which decides its media type, and its content. */
export interface ExtractorFixture {
  readonly path: string;
  /** A text stands for its UTF-8 bytes. */
  readonly content: string | Uint8Array;
  /** The number of characters of the text that are front matter; 0 by default. */
  readonly bodyStart?: number;
}

/** The extractor of a case, and how its text comes about. */
interface ExtractorUnderTest {
  /** Makes a fresh extractor; it is called once for each case that needs its own. */
  readonly make: () => Extractor | Promise<Extractor>;
  /** `decoded`: the text is the file's own, decoded (the default); `derived`: it is read out of another format. */
  readonly text?: 'decoded' | 'derived';
}

/** How a file of a case is read. */
interface Reading {
  /** Where its body begins is not known. */
  readonly frontMatter?: 'unknown';
  readonly signal?: AbortSignal;
}

/** Ten seconds stand for "never": the promise is a second, but the machine may be busy. */
const NEVER_MS = 10_000;

/** Fails when an extractor breaks a promise on a file. A `KebabError` is a fair answer to it; any other failure is not. */
async function survives(tested: ExtractorUnderTest, fixture: ExtractorFixture, reading: Reading = {}): Promise<void> {
  try {
    await keepsPromises(tested, fixture, reading);
  } catch (error) {
    if (!isKebabError(error)) throw error;
  }
}

/** Fails when an extractor breaks a promise on a file, or does not read it. */
async function keepsPromises(
  tested: ExtractorUnderTest,
  fixture: ExtractorFixture,
  { frontMatter, signal }: Reading = {},
): Promise<void> {
  const extracted = await extract(await tested.make(), fixture, signal);
  if ((tested.text ?? 'decoded') === 'decoded') assertSameText(extracted.text, decoded(bytesOf(fixture)));
  assert.ok(!/\r/.test(extracted.text), 'the text has no carriage return');
  const firstBlock = extracted.blocks[0]?.start ?? extracted.text.length;
  assertExtracted(extracted, frontMatter === 'unknown' ? firstBlock : (fixture.bodyStart ?? 0));
  for (const { kind, note } of extracted.warnings ?? [])
    assert.ok(note.length > 0, `the warning ${kind} says what about`);
}

/** What an extractor makes of a file. Fails when it changes the bytes that it was given. */
async function extract(
  extractor: Extractor,
  fixture: ExtractorFixture,
  signal?: AbortSignal,
): Promise<ExtractedDocument> {
  const bytes = bytesOf(fixture);
  const copy = new Uint8Array(bytes); // `slice` of a Buffer would be the same bytes
  const extracted = await extractor.extract(
    { asset: assetFrom(fixture.path, bytes), bytes },
    silentCallContext(signal),
  );
  assert.ok(Buffer.compare(bytes, copy) === 0, 'the bytes it was given are as they were');
  return extracted;
}

/** Fails unless work whose signal has fired ends: as an abort, as a `KebabError`, or because it was done already. */
async function settlesAfterAbort(work: Promise<unknown>): Promise<void> {
  try {
    await withinLimit(work, NEVER_MS);
  } catch (error) {
    if (!isAbort(error) && !isKebabError(error)) throw error;
  }
}

/** The bytes of a file for the suite. */
function bytesOf({ content }: ExtractorFixture): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** A text of megabytes is not worth a report line by line. */
function assertSameText(text: string, expected: string): void {
  if (text === expected) return;
  let at = 0;
  while (text[at] === expected[at]) at++;
  const [found, wanted] = [text, expected].map((each) => JSON.stringify(each.slice(at, at + 40)));
  assert.fail(`the text is the decoded bytes: at ${at} it is ${found}, not ${wanted}`);
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
