import { damaged, PackUnderTest, sampleFiles, unnamedDefinitions, type DefinitionRules } from '@kebab/code-kit/testing';
import { assertChunks, DEFAULT_POLICY } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import plugin, { javascriptSyntax } from '../src/index.ts';

const DEPENDENCIES = new URL('../../../node_modules/', import.meta.url);
const extensions = ['.js', '.mjs', '.cjs', '.jsx'];
const files = sampleFiles(DEPENDENCIES, { extensions, limit: 160 });
const minified = sampleFiles(DEPENDENCIES, { extensions, limit: 1200 }).filter(isMinified).slice(0, 12);

/** The query reports `exports` as the name of `module.exports = …`; its name is that of the value, otherwise `default`. */
const rules: DefinitionRules = {
  syntax: javascriptSyntax,
  nameOf: ({ node, name }) => {
    const isWhole = node.type === 'assignment_expression' && node.childForFieldName('left')?.text === 'module.exports';
    return isWhole ? (node.childForFieldName('right')?.childForFieldName('name')?.text ?? 'default') : name.text;
  },
};

/** Whether a file has a line that no chunk could hold. */
function isMinified({ bytes }: { readonly bytes: Uint8Array }): boolean {
  const lines = new TextDecoder().decode(bytes).split('\n');
  return lines.some((line) => line.length > 3 * DEFAULT_POLICY.maxChunkTokens);
}

describe('real JavaScript', () => {
  const pack = new PackUnderTest(plugin, 'javascript');

  it.skipIf(files.length === 0)(
    'names each definition, loses no text (skipped: no dependency has JavaScript)',
    async () => {
      const { wanted, unnamed } = await unnamedDefinitions(pack, files, rules);
      expect(wanted).toBeGreaterThan(files.length);
      expect(unnamed).toEqual([]);
    },
  );

  it.skipIf(files.length === 0)(
    'names each definition that is whole in a damaged file, loses no text (skipped: no dependency has JavaScript)',
    async () => {
      const { wanted, unnamed } = await unnamedDefinitions(pack, files.map(damaged), rules);
      expect(wanted).toBeGreaterThan(files.length);
      expect(unnamed).toEqual([]);
    },
  );

  it.skipIf(minified.length === 0)(
    'cuts lines that no chunk can hold, loses no text (skipped: no dependency is minified)',
    async () => {
      for (const { path, bytes } of minified) {
        const { document, chunks } = await pack.read(path, bytes);
        assertChunks(document, chunks, { policy: DEFAULT_POLICY, overlap: 'none' });
        expect(chunks.length, path).toBeGreaterThan(1);
      }
    },
  );
});
