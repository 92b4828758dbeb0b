import assert from 'node:assert/strict';
import type { ExtractedDocument, Extractor } from '../contracts/extractor.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { silentCallContext } from './call-context.ts';
import { assertExtracted } from './check-extracted.ts';
import { assetFrom } from './document-from.ts';
import { withinLimit } from './contract-suite.ts';

/** One file for the suite: its path, which decides its media type, and its content. */
export interface ExtractorFixture {
  readonly path: string;
  /** A text stands for its UTF-8 bytes. */
  readonly content: string | Uint8Array;
  /** The number of characters of the text that are front matter; 0 by default. */
  readonly bodyStart?: number;
}

/** The extractor of a case, and how its text comes about. */
export interface ExtractorUnderTest {
  /** Makes a fresh extractor; it is called once for each case that needs its own. */
  readonly make: () => Extractor | Promise<Extractor>;
  /** `decoded`: the text is the file's own, decoded (the default); `derived`: it is read out of another format. */
  readonly text?: 'decoded' | 'derived';
}

/** How a file of a case is read. */
export interface Reading {
  /** Where its body begins is not known. */
  readonly frontMatter?: 'unknown';
  readonly signal?: AbortSignal;
}

/** Ten seconds stand for "never": the promise is a second, but the machine may be busy. */
const NEVER_MS = 10_000;

/** Fails when an extractor breaks a promise on a file. A `KebabError` is a fair answer to it; any other failure is not. */
export async function survives(
  tested: ExtractorUnderTest,
  fixture: ExtractorFixture,
  reading: Reading = {},
): Promise<void> {
  try {
    await keepsPromises(tested, fixture, reading);
  } catch (error) {
    if (!isKebabError(error)) throw error;
  }
}

/** Fails when an extractor breaks a promise on a file, or does not read it. */
export async function keepsPromises(
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
export async function extract(
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
export async function settlesAfterAbort(work: Promise<unknown>): Promise<void> {
  try {
    await withinLimit(work, NEVER_MS);
  } catch (error) {
    if (!isAbort(error) && !isKebabError(error)) throw error;
  }
}

/** The bytes of a file for the suite. */
export function bytesOf({ content }: ExtractorFixture): Uint8Array {
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
