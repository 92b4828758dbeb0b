import { PackUnderTest, sampleFiles, unnamedDefinitions } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';
import { typescriptSyntax } from '../src/typescript-syntax.ts';

const REPOSITORY = new URL('../../../', import.meta.url);
const SAMPLES = [
  ...sampleFiles(new URL('node_modules/', REPOSITORY), { extensions: ['.ts', '.mts', '.cts'], limit: 120 }),
  ...sampleFiles(new URL('core/', REPOSITORY), { extensions: ['.ts'], limit: 60 }),
];

describe('real TypeScript', () => {
  it('names each definition of this repository and its dependencies, and loses no text', async () => {
    const pack = new PackUnderTest(plugin, 'typescript');
    const checks = [];
    for (const file of SAMPLES) checks.push(await unnamedDefinitions(pack, typescriptSyntax, file));
    expect(checks.reduce((sum, { reported }) => sum + reported, 0)).toBeGreaterThan(SAMPLES.length);
    expect(checks.flatMap(({ unnamed }) => unnamed)).toEqual([]);
  });
});
