import { describe, expect, it } from 'vitest';
import { NameError, parsePluginName } from '../src/templates.ts';

describe('parsePluginName', () => {
  it.each([
    ['epub', 'kebab-plugin-epub', 'kebab-plugin-epub', 'epub'],
    ['kebab-plugin-epub', 'kebab-plugin-epub', 'kebab-plugin-epub', 'epub'],
    ['@acme/kebab-plugin-epub', '@acme/kebab-plugin-epub', 'kebab-plugin-epub', 'epub'],
    ['@acme/notes.v2', '@acme/notes.v2', 'notes.v2', 'notes-v2'],
    [' my_format ', 'kebab-plugin-my_format', 'kebab-plugin-my_format', 'my-format'],
  ])('reads %j', (typed, packageName, folder, id) => {
    expect(parsePluginName(typed)).toEqual({ packageName, folder, id });
  });

  it.each(['', 'Epub', '../epub', '@acme/', 'a b', '.hidden', 'a/b', 'x'.repeat(300)])('refuses %j', (typed) => {
    expect(() => parsePluginName(typed)).toThrow(NameError);
  });
});
