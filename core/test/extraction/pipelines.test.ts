import { describe, expect, it } from 'vitest';
import type { Extractor } from '@kebab/core';
import { Pipelines, type PipelinesInit } from '../../src/extraction/pipelines.ts';
import type { MediaType } from '../../src/domain/media.ts';
import { ConfigWorld } from '../config/config-world.ts';

const extractor = {
  id: 'any',
  version: '1',
  match: {},
  supports: () => true,
  chunkerId: ({ kind }: MediaType) => `${kind}-of-the-extractor`,
} as unknown as Extractor;

/** The chunkers of three media under the given environment. */
async function chunkersUnder(env: Readonly<Record<string, string>>): Promise<readonly (string | undefined)[]> {
  const world = new ConfigWorld();
  const { config } = await world.resolve({ env });
  world.remove();
  const extractors = { all: async () => [extractor], names: () => [] };
  const init = { config, extractors, chunkers: { names: () => [] }, indexVersion: '1' };
  const pipelines = await Pipelines.open(init as unknown as PipelinesInit);
  const media: readonly MediaType[] = [{ kind: 'markdown' }, { kind: 'text' }, { kind: 'pdf' }];
  return media.map((medium) => pipelines.of(medium)?.chunkerId);
}

describe('the chunker of a medium', () => {
  it('is chosen by the extractor, and for Markdown by chunking.chunker_version', async () => {
    expect(await chunkersUnder({ KEBAB_CHUNKING_CHUNKER_VERSION: 'mine-v1' })).toEqual([
      'mine-v1',
      'text-of-the-extractor',
      'pdf-of-the-extractor',
    ]);
  });

  it('is the one in chunking.chunker if that names one for the medium', async () => {
    const chunker = JSON.stringify({ markdown: 'sliding-v1', pdf: 'slides-v1' });
    expect(await chunkersUnder({ KEBAB_CHUNKING_CHUNKER: chunker, KEBAB_CHUNKING_CHUNKER_VERSION: 'mine-v1' })).toEqual(
      ['sliding-v1', 'text-of-the-extractor', 'slides-v1'],
    );
  });
});
