import { definePlugin } from '@kebab/core';
import { describe, expect, it } from 'vitest';
import { codeConfig, defineLanguagePack, type Syntax } from '../../src/index.ts';
import { damaged, PackUnderTest, unnamedDefinitions } from '../../src/testing/index.ts';
import { exampleSyntax } from '../example-syntax.ts';

function packOf(syntax: Syntax): PackUnderTest {
  const documentation = { units: 'functions', symbolForm: 'name', examples: ['f'] } as const;
  const contributes = defineLanguagePack({ lang: 'rust', version: 1, documentation, syntaxesFor: () => [syntax] });
  const permissions = { fs: 'none', net: [], spawn: [] } as const;
  return new PackUnderTest(
    definePlugin({
      name: 'example',
      version: '1.0.0',
      apiVersion: 1,
      kebab: '*',
      config: codeConfig,
      permissions,
      contributes,
    }),
    'rust',
  );
}

function fileOf(text: string): { readonly path: string; readonly bytes: Uint8Array } {
  return { path: 'src/a.rs', bytes: new TextEncoder().encode(text) };
}

const SOURCE = 'fn seen() {}\n\nfn hidden() { fn local() {} }\n\nmod m {\n    fn member() {}\n}\n';

describe('looking for the definitions that a grammar reports', () => {
  it('finds each in the chunk that contains it, but not those inside a function', async () => {
    const found = await unnamedDefinitions(packOf(exampleSyntax), [fileOf(SOURCE)], { syntax: exampleSyntax });
    expect(found).toEqual({ wanted: 4, unnamed: [] });
  });

  it('reports one that is not the symbol of its chunk', async () => {
    const syntax: Syntax = { ...exampleSyntax, nameOf: ({ name }) => (name === 'hidden' ? null : `${name}s`) };
    const { unnamed } = await unnamedDefinitions(packOf(syntax), [fileOf(SOURCE)], { syntax });
    expect(unnamed).toEqual([
      'src/a.rs:1 seen in seens',
      'src/a.rs:3 hidden in <top-level>',
      'src/a.rs:5 m in ms',
      'src/a.rs:6 member in ms::members',
    ]);
  });

  it('names a definition according to the rules, and skips those that are not units', async () => {
    const syntax: Syntax = { ...exampleSyntax, nameOf: ({ name }) => (name === 'hidden' ? null : `${name}s`) };
    const { unnamed } = await unnamedDefinitions(packOf(syntax), [fileOf(SOURCE)], {
      syntax,
      nameOf: ({ name }) => (name.text === 'hidden' ? null : `${name.text}s`),
    });
    expect(unnamed).toEqual([]);
  });

  it('damages a file by removing its middle third', () => {
    const { path, bytes } = damaged(fileOf('abcdefghi'));
    expect([path, new TextDecoder().decode(bytes)]).toEqual(['src/a.rs', 'abcghi']);
  });
});
