import { languagePackSuites } from '@kebab/code-kit/testing';
import { declareSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import plugin from '../src/index.ts';

for (const suite of languagePackSuites({ plugin, lang: 'rust', fixtures: new URL('fixtures/', import.meta.url) }))
  declareSuite(suite, { describe, it });
