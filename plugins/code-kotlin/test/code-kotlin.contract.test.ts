import { languagePackSuites, type DefinitionRules } from '@kebab/code-kit/testing';
import { declareSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import plugin, { kotlinSyntax } from '../src/index.ts';

/** Definitions without a name: a companion is named `Companion`, a constructor like its class. */
const nameOf: DefinitionRules['nameOf'] = ({ node, name }) => {
  switch (node.type) {
    case 'companion_object':
      return node.childForFieldName('name')?.text ?? 'Companion';
    case 'secondary_constructor':
      return node.parent?.parent?.childForFieldName('name')?.text ?? name.text;
    default:
      return name.text;
  }
};

for (const suite of languagePackSuites({
  plugin,
  lang: 'kotlin',
  fixtures: new URL('fixtures/', import.meta.url),
  sample: {
    folder: new URL('../../../node_modules/', import.meta.url),
    extensions: ['.kt', '.kts'],
    syntax: kotlinSyntax,
    nameOf,
  },
}))
  declareSuite(suite, { describe, it });
