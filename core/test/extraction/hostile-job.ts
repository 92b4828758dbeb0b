import type { ExtractionJob } from '../../src/extraction/extraction-job.ts';
import { DEFAULT_POLICY, assetFrom } from '@kebab/testing';
import { hostileManifest } from './hostile-manifest.ts';

/** A file whose text tells the hostile extractor what to do. */
export function hostileJob(text: string): ExtractionJob {
  const bytes = new TextEncoder().encode(text);
  return {
    extractorId: 'plain',
    plugin: hostileManifest,
    chunkerId: 'md-heading-v1',
    chunkerPlugin: hostileManifest,
    policy: DEFAULT_POLICY,
    bytes,
    parts: {
      asset: assetFrom('a.md', bytes),
      parserVersion: 'markdown-v1',
      createdAt: new Date(1000),
      updatedAt: new Date(2000),
      defaults: { trustLevel: null, sourceType: null },
      git: null,
      title: null,
      fileName: 'a.md',
      origin: null,
      docVersion: 1,
      at: new Date(3000),
    },
  };
}
