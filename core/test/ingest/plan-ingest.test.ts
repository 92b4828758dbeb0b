import { describe, expect, it } from 'vitest';
import type { KnownDocument, StageFingerprints } from '../../src/contracts/document-store.ts';
import type { SourceFile } from '../../src/contracts/source-connector.ts';
import type { AssetId, DocumentId } from '../../src/domain/ids.ts';
import { decideByContent, planIngest, type PlanOptions } from '../../src/ingest/plan-ingest.ts';

const NS = 1_000_000n;
const RECORDED = Date.parse('2026-03-01T12:00:00Z');
const stages: StageFingerprints = {
  parser: 'p1',
  chunker: 'c1',
  embedding: null,
  fallbackChunker: null,
  unread: [],
  hasSecrets: false,
};

function file(change: Partial<SourceFile> = {}): SourceFile {
  return {
    kind: 'file',
    workspacePath: 'a.md',
    uri: 'file:///w/a.md',
    size: 10,
    mtimeNs: BigInt(RECORDED - 2000) * NS,
    birthtimeMs: 0,
    mediaType: { kind: 'markdown' },
    ...change,
  };
}

function known(change: Partial<KnownDocument> = {}): KnownDocument {
  return {
    docId: 'd'.repeat(32) as DocumentId,
    workspacePath: 'a.md',
    assetId: 'a'.repeat(32) as AssetId,
    checksum: 'same',
    file: { size: 10, mtimeNs: BigInt(RECORDED - 2000) * NS },
    indexedAt: new Date(RECORDED),
    docVersion: 1,
    fingerprints: stages,
    ...change,
  };
}

const options: PlanOptions = {
  fingerprints: () => stages,
  verify: false,
  force: false,
  now: new Date(RECORDED),
};
const other = (change: Partial<StageFingerprints>): PlanOptions => ({
  ...options,
  fingerprints: () => ({ ...stages, ...change }),
});

describe('planIngest', () => {
  it.each([
    ['a file of the recorded size and time', file(), known(), options, 'unchanged'],
    ['a new file', file(), null, options, 'read'],
    ['another size', file({ size: 11 }), known(), options, 'read'],
    ['a link made long before', file({ linkChangedNs: BigInt(RECORDED - 2000) * NS }), known(), options, 'unchanged'],
    ['a link that may be newer', file({ linkChangedNs: BigInt(RECORDED - 1999) * NS }), known(), options, 'read'],
    ['a record of the future', file(), known(), { ...options, now: new Date(RECORDED - 1) }, 'read'],
    ['another time', file({ mtimeNs: BigInt(RECORDED - 2000) * NS + 1n }), known(), options, 'read'],
    ['an older time', file({ mtimeNs: BigInt(RECORDED - 90_000) * NS }), known(), options, 'read'],
    [
      'a file changed less than two seconds before it was recorded',
      file({ mtimeNs: BigInt(RECORDED - 1999) * NS }),
      known({ file: { size: 10, mtimeNs: BigInt(RECORDED - 1999) * NS } }),
      options,
      'read',
    ],
    ['a document recorded without a file', file(), known({ file: null }), options, 'read'],
    ['everything when verifying', file(), known(), { ...options, verify: true }, 'read'],
    ['everything when forced', file(), known(), { ...options, force: true }, 'read'],
    ['another parser', file(), known(), other({ parser: 'p2' }), 'read'],
    ['another chunker', file(), known(), other({ chunker: 'c2' }), 'rechunk'],
    [
      'a document with unread pictures',
      file(),
      known({ fingerprints: { ...stages, unread: ['ocr'] } }),
      options,
      'read',
    ],
    ['another parser and chunker', file(), known(), other({ parser: 'p2', chunker: 'c2' }), 'read'],
  ] as const)('plans %s', (_name, scanned, document, plan, kind) => {
    const documents = new Map(document === null ? [] : [[document.workspacePath, document]]);
    expect(planIngest([scanned], documents, plan)).toMatchObject([{ kind, file: scanned, known: document }]);
  });

  it('keeps the order of the files and looks each up by its path', () => {
    const files = ['b.md', 'a.md', 'c.md'].map((workspacePath) => file({ workspacePath }));
    const actions = planIngest(files, new Map([['a.md', known()]]), options);
    expect(actions.map(({ kind, file: { workspacePath } }) => `${workspacePath} ${kind}`)).toEqual([
      'b.md read',
      'a.md unchanged',
      'c.md read',
    ]);
  });
});

describe('decideByContent', () => {
  const now = { checksum: 'same', fingerprints: stages, force: false };

  it.each([
    ['a new file', null, now, 'extract'],
    ['other bytes', known(), { ...now, checksum: 'other' }, 'extract'],
    ['the same bytes', known(), now, 'unchanged'],
    ['the same bytes when forced', known(), { ...now, force: true }, 'extract'],
    ['pictures still unread', known({ fingerprints: { ...stages, unread: ['ocr'] } }), now, 'extract'],
    ['another parser', known(), { ...now, fingerprints: { ...stages, parser: 'p2' } }, 'extract'],
    ['another chunker', known(), { ...now, fingerprints: { ...stages, chunker: 'c2' } }, 'rechunk'],
  ] as const)('decides for %s', (_name, document, content, decision) => {
    expect(decideByContent(document, content)).toBe(decision);
  });
});
