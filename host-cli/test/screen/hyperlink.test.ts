import { describe, expect, it } from 'vitest';
import { hyperlinksOf } from '../../src/screen/hyperlink.ts';

const place = { file: '/notes/a b#1.md', line: 12, page: null };
const from = (env: Readonly<Record<string, string>>) => (name: string) => env[name];
const KITTY = { TERM: 'xterm-kitty' };

describe('links of paths', () => {
  it.each([
    ['file', {}, 'file:///notes/a%20b%231.md'],
    ['vscode', {}, 'vscode://file/notes/a%20b%231.md:12:1'],
    ['x-open:{path}?l={line}', {}, 'x-open:/notes/a%20b%231.md?l=12'],
    ['auto', { ...KITTY, EDITOR: '/usr/bin/code --wait' }, 'vscode://file/notes/a%20b%231.md:12:1'],
    ['auto', { ...KITTY, VISUAL: 'zed', EDITOR: 'code' }, 'zed://file/notes/a%20b%231.md:12:1'],
    ['auto', { ...KITTY, EDITOR: 'vim' }, 'file:///notes/a%20b%231.md'],
    [undefined, { VTE_VERSION: '7200' }, 'file:///notes/a%20b%231.md'],
  ])('with the format %s in %j lead to %s', (asked, env, expected) => {
    expect(hyperlinksOf(asked, from(env))?.(place)).toBe(expected);
  });

  it.each([
    ['none', KITTY],
    [undefined, { TERM: 'xterm-256color' }],
    ['auto', { TERM: 'dumb', VTE_VERSION: '7200' }],
  ])('are omitted with %s in %j', (asked, env) => {
    expect(hyperlinksOf(asked, from(env))).toBeNull();
  });

  it('lead to a page', () => {
    const links = hyperlinksOf('file', from({}));
    expect(links?.({ file: '/a.pdf', line: null, page: 3 })).toBe('file:///a.pdf#page=3');
  });

  it('are rejected for an unknown format', () => {
    const wrong = () => hyperlinksOf('vscod', from({}));
    expect(wrong).toThrow(
      expect.objectContaining({ code: 'invalid_input', details: expect.objectContaining({ suggestion: 'vscode' }) }),
    );
  });
});
