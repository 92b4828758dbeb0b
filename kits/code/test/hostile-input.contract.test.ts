import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { CodeExtractor } from '../src/code-extractor.ts';
import type { LanguagePack } from '../src/index.ts';
import { exampleSyntax } from './example-syntax.ts';

const SOURCE = '// a comment\nmod m {\n    fn f() {}\n}\n\nfn g() {}\n';
const pack: LanguagePack = {
  lang: 'rust',
  version: 1,
  documentation: { units: 'functions', symbolForm: 'name', examples: ['f'] },
  syntaxesFor: () => [exampleSyntax],
};

declareSuite(
  extractorSuite({
    make: () => new CodeExtractor(pack, { parseTimeoutMs: 2_000 }),
    fixtures: [{ path: 'src/a.rs', content: SOURCE }],
  }),
  { describe, it },
);
