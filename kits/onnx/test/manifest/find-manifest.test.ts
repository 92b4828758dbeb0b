import { describe, expect, it } from 'vitest';
import { findManifest, manifestOfFolder } from '../../src/manifest/find-manifest.ts';

describe('findManifest', () => {
  it('finds a model by its name alone', () => {
    expect(findManifest('multilingual-e5-small')?.dimensions).toBe(384);
    expect(findManifest('potion-base-4M-int8')).toBeUndefined();
    expect(findManifest('multilingual-e5-small', [])).toBeUndefined();
  });
});

describe('manifestOfFolder', () => {
  it('knows a model by a name that also tells its precision', () => {
    expect(manifestOfFolder('multilingual-e5-small')?.id).toBe('multilingual-e5-small');
    expect(manifestOfFolder('potion-base-4M-int8')?.id).toBe('potion-base-4M');
    expect(manifestOfFolder('int8')).toBeUndefined();
    expect(manifestOfFolder('something-else')).toBeUndefined();
  });
});
