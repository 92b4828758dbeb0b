import { PackUnderTest, sampleFiles, unnamedDefinitions, type DefinitionRules } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin, { kotlinSyntax } from '../src/index.ts';

const DEPENDENCIES = new URL('../../../node_modules/', import.meta.url);
const files = sampleFiles(DEPENDENCIES, { extensions: ['.kt', '.kts'], limit: 60 });

/** Definitions without a name: a companion is named `Companion`, a constructor like its class. */
const rules: DefinitionRules = {
  syntax: kotlinSyntax,
  nameOf: ({ node, name }) => {
    switch (node.type) {
      case 'companion_object':
        return node.childForFieldName('name')?.text ?? 'Companion';
      case 'secondary_constructor':
        return node.parent?.parent?.childForFieldName('name')?.text ?? name.text;
      default:
        return name.text;
    }
  },
};

describe('real Kotlin', () => {
  it.skipIf(files.length === 0)(
    'names each definition, loses no text (skipped: no dependency has Kotlin)',
    async () => {
      const pack = new PackUnderTest(plugin, 'kotlin');
      const { wanted, unnamed } = await unnamedDefinitions(pack, files, rules);
      expect(wanted).toBeGreaterThan(files.length);
      expect(unnamed).toEqual([]);
    },
  );
});
