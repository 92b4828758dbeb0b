import { cppSyntax } from '@kebab/code-kit';
import { languagePackSuites } from '@kebab/code-kit/testing';
import { declareSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import plugin from '../src/index.ts';

for (const suite of languagePackSuites({
  plugin,
  lang: 'cpp',
  fixtures: new URL('fixtures/', import.meta.url),
  sample: {
    folder: new URL('../../../node_modules/', import.meta.url),
    extensions: ['.cpp', '.cc', '.cxx', '.hpp', '.hh'],
    syntax: cppSyntax(import.meta.url),
  },
}))
  declareSuite(suite, { describe, it });
