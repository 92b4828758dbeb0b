import { PackUnderTest, sampleFiles, unnamedDefinitions } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin, { javaSyntax } from '../src/index.ts';

const DEPENDENCIES = new URL('../../../node_modules/', import.meta.url);
const files = sampleFiles(DEPENDENCIES, { extensions: ['.java'], limit: 60 });

describe('real Java', () => {
  it.skipIf(files.length === 0)('names each definition, loses no text (skipped: no dependency has Java)', async () => {
    const pack = new PackUnderTest(plugin, 'java');
    const { wanted, unnamed } = await unnamedDefinitions(pack, files, { syntax: javaSyntax });
    expect(wanted).toBeGreaterThan(files.length);
    expect(unnamed).toEqual([]);
  });
});
