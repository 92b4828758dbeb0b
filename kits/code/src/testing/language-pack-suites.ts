import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from '@kebab/plugin';
import {
  assertChunks,
  chunkerSuite,
  DEFAULT_POLICY,
  extractorSuite,
  hostileTexts,
  type ContractCase,
  type ContractSuite,
  type HostileText,
} from '@kebab/plugin/testing';
import type { CodeConfig } from '../language-pack.ts';
import { PackUnderTest, sampleFiles } from './pack-under-test.ts';
import { unnamedDefinitions, type DefinitionRules } from './unnamed-definitions.ts';

/** What {@link languagePackSuites} needs. */
export interface LanguagePackSuiteOptions {
  readonly plugin: Plugin<CodeConfig>;
  readonly lang: string;
  /** A folder (its URL ends in `/`) of pairs: `a.rs` and `a.rs.units`, which lists `<first line>-<last line> <symbol>`. */
  readonly fixtures: URL;
  /** Code of others, in which each definition that the grammar reports must be named. */
  readonly sample?: SampledCode;
}

/** Files of a folder, and how their definitions are named. */
export interface SampledCode extends DefinitionRules {
  readonly folder: URL;
  /** With their dots: `.rs`. */
  readonly extensions: readonly string[];
}

/** Some grammars take minutes for prose: this timeout is long enough for every fixture, and short enough for hostile texts. */
const HOSTILE_TIMEOUT_MS = 2_000;

/**
 * Tests every promise of a language pack: those of extractors and chunkers, its fixtures, and texts that break parsers. Decoding, and files
 * that are too large or too slow, are the same for every language and are covered by the kit's own tests.
 */
export function languagePackSuites({
  plugin,
  lang,
  fixtures,
  sample,
}: LanguagePackSuiteOptions): readonly ContractSuite[] {
  const pack = new PackUnderTest(plugin, lang);
  const hurried = new PackUnderTest(plugin, lang, HOSTILE_TIMEOUT_MS);
  const pairs = fixturePairs(fixtures);
  return [
    {
      contract: `Language pack ${lang}`,
      cases: [
        ...unitCases(pack, pairs),
        ...hostileCases(hurried, pairs),
        ...(sample === undefined ? [] : [sampleCase(pack, sample)]),
      ],
    },
    extractorSuite({
      make: () => hurried.extractor(),
      fixtures: pairs.map(({ path, source }) => ({ path, content: source })),
      hostile: [hostileFile()],
      hasLargeFiles: false,
    }),
    chunkerSuite({
      make: () => pack.chunker(),
      documents: () => Promise.all(pairs.map(async ({ path, source }) => (await pack.read(path, source)).document)),
      overlap: 'none',
    }),
  ];
}

function unitCases(pack: PackUnderTest, pairs: readonly FixturePair[]): readonly ContractCase[] {
  return pairs.flatMap(({ path, source, units }) => [
    { name: `cuts ${path} as its list says`, run: async () => assert.equal(await pack.list(path, source), units) },
    {
      name: `cuts ${path} the same with a BOM and CRLF newlines`,
      run: async () => assert.equal(await pack.list(path, `\uFEFF${source.replaceAll('\n', '\r\n')}`), units),
    },
    {
      name: `puts every line of ${path} that is not blank into exactly one chunk`,
      run: () => assertPartition(pack, path, source),
    },
  ]);
}

function hostileCases(pack: PackUnderTest, pairs: readonly FixturePair[]): readonly ContractCase[] {
  const first = pairs[0];
  if (first === undefined) throw new Error('a language pack needs fixtures');
  const { path, source } = first;
  const middle = Math.floor(source.length / 2);
  const texts: Readonly<Record<string, string>> = {
    'two thousand open brackets': '('.repeat(2_000) + source,
    'two thousand open braces': '{'.repeat(2_000) + source,
    'two thousand nested blocks': `${source}${'{'.repeat(2_000)}${'}'.repeat(2_000)}\n${source}`,
    'two thousand closing braces': source + '}'.repeat(2_000),
    'a stray quote in the middle': `${source.slice(0, middle)}"${source.slice(middle)}`,
    'newlines of both kinds': source.replaceAll(/\n(.*)\n/g, '\r\n$1\n'),
    'NUL characters': source.replaceAll(' ', '\0'),
    'everything on one line': source.replaceAll('\n', ' '),
    'every line twice': source.replaceAll(/^.*$/gm, '$&\n$&'),
    'the lines in reverse': source.split('\n').toReversed().join('\n'),
    'tabs for spaces': source.replaceAll('  ', '\t'),
    'three hundred thousand blanks behind a name': `class A${' '.repeat(300_000)}(\n${source}`,
    'a name of a hundred thousand letters': source.replace(/[a-z]{2,}/, 'x'.repeat(100_000)),
  };
  return [
    {
      name: 'holds every character, none twice, of a damaged file',
      run: async () => {
        for (const [name, text] of Object.entries(texts)) await assertWhole(pack, { path, text, name });
      },
    },
    {
      name: 'holds every character, none twice, of any mixture of lines',
      run: async () => {
        for (const text of lineMixtures(pairs.map((pair) => pair.source).join('\n')))
          await assertWhole(pack, { path, text, name: 'a mixture of lines' });
      },
    },
  ];
}

/** The maximum number of sampled files. */
const SAMPLED = 60;

function sampleCase(pack: PackUnderTest, { folder, extensions, ...rules }: SampledCode): ContractCase {
  const files = sampleFiles(folder, { extensions, limit: SAMPLED });
  return {
    name: 'names each definition of the code of others, loses no text',
    run: async () => {
      const { wanted, unnamed } = await unnamedDefinitions(pack, files, rules);
      assert.ok(wanted > files.length, `${files.length} files have ${wanted} definitions`);
      assert.deepEqual(unnamed, []);
    },
    ...(files.length === 0 ? { skip: `there are no files with ${extensions.join(' or ')}` } : {}),
  };
}

/** Fails, naming the text, unless its chunks contain all of it. */
async function assertWhole(
  pack: PackUnderTest,
  { path, text, name }: { readonly path: string; readonly text: string; readonly name: string },
): Promise<void> {
  try {
    const { document, chunks } = await pack.read(path, text);
    assertChunks(document, chunks, { policy: DEFAULT_POLICY, overlap: 'none' });
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** All short UTF-8 hostile texts in one file, which may confuse a grammar. */
function hostileFile(): HostileText {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const texts = hostileTexts().flatMap(({ bytes, trait }) => {
    const isDamaged = trait === 'encodings of every kind, damaged ones too';
    return isDamaged || bytes.length > 10_000 ? [] : [decoder.decode(bytes)];
  });
  const trait = 'things that are opened and never closed';
  return { name: 'every short text in one file', trait, bytes: new TextEncoder().encode(texts.join('\n\n')) };
}

async function assertPartition(pack: PackUnderTest, path: string, source: string): Promise<void> {
  const { document, chunks } = await pack.read(path, source);
  const text = chunks.map(({ start, end }) => document.text.slice(start, end)).join('\n');
  assert.deepEqual(writtenLines(text), writtenLines(source));
}

function writtenLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** A source file and its expected units. */
interface FixturePair {
  /** The path below the folder of fixtures, which is the workspace path it is read under. */
  readonly path: string;
  readonly source: string;
  /** The expected list, in the format of `listUnits`. */
  readonly units: string;
}

const UNITS = '.units';

/** The pairs in a folder: `a.rs` and `a.rs.units`. Throws for an incomplete pair. */
function fixturePairs(folder: URL): readonly FixturePair[] {
  const root = fileURLToPath(folder);
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .toSorted();
  const sources = files.filter((file) => !file.endsWith(UNITS));
  if (sources.length * 2 !== files.length) throw new Error(`${root} holds a file without its pair`);
  return sources.map((path) => ({
    path,
    source: readFileSync(join(root, path), 'utf8'),
    units: readFileSync(join(root, path + UNITS), 'utf8'),
  }));
}

const MIXTURES = 120;
const MAX_LINES = 40;

/** Texts made of random lines of a text, joined by newlines or spaces, deterministically. */
function* lineMixtures(text: string): Generator<string> {
  const lines = text.split('\n');
  const random = randomNumbers();
  for (let made = 0; made < MIXTURES; made++) {
    const drawn = Array.from({ length: random(MAX_LINES) }, () => lines[random(lines.length)] ?? '');
    yield drawn.join(random(4) === 0 ? ' ' : '\n');
  }
}

/** Random integers below a bound, from a linear congruential generator. */
function randomNumbers(): (bound: number) => number {
  let state = 1;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * bound);
  };
}
