import { PackUnderTest, sampleFiles, unnamedDefinitions } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin, { goSyntax } from '../src/index.ts';

const DEPENDENCIES = new URL('../../../node_modules/', import.meta.url);
const files = sampleFiles(DEPENDENCIES, { extensions: ['.go'], limit: 60 });

describe('real Go', () => {
  it.skipIf(files.length === 0)('names each definition, loses no text (skipped: no dependency has Go)', async () => {
    const pack = new PackUnderTest(plugin, 'go');
    const { wanted, unnamed } = await unnamedDefinitions(pack, files, { syntax: goSyntax });
    expect(wanted).toBeGreaterThan(files.length);
    expect(unnamed).toEqual([]);
  });
});
