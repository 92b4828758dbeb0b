import { languagePackSuites } from '@kebab/code-kit/testing';
import { declareSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import plugin, { cSyntax } from '../src/index.ts';

for (const suite of languagePackSuites({
  plugin,
  lang: 'c',
  fixtures: new URL('fixtures/', import.meta.url),
  sample: {
    folder: new URL('../../../node_modules/', import.meta.url),
    extensions: ['.c'],
    syntax: cSyntax,
  },
}))
  declareSuite(suite, { describe, it });
