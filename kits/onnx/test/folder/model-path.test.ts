import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isModelPath, modelPath } from '../../src/folder/model-path.ts';

describe('modelPath', () => {
  it('finds a name in the model folder', () => {
    expect(modelPath('multilingual-e5-small', '/data/models')).toBe('/data/models/multilingual-e5-small');
    expect(modelPath('Xenova/some-model_v1.5', '/data/models')).toBe('/data/models/Xenova/some-model_v1.5');
  });

  it('takes a path as it is, from the home folder, or from the working directory', () => {
    expect(modelPath('/models/mine', '/data')).toBe('/models/mine');
    expect(modelPath('~/mine', '/data')).toBe(path.join(homedir(), 'mine'));
    expect(modelPath('./mine', '/data')).toBe(path.resolve('mine'));
    expect(modelPath('../mine', '/data')).toBe(path.resolve('..', 'mine'));
    expect(isModelPath('.hidden')).toBe(false);
  });

  it.each([
    'a/../../etc',
    'a/b/c',
    '',
    ' ',
    'a b',
    '.hidden',
    'a/..',
    'a..b',
    'a\\..\\b',
    'a\0b',
    '-rf',
    'https://x/y',
  ])('refuses the name %j', (name) => {
    expect(() => modelPath(name, '/data/models')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
