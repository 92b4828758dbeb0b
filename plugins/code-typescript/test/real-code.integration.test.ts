import { damaged, PackUnderTest, sampleFiles, unnamedDefinitions } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin, { typescriptSyntax } from '../src/index.ts';

const REPOSITORY = new URL('../../../', import.meta.url);
const SAMPLES = [
  ...sampleFiles(new URL('node_modules/', REPOSITORY), { extensions: ['.ts', '.mts', '.cts'], limit: 120 }),
  ...sampleFiles(new URL('core/', REPOSITORY), { extensions: ['.ts'], limit: 60 }),
];

describe('real TypeScript', () => {
  const pack = new PackUnderTest(plugin, 'typescript');

  it('names each definition of this repository and its dependencies, and loses no text', async () => {
    const { wanted, unnamed } = await unnamedDefinitions(pack, SAMPLES, { syntax: typescriptSyntax });
    expect(wanted).toBeGreaterThan(SAMPLES.length);
    expect(unnamed).toEqual([]);
  });

  // A class whose closing brace is lost is one unit, so that what follows it keeps its names.
  it('names all but a few in a thousand definitions of files that lack their middle, and loses no text', async () => {
    const { wanted, unnamed } = await unnamedDefinitions(pack, SAMPLES.map(damaged), { syntax: typescriptSyntax });
    expect(wanted).toBeGreaterThan(SAMPLES.length);
    expect(unnamed.length, unnamed.join('\n')).toBeLessThanOrEqual(wanted / 200);
  });
});
