import { describe, expect, it } from 'vitest';
import { codeLangs, fileNamesOf, mediaTypeOf, mediaTypeOfBytes } from '../../src/domain/media.ts';

describe('file names of programming languages', () => {
  it('are recognised as the language that lists them', () => {
    for (const lang of codeLangs())
      for (const name of fileNamesOf(lang))
        expect(mediaTypeOf(`folder/${name.replace('*', 'name')}`), name).toEqual({ kind: 'code', lang });
  });

  it('are listed as patterns, whole names first', () => {
    expect(fileNamesOf('rust')).toEqual(['*.rs']);
    expect(fileNamesOf('dockerfile')).toEqual(['Dockerfile', 'Dockerfile.*', 'Containerfile', '*.dockerfile']);
    expect(fileNamesOf('cobol')).toEqual([]);
    expect(codeLangs()).toContain('go-mod');
  });
});

describe('mediaTypeOfBytes', () => {
  it.each<[string, readonly number[] | string, string, unknown]>([
    ['a PDF', '%PDF-1.7 and', 'paper', { kind: 'pdf' }],
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'x.dat', { kind: 'image', type: 'png' }],
    ['a JPEG', [0xff, 0xd8, 0xff, 0xe0], '', { kind: 'image', type: 'jpeg' }],
    ['a GIF', 'GIF89a', 'g', { kind: 'image', type: 'gif' }],
    ['a WebP', 'RIFF1234WEBP', 'w', { kind: 'image', type: 'webp' }],
    ['a TIFF', [0x49, 0x49, 0x2a, 0], 'scan', { kind: 'image', type: 'tiff' }],
    ['a camera raw file', [0x49, 0x49, 0x2a, 0], 'img.nef', null],
    ['a script', '#!/bin/sh\nls\n', 'run', { kind: 'code', lang: 'shell' }],
    ['a script followed by zeros', '#!/bin/sh\0\0\0', 'run', { kind: 'code', lang: 'shell' }],
    ['a script with an interpreter version', '#! /usr/bin/python3.12 -u\n', 'tool', { kind: 'code', lang: 'python' }],
    ['a script by env', '#!/usr/bin/env node\n', 'cli.in', { kind: 'code', lang: 'javascript' }],
    ['a script by env with options', '#!/usr/bin/env -S -i deno run\r\n', 'cli', { kind: 'code', lang: 'typescript' }],
    ['a script with an unknown interpreter', '#!/opt/bin/frobnicate\n', 'run', null],
    ['a script that names a directory', '#!/usr/bin/sh/x\n', 'run', null],
    ['a comment', '#! sh\n', 'run', null],
    ['nothing known', 'RIFF1234WAVE', 'sound', null],
  ])('recognises %s', (_what, head, name, media) => {
    const bytes = typeof head === 'string' ? new TextEncoder().encode(head) : Uint8Array.from(head);
    expect(mediaTypeOfBytes(bytes, name)).toEqual(media);
  });
});
