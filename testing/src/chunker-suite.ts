import assert from 'node:assert/strict';
import {
  type Chunker,
  type ChunkPolicy,
  type ChunkDraft,
  type CanonicalDocument,
  LineIndex,
  estimateTokens,
} from '@kebab/core';
import { deepFreeze } from '@kebab/core/suites';
import { assertIdentified, casesOn, naming, type ContractSuite } from './contract-suite.ts';
import { assertBlank, assertWholeCharacters } from './check-extracted.ts';

/** The policy of a fresh installation. */
export const DEFAULT_POLICY: ChunkPolicy = Object.freeze({
  targetTokens: 500,
  overlapTokens: 80,
  maxChunkTokens: 4000,
  respectMarkdownHeadings: true,
  maxUnitLines: 200,
  windowLines: 80,
  windowOverlapLines: 20,
});

/** Policies at the limits of what the configuration allows, by name. */
export const EDGE_POLICIES: Readonly<Record<string, ChunkPolicy>> = Object.freeze({
  default: DEFAULT_POLICY,
  'without overlap': { ...DEFAULT_POLICY, overlapTokens: 0, windowOverlapLines: 0 },
  'the smallest': {
    ...DEFAULT_POLICY,
    targetTokens: 16,
    overlapTokens: 0,
    maxChunkTokens: 16,
    maxUnitLines: 1,
    windowLines: 1,
    windowOverlapLines: 0,
  },
  'small with a large overlap': {
    ...DEFAULT_POLICY,
    targetTokens: 30,
    overlapTokens: 29,
    maxChunkTokens: 60,
    maxUnitLines: 5,
    windowLines: 4,
    windowOverlapLines: 3,
  },
  'blind to headings': {
    ...DEFAULT_POLICY,
    targetTokens: 60,
    overlapTokens: 15,
    maxChunkTokens: 120,
    respectMarkdownHeadings: false,
  },
});

/** Options of {@link chunkerSuite}. */
export interface ChunkerSuiteOptions {
  readonly make: () => Chunker | Promise<Chunker>;
  /** Documents of the kind it chunks, or a function that creates them (see `extractDocument`), called once. */
  readonly documents: readonly CanonicalDocument[] | (() => Promise<readonly CanonicalDocument[]>);
  /** The overlap of adjacent chunks; `tokens` by default. */
  readonly overlap?: DeclaredOverlap;
  /** {@link EDGE_POLICIES} by default. */
  readonly policies?: Readonly<Record<string, ChunkPolicy>>;
}

/**
 * The contract suite of a {@link Chunker}: slices, coverage, sizes, overlap, purity, and that it reads exactly the settings it declares.
 */
export function chunkerSuite(options: ChunkerSuiteOptions): ContractSuite {
  const { make, documents, overlap = 'tokens', policies = EDGE_POLICIES } = options;
  let made: Promise<readonly CanonicalDocument[]> | undefined;
  const load = (): Promise<readonly CanonicalDocument[]> =>
    (made ??= Promise.resolve(typeof documents === 'function' ? documents() : documents));
  const promise = casesOn(make);
  return {
    contract: 'Chunker',
    cases: [
      ...Object.entries(policies).map(([name, policy]) =>
        promise(`divides every document into valid slices under the policy "${name}"`, async (chunker) => {
          const all = await load();
          assert.ok(all.length > 0, 'the suite is given documents');
          for (const document of all)
            await naming(document.workspacePath, () =>
              assertChunks(document, chunker.chunk(document, policy), { policy, overlap }),
            );
        }),
      ),
      promise('chunks frozen documents deterministically, in every instance', async (one) => {
        const other = await make();
        for (const document of await load()) {
          deepFreeze(document);
          for (const policy of Object.values(policies).map(deepFreeze)) {
            const first = one.chunk(document, policy);
            assert.deepEqual(one.chunk(document, policy), first);
            assert.deepEqual(other.chunk(document, policy), first);
          }
        }
      }),
      promise('declares the spans it needs, and every document has them', async ({ needs }) => {
        for (const document of await load())
          await naming(document.workspacePath, () => {
            for (const { sourceSpan } of document.blocks)
              assert.ok(needs.spans.includes(sourceSpan.kind), sourceSpan.kind);
          });
      }),
      promise('has the same fingerprint, label and list of settings in every instance', async (one) => {
        const other = await make();
        assert.match(one.id, /^\S+$/);
        assertIdentified(one, other);
        assert.deepEqual(other.reads, one.reads);
      }),
      ...settings().map((setting) =>
        promise(`declares that it reads ${setting} if and only if it does`, async (chunker) => {
          for (const name of chunker.reads)
            assert.ok(settings().includes(name), `${name} is not a setting of a policy`);
          if (chunker.reads.includes(setting)) return;
          for (const policy of Object.values(policies)) {
            const varied = vary(policy, setting);
            for (const document of await load()) {
              const [other, first] = [varied, policy].map((one) => chunker.chunk(document, one));
              assert.deepEqual(other, first, `${setting} changes nothing`);
            }
          }
        }),
      ),
    ],
  };
}

function settings(): readonly (keyof ChunkPolicy)[] {
  return Object.keys(DEFAULT_POLICY) as (keyof ChunkPolicy)[];
}

/** Another allowed value of one setting: no target above the cap, no overlap as large as the target. */
function vary(policy: ChunkPolicy, setting: keyof ChunkPolicy): ChunkPolicy {
  const value = policy[setting];
  if (typeof value === 'boolean') return { ...policy, [setting]: !value };
  const shrinks = setting === 'targetTokens' ? value > 16 && value - 1 > policy.overlapTokens : false;
  return { ...policy, [setting]: shrinks ? value - 1 : value + 1 };
}

/** How much two adjacent chunks may share: `overlapTokens`, `windowOverlapLines`, or nothing. */
export type DeclaredOverlap = 'tokens' | 'lines' | 'none';

/**
 * Fails unless chunks meet the contract: slices of the text in order, covering every character of the body that is not white space, none
 * empty except that of a picture or scan without text, none above `maxChunkTokens`, adjacent ones sharing at most the declared overlap
 * inside one section or page, and no text in more than two chunks. The body begins at the first block.
 */
export function assertChunks(
  document: CanonicalDocument,
  chunks: readonly ChunkDraft[],
  { policy, overlap }: { readonly policy: ChunkPolicy; readonly overlap: DeclaredOverlap },
): void {
  const { text } = document;
  const hasText = /\S/.test(text);
  const bodyStart = hasText ? (document.blocks[0]?.start ?? text.length) : 0;
  let covered = bodyStart;
  for (const [at, chunk] of chunks.entries()) {
    const name = `chunk ${at} (${chunk.start}–${chunk.end})`;
    assert.ok(Number.isInteger(chunk.start) && Number.isInteger(chunk.end), `${name} has whole offsets`);
    assert.ok(chunk.start >= bodyStart, `${name} begins in the body`);
    assert.ok(chunk.end >= chunk.start && chunk.end <= text.length, `${name} ends within the text (${text.length})`);
    const slice = text.slice(chunk.start, chunk.end);
    if (hasText) assert.match(slice, /\S/, `${name} is not empty`);
    else assertNameOnly({ slice, at, document }, name);
    const tokens = estimateTokens(slice);
    assert.ok(
      tokens <= policy.maxChunkTokens,
      `${name} has ${tokens} tokens; maxChunkTokens is ${policy.maxChunkTokens}`,
    );
    assertWholeCharacters(text, chunk, name);
    assertBlank(text, { start: covered, end: Math.max(covered, chunk.start) }, `before ${name}`);
    covered = Math.max(covered, chunk.end);
  }
  assertBlank(text, { start: covered, end: text.length }, 'after the last chunk');
  assertOverlap(document, chunks, { policy, overlap });
}

/** A picture or a scan without text has one empty chunk, which is found by the name of the file. */
function assertNameOnly(
  { slice, at, document }: { readonly slice: string; readonly at: number; readonly document: CanonicalDocument },
  name: string,
): void {
  const isNamed = ['image', 'pdf'].includes(document.mediaType.kind);
  assert.ok(isNamed, `a document without text has no chunks, but ${name} is one, with white space alone`);
  assert.deepEqual([slice, at], ['', 0], `${name} is the one empty chunk of a picture or a scan without text`);
}

function assertOverlap(
  document: CanonicalDocument,
  chunks: readonly ChunkDraft[],
  { policy, overlap }: { readonly policy: ChunkPolicy; readonly overlap: DeclaredOverlap },
): void {
  const { text } = document;
  const lines = new LineIndex(text);
  for (const [at, chunk] of chunks.entries()) {
    const previous = chunks[at - 1];
    if (previous === undefined) continue;
    const name = `chunk ${at} (${chunk.start}–${chunk.end})`;
    assert.ok(chunk.start > previous.start && chunk.end > previous.end, `${name} comes after the previous one`);
    assert.ok(
      chunk.start >= (chunks[at - 2]?.end ?? 0),
      `${name} shares nothing with the chunk before the previous one`,
    );
    if (chunk.start >= previous.end) continue;
    const shared = text.slice(chunk.start, previous.end);
    assert.notEqual(overlap, 'none', `${name} shares nothing with the previous one`);
    if (overlap === 'tokens')
      assert.ok(
        estimateTokens(shared) <= policy.overlapTokens,
        `${name} shares at most ${policy.overlapTokens} tokens`,
      );
    else {
      const touched = lines.linesOf(chunk.start, previous.end);
      const count = touched.end - touched.start + 1;
      assert.ok(count <= policy.windowOverlapLines, `${name} shares at most ${policy.windowOverlapLines} lines`);
    }
    assertOneSection(document, { start: chunk.start, end: previous.end }, name);
  }
}

function assertOneSection(
  document: CanonicalDocument,
  shared: { readonly start: number; readonly end: number },
  name: string,
): void {
  const touches = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    start < shared.end && end > shared.start;
  assert.ok(
    !document.blocks.some((block) => block.kind === 'heading' && touches(block)),
    `the overlap of ${name} crosses no heading`,
  );
  assert.ok(document.pages.filter(touches).length <= 1, `the overlap of ${name} stays on one page`);
}
