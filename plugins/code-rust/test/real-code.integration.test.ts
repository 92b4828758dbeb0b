import { damaged, PackUnderTest, sampleFiles, unnamedDefinitions, type DefinitionRules } from '@kebab/code-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin, { rustSyntax } from '../src/index.ts';

const extensions = ['.rs'];
const own = sampleFiles(new URL('fixtures/', import.meta.url), { extensions, limit: 60 });
const real = [
  ...sampleFiles(new URL('../../../node_modules/', import.meta.url), { extensions, limit: 60 }),
  ...sampleFiles(new URL('../../../../shared/data/', import.meta.url), { extensions, limit: 60 }),
];

/** A macro's symbol ends in `!`; `mod m;` refers to another file, and an associated type is part of its `impl`. */
const rules: DefinitionRules = {
  syntax: rustSyntax,
  nameOf: ({ node, name }) => {
    switch (node.type) {
      case 'macro_definition':
        return `${name.text}!`;
      case 'mod_item':
        return node.childForFieldName('body') === null ? null : name.text;
      case 'type_item':
        return node.parent?.parent?.type === 'impl_item' ? null : name.text;
      default:
        return name.text;
    }
  },
};

describe('whole files of Rust', () => {
  const pack = new PackUnderTest(plugin, 'rust');

  it('names each definition of the fixtures, loses no text', async () => {
    const { wanted, unnamed } = await unnamedDefinitions(pack, own, rules);
    expect(wanted).toBeGreaterThan(own.length);
    expect(unnamed).toEqual([]);
  });

  it.skipIf(real.length === 0)(
    'names each definition of real code, also in damaged files, loses no text (skipped: neither a dependency nor ../shared has Rust)',
    async () => {
      const { wanted, unnamed } = await unnamedDefinitions(pack, [...real, ...real.map(damaged)], rules);
      expect(wanted).toBeGreaterThan(real.length);
      expect(unnamed).toEqual([]);
    },
  );
});
