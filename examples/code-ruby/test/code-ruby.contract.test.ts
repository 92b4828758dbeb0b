import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { languagePackSuites } from '@kebab/code-kit/testing';
import { declareSuite } from '@kebab/plugin/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';

const isInstalled = canResolve();

const why = isInstalled ? '' : ' (skipped: npm install tree-sitter-ruby@0.23.1 in its folder)';

describe.skipIf(!isInstalled)(`the language pack${why}`, () => {
  const fixtures = new URL('fixtures/', import.meta.url);
  for (const suite of isInstalled ? languagePackSuites({ plugin, lang: 'ruby', fixtures }) : [])
    declareSuite(suite, { describe, it });
});

describe('the plugin', () => {
  it('adds a language in under sixty lines', () => {
    const source = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8');
    expect(source.split('\n').length).toBeLessThan(60);
  });
});

function canResolve(): boolean {
  try {
    createRequire(import.meta.url).resolve('tree-sitter-ruby/package.json');
    return true;
  } catch {
    return false;
  }
}
