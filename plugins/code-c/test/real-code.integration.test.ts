import { PackUnderTest, sampleFiles, unnamedDefinitions } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin, { cSyntax } from '../src/index.ts';

const DEPENDENCIES = new URL('../../../node_modules/', import.meta.url);
const files = sampleFiles(DEPENDENCIES, { extensions: ['.c'], limit: 60 });

describe('real C', () => {
  it.skipIf(files.length === 0)('names each definition, loses no text (skipped: no dependency has C)', async () => {
    const pack = new PackUnderTest(plugin, 'c');
    const { wanted, unnamed } = await unnamedDefinitions(pack, files, { syntax: cSyntax });
    expect(wanted).toBeGreaterThan(files.length);
    expect(unnamed).toEqual([]);
  });
});
