import { damaged, PackUnderTest, sampleFiles, unnamedDefinitions } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin, { typescriptSyntax } from '../src/index.ts';

const REPOSITORY = new URL('../../../', import.meta.url);
const SAMPLES = [
  ...sampleFiles(new URL('node_modules/', REPOSITORY), { extensions: ['.ts', '.mts', '.cts'], limit: 120 }),
  ...sampleFiles(new URL('core/', REPOSITORY), { extensions: ['.ts'], limit: 60 }),
];

describe('real TypeScript', () => {
  it('names each definition of this repository and its dependencies, also in damaged files, and loses no text', async () => {
    const pack = new PackUnderTest(plugin, 'typescript');
    const files = [...SAMPLES, ...SAMPLES.map(damaged)];
    const { wanted, unnamed } = await unnamedDefinitions(pack, files, { syntax: typescriptSyntax });
    expect(wanted).toBeGreaterThan(SAMPLES.length);
    expect(unnamed).toEqual([]);
  });
});
