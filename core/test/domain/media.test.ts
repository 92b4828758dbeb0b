import { describe, expect, it } from 'vitest';
import { codeLangs, fileNamesOf, mediaTypeOf } from '../../src/domain/media.ts';

describe('the names of files of code', () => {
  it('are told as the language that lists them', () => {
    for (const lang of codeLangs())
      for (const name of fileNamesOf(lang))
        expect(mediaTypeOf(`folder/${name.replace('*', 'name')}`), name).toEqual({ kind: 'code', lang });
  });

  it('are listed as patterns, whole names first', () => {
    expect(fileNamesOf('rust')).toEqual(['*.rs']);
    expect(fileNamesOf('dockerfile')).toEqual(['Dockerfile', 'Dockerfile.*', '*.dockerfile']);
    expect(fileNamesOf('cobol')).toEqual([]);
    expect(codeLangs()).toContain('go-mod');
  });
});
