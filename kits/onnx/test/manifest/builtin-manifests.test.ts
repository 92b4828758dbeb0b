import { describe, expect, it } from 'vitest';
import { modelPath } from '../../src/folder/read-model-folder.ts';
import { BUILTIN_MANIFESTS, findManifest } from '../../src/manifest/builtin-manifests.ts';

describe('BUILTIN_MANIFESTS', () => {
  it.each(BUILTIN_MANIFESTS)('$id can be downloaded, found and run', (manifest) => {
    const { id, role, repository, files, dimensions, maxTokens, relevance } = manifest;
    expect(modelPath(id, '/models')).toBe(`/models/${id}`);
    expect(repository).toMatch(/^[\w-]+\/[\w.-]+$/);
    expect(files).toContain('tokenizer.json');
    expect(files.some((file) => /\.(onnx|safetensors)$/.test(file))).toBe(true);
    for (const file of files) expect(file).toMatch(/^\w[\w.-]*(?:\/\w[\w.-]*)*$/);
    expect(dimensions === null).toBe(role !== 'embedding');
    expect(dimensions ?? 1).toBeGreaterThan(0);
    expect(maxTokens).toBeGreaterThan(0);
    expect(relevance.floor).toBeLessThan(relevance.ceil);
  });

  it.each(['embedding', 'rerank', 'nli'] as const)('has a model for the role %s', (role) => {
    expect(BUILTIN_MANIFESTS.map((manifest) => manifest.role)).toContain(role);
  });

  it('gives every built-in model a unique name', () => {
    expect(new Set(BUILTIN_MANIFESTS.map(({ id }) => id)).size).toBe(BUILTIN_MANIFESTS.length);
  });
});

describe('findManifest', () => {
  it('finds a model only by its exact name', () => {
    expect(findManifest('multilingual-e5-small')?.dimensions).toBe(384);
    expect(findManifest('potion-base-4M-int8')).toBeUndefined();
  });
});
