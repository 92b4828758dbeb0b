import assert from 'node:assert/strict';
import {
  decodeText,
  type MediaMatch,
  type ExtractedDocument,
  type Extractor,
  mediaTypeOf,
  type MediaType,
  isAbort,
  isKebabError,
} from '@kebab/core';
import {
  assertIdentified,
  casesOn,
  type ContractCase,
  type ContractSuite,
  naming,
  silentCallContext,
  soon,
  withinLimit,
} from './contract-suite.ts';
import { HOSTILE_TRAITS, hostileTexts, type HostileText } from './hostile-texts.ts';
import { assertExtracted } from './check-extracted.ts';
import { bytesOf, extractFile, placeOf } from './sample-documents.ts';

/** Options of {@link extractorSuite}. */
export interface ExtractorSuiteOptions extends ExtractorUnderTest {
  /** At least one file for each kind of media or language that the extractor reads; the first is also enlarged. */
  readonly fixtures: readonly ExtractorFixture[];
  /** The path of hostile texts; by default that of the first fixture. */
  readonly hostilePath?: string;
  /** The texts it must survive; {@link hostileTexts} by default. */
  readonly hostile?: readonly HostileText[];
  /** Whether it must read or reject files of many megabytes; true by default. A kit tests that once for all plugins that read with it. */
  readonly hasLargeFiles?: boolean;
}

const PROBES = ['md', 'txt', 'pdf', 'png', 'mp3', 'rs', 'py', 'ts', 'go', 'yaml', 'sh', 'xyz', ''].map((extension) =>
  mediaTypeOf(`probe.${extension}`),
);

/** The contract suite of an `Extractor`: text, ranges, spans, hostile and large input, determinism, abort, its declarations. */
export function extractorSuite(options: ExtractorSuiteOptions): ContractSuite {
  const hostilePath = options.hostilePath ?? options.fixtures[0]?.path ?? 'hostile.txt';
  return {
    contract: 'Extractor',
    cases: [
      ...selfCases(options),
      ...options.fixtures.flatMap((fixture) => fixtureCases(options, fixture)),
      ...hostileCases(options, hostilePath),
      ...(options.hasLargeFiles === false ? [] : options.fixtures.slice(0, 1)).flatMap((fixture) =>
        largeInputCases(options, fixture),
      ),
    ],
  };
}

function selfCases({ make, fixtures }: ExtractorSuiteOptions): readonly ContractCase[] {
  const promise = casesOn(make);
  return [
    promise('supports exactly what it lists, and every fixture', (extractor) => {
      const media = fixtures.map(({ path }) => mediaTypeOf(path));
      assert.ok(media.length > 0, 'the suite is given fixtures');
      for (const type of media) assert.ok(extractor.supports(type), `supports ${JSON.stringify(type)}`);
      for (const type of [...media, ...PROBES])
        if (extractor.supports(type)) assert.ok(listed(extractor.match, type), `lists ${JSON.stringify(type)}`);
      for (const codeLang of extractor.match.codeLangs ?? [])
        assert.ok(extractor.supports({ kind: 'code', lang: codeLang }), `supports ${codeLang}, which it lists`);
    }),
    promise('labels its output and names a chunker for every fixture', (extractor) => {
      for (const { path } of fixtures) {
        assert.match(extractor.parserVersion(mediaTypeOf(path)), /^[a-z0-9][a-z0-9-]*-v\d+$/);
        assert.match(extractor.chunkerId(mediaTypeOf(path)), /^\S+$/);
      }
    }),
    promise('has the same fingerprint in every instance', async (one) => assertIdentified(one, await make())),
  ];
}

function fixtureCases(options: ExtractorSuiteOptions, fixture: ExtractorFixture): readonly ContractCase[] {
  const promise = casesOn(options.make);
  const { path, passages } = fixture;
  const bytes = bytesOf(fixture.content);
  const cutTo = (share: number): ExtractorFixture => {
    return { path, content: bytes.slice(0, Math.floor(bytes.length * share)) };
  };
  return [
    { name: `keeps ranges, spans and text of ${path}`, run: () => keepsPromises(options, fixture) },
    promise(`extracts ${path} deterministically, in every instance`, async (one) => {
      const first = await extract(one, fixture);
      assert.deepEqual(await extract(one, fixture), first);
      assert.deepEqual(await extract(await options.make(), fixture), first);
    }),
    ...(passages === undefined
      ? []
      : [
          promise(`finds the passages of ${path}, each in its place`, async (extractor) =>
            assertPassages(await extract(extractor, fixture), passages),
          ),
        ]),
    promise(`extracts ${path} alike after a damaged file, and while another is read`, async (extractor) => {
      const damaged = { ...fixture, ...cutTo(0.4) };
      const first = await extract(extractor, fixture);
      await settled(extract(extractor, damaged));
      assert.deepEqual(await extract(extractor, fixture), first, 'nothing of a file is left for the next one');
      const [, again] = await Promise.all([
        settled(extract(extractor, damaged)),
        extract(extractor, fixture),
        settled(extract(extractor, damaged)),
      ]);
      assert.deepEqual(again, first, 'files read at the same time share nothing');
    }),
    promise(`stops on ${path} when the signal has fired`, (extractor) =>
      settlesAfterAbort(extract(extractor, fixture, AbortSignal.abort())),
    ),
    {
      name: `survives ${path} cut off`,
      run: async () => {
        for (const share of [0.1, 0.5, 0.9]) await survives(options, cutTo(share), { frontMatter: 'unknown' });
        await survives(options, { ...fixture, content: bytes.slice(0, -1) });
      },
    },
  ];
}

function assertPassages({ text, blocks }: ExtractedDocument, passages: Readonly<Record<string, string>>): void {
  for (const [phrase, place] of Object.entries(passages)) {
    const at = text.indexOf(phrase);
    assert.ok(at !== -1, `${JSON.stringify(phrase)} is not in the text`);
    const block = blocks.find(({ start, end }) => start <= at && at < end);
    assert.ok(block !== undefined, `${JSON.stringify(phrase)} is in no block`);
    const cited = placeOf(block.sourceSpan);
    assert.equal(cited, place, `${JSON.stringify(phrase)} is cited as "${cited}" instead of "${place}"`);
  }
}

/** Waits for work whose outcome does not matter. */
async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}

/** One case for all texts of a trait, which together test one promise. */
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

function listed(match: MediaMatch, media: MediaType): boolean {
  if (match.media?.includes(media.kind) === true) return true;
  if (media.kind === 'code') return match.codeLangs?.includes(media.lang) === true;
  return media.kind === 'other' && match.extensions?.includes(media.ext) === true;
}

/** Enough to be in progress when the signal fires, and for quadratic work to take minutes; fifty megabytes fill gigabytes of memory. */
const LARGE_BYTES = 8 * 2 ** 20;
/** A guard, not a measurement; kebab itself gives an extractor 120 s by default (`indexing.extract_timeout_s`). */
const HANG_MS = 100_000;
/** Long enough for an asynchronous extractor to be in progress. */
const AT_WORK_MS = 50;

/**
 * The promises about large files: an extractor reads or rejects many megabytes, and stops in the middle of a file when the signal fires. A
 * synchronous extractor finishes before any signal can reach it; kebab stops that one by ending its thread.
 */
export function largeInputCases(
  tested: ExtractorUnderTest,
  fixture: ExtractorFixture,
  largeBytes = LARGE_BYTES,
): readonly ContractCase[] {
  return [
    {
      name: `reads or rejects many megabytes of ${fixture.path}`,
      run: async () => {
        const ended = new AbortController();
        const large = enlarged(fixture, largeBytes);
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
        const large = enlarged(fixture, largeBytes);
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

/** The length of the part with structure, and of each paragraph after it. */
const PART_CHARS = 2 ** 14;

/**
 * A file of `size` bytes built from a fixture. A text is first repeated unchanged; then its words follow in long paragraphs, because
 * millions of headings would take minutes and test nothing that thousands do not. Bytes are repeated unchanged.
 */
function enlarged({ path, content, bodyStart = 0 }: ExtractorFixture, size: number): ExtractorFixture {
  if (typeof content !== 'string')
    return { path, content: Buffer.alloc(size, content.length === 0 ? '\0' : content), bodyStart };
  const body = `${content.slice(bodyStart)}\n`;
  const words = `${(body.match(/[\p{L}\p{N}]+/gu) ?? ['none']).join(' ')} `;
  const large = Buffer.alloc(size, `${words.repeat(Math.ceil(PART_CHARS / words.length))}\n\n`);
  large.write(`${body.repeat(Math.ceil(PART_CHARS / body.length))}\n`);
  return { path, content: large };
}

/** One file for the suite: its path, which determines its media type, and its content. */
export interface ExtractorFixture {
  readonly path: string;
  /** A string is encoded in UTF-8. */
  readonly content: string | Uint8Array;
  /** The number of characters of front matter in the text; 0 by default. */
  readonly bodyStart?: number;
  /**
   * Phrases of the text, each with the place of its block as citations name it: `{ 'Rain.': 'entry=1' }`, `section=monday`, `page=2`, `L3-L4`
   * for lines. Name the last passage, which is lost most easily, and one after characters outside ASCII.
   */
  readonly passages?: Readonly<Record<string, string>>;
}

/** The extractor of a case, and the origin of its text. */
interface ExtractorUnderTest {
  /** Creates a fresh extractor; called once per case that needs its own. */
  readonly make: () => Extractor | Promise<Extractor>;
  /** `decoded`: the text is the decoded file (the default); `derived`: it is extracted from another format. */
  readonly text?: 'decoded' | 'derived';
}

/** How a file of a case is read. */
interface Reading {
  /** The start of its body is unknown. */
  readonly frontMatter?: 'unknown';
  readonly signal?: AbortSignal;
}

/** Fails when an extractor breaks its contract on a file. It may throw a `KebabError`, but no other error. */
async function survives(tested: ExtractorUnderTest, fixture: ExtractorFixture, reading: Reading = {}): Promise<void> {
  try {
    await keepsPromises(tested, fixture, reading);
  } catch (error) {
    if (!isKebabError(error)) throw error;
  }
}

/** Fails when an extractor breaks its contract on a file, or does not read it. */
async function keepsPromises(
  tested: ExtractorUnderTest,
  fixture: ExtractorFixture,
  { frontMatter, signal }: Reading = {},
): Promise<void> {
  const extractor = await tested.make();
  const extracted = await extract(extractor, fixture, signal);
  for (const { sourceSpan } of extractor.spans === undefined ? [] : extracted.blocks)
    assert.ok(extractor.spans?.includes(sourceSpan.kind), `its spans include ${sourceSpan.kind}`);
  if ((tested.text ?? 'decoded') === 'decoded') await assertDecoded(extracted.text, bytesOf(fixture.content));
  assert.ok(!/\r/.test(extracted.text), 'the text has no carriage return');
  const firstBlock = extracted.blocks[0]?.start ?? extracted.text.length;
  assertExtracted(extracted, frontMatter === 'unknown' ? firstBlock : (fixture.bodyStart ?? 0));
  for (const { kind, note } of extracted.warnings ?? []) assert.ok(note.length > 0, `the warning ${kind} has a note`);
}

/** The result of an extractor for a file. Fails when it modifies the bytes that it received. */
async function extract(
  extractor: Extractor,
  fixture: ExtractorFixture,
  signal?: AbortSignal,
): Promise<ExtractedDocument> {
  const bytes = bytesOf(fixture.content);
  const copy = new Uint8Array(bytes); // `slice` of a Buffer would share its memory
  const extracted = await extractFile(extractor, fixture.path, bytes, silentCallContext(signal));
  assert.ok(Buffer.compare(bytes, copy) === 0, 'the input bytes are unchanged');
  return extracted;
}

/** Fails unless work whose signal has fired settles: as an abort, as a `KebabError`, or because it had already finished. */
async function settlesAfterAbort(work: Promise<unknown>): Promise<void> {
  try {
    await soon(work);
  } catch (error) {
    if (!isAbort(error) && !isKebabError(error)) throw error;
  }
}

/** Bytes in an undeclared encoding may be read as U+FFFD, or as `decodeText` reads them. */
async function assertDecoded(text: string, bytes: Uint8Array): Promise<void> {
  if (text !== (await decodeText(bytes)).text) assertSameText(text, decoded(bytes));
}

/** A line-by-line diff of megabytes would be useless. */
function assertSameText(text: string, expected: string): void {
  if (text === expected) return;
  let at = 0;
  while (text[at] === expected[at]) at++;
  const [found, wanted] = [text, expected].map((each) => JSON.stringify(each.slice(at, at + 40)));
  assert.fail(`the text is the decoded bytes: at ${at} it is ${found}, not ${wanted}`);
}

/** The rule of §9.1, implemented independently of the product's own decoder. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const label =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(label)
    .decode(bytes)
    .split(/\r\n|\r/)
    .join('\n');
}
