import { languagePackSuites } from '@kebab/code-kit/testing';
import { declareSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import plugin, { javaSyntax } from '../src/index.ts';

for (const suite of languagePackSuites({
  plugin,
  lang: 'java',
  fixtures: new URL('fixtures/', import.meta.url),
  sample: {
    folder: new URL('../../../node_modules/', import.meta.url),
    extensions: ['.java'],
    syntax: javaSyntax,
  },
}))
  declareSuite(suite, { describe, it });
