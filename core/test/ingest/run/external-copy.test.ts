import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepExternalCopy } from '../../../src/ingest/run/external-copy.ts';
import { TemporaryTree } from '../temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => {
  tree = new TemporaryTree({ 'home/.bashrc': 'mine\n', 'home/docs/a.md': 'mine' });
  mkdirSync(tree.path('kb'));
});
afterEach(() => tree.remove());

const bytes = Buffer.from('# Copied\n');
const keep = (): void => keepExternalCopy(tree.path('kb'), '0123456789ab.md', bytes);

describe('keepExternalCopy', () => {
  it('keeps one copy and one line, however often it is asked', () => {
    tree.put({ 'kb/.kebabignore': 'drafts/' });
    for (let n = 0; n < 2; n++) keep();
    expect(readdirSync(tree.path('kb/_external'))).toEqual(['0123456789ab.md']);
    expect(readFileSync(tree.path('kb/_external/0123456789ab.md'))).toEqual(bytes);
    expect(readFileSync(tree.path('kb/.kebabignore'), 'utf8')).toBe('drafts/\n_external/\n');
  });

  it.each([
    ['.kebabignore', '../home/.bashrc'],
    ['.kebabignore', '../home/not-there-yet'],
    ['_external', '../home/docs'],
    ['_external/0123456789ab.md', '../../home/docs/a.md'],
  ])('refuses the link %s → %s, and writes nothing anywhere', (name, link) => {
    tree.put({ [`kb/${name}`]: { link } });
    const refusal = expect.objectContaining({ details: expect.objectContaining({ kind: 'ELOOP' }) });
    expect(keep).toThrow(refusal);
    expect(readFileSync(tree.path('home/.bashrc'), 'utf8')).toBe('mine\n');
    expect(readFileSync(tree.path('home/docs/a.md'), 'utf8')).toBe('mine');
    expect(readdirSync(tree.path('home')).toSorted()).toEqual(['.bashrc', 'docs']);
    expect(readdirSync(tree.path('home/docs'))).toEqual(['a.md']);
  });

  it('refuses a .kebabignore that is a folder', () => {
    mkdirSync(tree.path('kb/.kebabignore'));
    expect(keep).toThrow('EISDIR');
  });

  it('is harmed by no link that waits under the name its draft used to have', () => {
    tree.put({ [`kb/_external/0123456789ab.md.${process.pid}.tmp`]: { link: '../../home/.bashrc' } });
    keep();
    expect(readFileSync(tree.path('home/.bashrc'), 'utf8')).toBe('mine\n');
    expect(readFileSync(tree.path('kb/_external/0123456789ab.md'))).toEqual(bytes);
  });
});
