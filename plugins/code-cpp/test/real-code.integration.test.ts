import { cppSyntax } from '@kebab/code-kit';
import { PackUnderTest, sampleFiles, unnamedDefinitions } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const syntax = cppSyntax(import.meta.url);
const DEPENDENCIES = new URL('../../../node_modules/', import.meta.url);
const files = sampleFiles(DEPENDENCIES, { extensions: ['.cpp', '.cc', '.cxx', '.hpp', '.hh'], limit: 60 });

describe('real C++', () => {
  it.skipIf(files.length === 0)('names each definition, loses no text (skipped: no dependency has C++)', async () => {
    const pack = new PackUnderTest(plugin, 'cpp');
    const { wanted, unnamed } = await unnamedDefinitions(pack, files, { syntax });
    expect(wanted).toBeGreaterThan(files.length);
    expect(unnamed).toEqual([]);
  });
});
