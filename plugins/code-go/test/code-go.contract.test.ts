import { languagePackSuites } from '@kebab/code-kit/testing';
import { declareSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import plugin, { goSyntax } from '../src/index.ts';

for (const suite of languagePackSuites({
  plugin,
  lang: 'go',
  fixtures: new URL('fixtures/', import.meta.url),
  sample: {
    folder: new URL('../../../node_modules/', import.meta.url),
    extensions: ['.go'],
    syntax: goSyntax,
  },
}))
  declareSuite(suite, { describe, it });
