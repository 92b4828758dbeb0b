import { describe, expect, it } from 'vitest';
import type { Chunker } from '../../src/contracts/chunker.ts';
import type { Extractor } from '../../src/contracts/extractor.ts';
import { chunkerFingerprint, parserFingerprint, withFallback } from '../../src/extraction/stage-fingerprints.ts';
import { DEFAULT_POLICY } from '@kebab/testing';

const extractor = (fingerprint = 'md@1', version = 'markdown-v1') =>
  ({ id: 'md', version: '1', fingerprint: () => fingerprint, parserVersion: () => version }) as unknown as Extractor;
const chunker = (version = '1', reads: Chunker['reads'] = ['targetTokens']) =>
  ({ id: 'md-heading-v1', version, reads }) as unknown as Chunker;
const none = { trustLevel: null, sourceType: null };

describe('parserFingerprint', () => {
  it("changes with the version label, the extractor's fingerprint, and the defaults of the source", () => {
    const media = { kind: 'markdown' } as const;
    const all = [
      parserFingerprint(extractor(), media, none),
      parserFingerprint(extractor('md@2'), media, none),
      parserFingerprint(extractor('md@1', 'markdown-v2'), media, none),
      parserFingerprint(extractor(), media, { ...none, trustLevel: 'secondary' }),
      parserFingerprint(extractor(), media, { ...none, sourceType: 'paper' }),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(parserFingerprint(extractor(), media, none)).toBe(all[0]);
  });
});

describe('chunkerFingerprint', () => {
  it('changes with the policy it reads, with the chunker, and with the analysis of index text', () => {
    const all = [
      chunkerFingerprint(chunker(), DEFAULT_POLICY, 'v1'),
      chunkerFingerprint(chunker('2'), DEFAULT_POLICY, 'v1'),
      chunkerFingerprint(chunker('1', ['maxChunkTokens']), DEFAULT_POLICY, 'v1'),
      chunkerFingerprint(chunker(), DEFAULT_POLICY, 'v2'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('has the value stored in existing databases for the built-in Markdown extractor and chunker', () => {
    const markdown = { ...extractor(), fingerprint: undefined } as unknown as Extractor;
    expect(parserFingerprint(markdown, { kind: 'markdown' }, none)).toBe(
      parserFingerprint(extractor(), { kind: 'markdown' }, none),
    );
    expect(parserFingerprint(markdown, { kind: 'markdown' }, none)).toBe('markdown-v1+45ba69e8cab99225');
    const reads = ['targetTokens', 'overlapTokens', 'maxChunkTokens', 'respectMarkdownHeadings'] as const;
    expect(chunkerFingerprint(chunker('1', reads), DEFAULT_POLICY, 'v1')).toBe('md-heading-v1+33b74fa919b13ddb');
  });

  it('changes with the planned and with the fallback chunker of a document', () => {
    const other = { id: 'code-text-paragraph-v1', fingerprint: 'x+2' };
    const all = [
      'planned+1',
      withFallback('planned+1', other),
      withFallback('planned+2', other),
      withFallback('planned+1', { ...other, fingerprint: 'x+3' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
