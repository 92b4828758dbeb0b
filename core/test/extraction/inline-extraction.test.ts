import { describe, expect, it } from 'vitest';
import type { Chunker } from '../../src/contracts/chunker.ts';
import type { Extractor } from '../../src/contracts/extractor.ts';
import type { CanonicalDocument, ChunkPolicy, RawAsset } from '../../src/domain/document.ts';
import { invalidInput } from '../../src/errors/invalid-input.ts';
import type { Extraction } from '../../src/extraction/extraction-job.ts';
import { InlineExtraction } from '../../src/extraction/inline-extraction.ts';
import { componentPorts } from '../../src/ports.ts';
import { DEFAULT_POLICY, silentCallContext } from '@kebab/testing';
import { FakeComponents } from '../fake-components.ts';
import { lineChunker, plainExtractor } from '../ingest/plain-extractor.ts';
import { hostileJob as job } from './hostile-job.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Extracts and chunks with a third-party plugin that has the given methods. */
async function extracted(given: {
  readonly extract?: Extractor['extract'];
  readonly chunk?: Chunker['chunk'];
}): Promise<Extraction> {
  const components = new FakeComponents(
    {
      extractor: { plain: { ...plainExtractor(), ...given } },
      chunker: { 'md-heading-v1': { ...lineChunker('md-heading-v1'), ...given } },
    },
    'package',
  );
  const { log, signal } = silentCallContext();
  return new InlineExtraction({ ...componentPorts(components), log }).extract(job('# A\n\nText.'), signal);
}

describe('InlineExtraction with a third-party plugin', () => {
  it('is not affected by an extractor that modifies its input', async () => {
    const extract: Extractor['extract'] = async (input, context) => {
      (input.asset as Writable<RawAsset>).workspacePath = 'other.md';
      return plainExtractor().extract(input, context);
    };
    expect(await extracted({ extract })).toEqual(await extracted({}));
  });

  it('is not affected by a chunker that modifies its input', async () => {
    const chunk: Chunker['chunk'] = (document, policy) => {
      const drafts = lineChunker('md-heading-v1').chunk(document, policy);
      const { text } = document;
      const changed = { workspacePath: 'other.md', text: text.toUpperCase(), title: 'Other', docId: 'other' };
      Object.assign(document as Writable<CanonicalDocument>, changed);
      Object.assign(document.metadata, { tags: ['other'] });
      (policy as Writable<ChunkPolicy>).maxChunkTokens = 1e9;
      return drafts;
    };
    expect(await extracted({ chunk })).toEqual(await extracted({}));
    expect(DEFAULT_POLICY.maxChunkTokens).toBeLessThan(1e9);
  });

  it('is not affected by an extractor that modifies its answer later', async () => {
    const metadata = { tags: ['first'] };
    const extract: Extractor['extract'] = async (input, context) => ({
      ...(await plainExtractor().extract(input, context)),
      metadata,
    });
    const { document } = await extracted({ extract });
    metadata.tags.push('later');
    expect(document.metadata.tags).toEqual(['first']);
  });

  it('rejects an answer that is not plain data, and names the extractor', async () => {
    const extract: Extractor['extract'] = async (input, context) => ({
      ...(await plainExtractor().extract(input, context)),
      metadata: { user: { method: (() => {}) as never } },
    });
    await expect(extracted({ extract })).rejects.toMatchObject({
      code: 'plugin_failed',
      message: 'hostile@2.0.0/extract/a.md failed: its answer is not data: () => {} could not be cloned.',
    });
  });

  it('keeps the code of an error of the closed list, and names the plugin', async () => {
    const extract: Extractor['extract'] = async () => {
      throw invalidInput('the archive has no index');
    };
    await expect(extracted({ extract })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'fake@1.0.0: the archive has no index',
    });
  });

  it('rejects an unknown fallback chunker, and names the extractor', async () => {
    const extract: Extractor['extract'] = async (input, context) => ({
      ...(await plainExtractor().extract(input, context)),
      chunkerId: 'none-v1',
    });
    await expect(extracted({ extract })).rejects.toMatchObject({
      code: 'plugin_failed',
      message: 'hostile@2.0.0/extract/a.md failed: it names the chunker "none-v1", which no active plugin contributes',
    });
  });

  it('rejects an answer of the wrong shape, and names the plugin', async () => {
    const extract = (async () => undefined) as unknown as Extractor['extract'];
    await expect(extracted({ extract })).rejects.toThrow(
      'hostile@2.0.0/extract/a.md failed: its answer is not a document',
    );
    const chunk = () => [{ start: 0, end: 1, symbol: {} }] as never;
    await expect(extracted({ chunk })).rejects.toThrow('fake@1.0.0/chunk/a.md failed: chunks[0].symbol is not a text');
    const later = (async () => []) as never;
    await expect(extracted({ chunk: later })).rejects.toThrow('fake@1.0.0/chunk/a.md failed: its answer is not data');
  });
});
