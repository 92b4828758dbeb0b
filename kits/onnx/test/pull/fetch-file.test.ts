import { describe, expect, it } from 'vitest';
import { describeFile, fileUrl } from '../../src/pull/fetch-file.ts';

const file = 'onnx/model.onnx';
const url = 'https://hub.example/a/b/resolve/main/onnx/model.onnx';

describe('fileUrl', () => {
  it('escapes its parts, and accepts a trailing slash of the hub', () => {
    const place = { hub: 'https://hub.example/', repository: 'a/b', revision: 'refs/pr 1' };
    expect(fileUrl(place, 'onnx/model.onnx')).toBe('https://hub.example/a/b/resolve/refs%2Fpr%201/onnx/model.onnx');
  });
});

describe('describeFile', () => {
  it('uses the SHA-256 of large files and the git id of small ones', () => {
    const large = new Headers({ 'x-linked-etag': `"${'a1'.repeat(32)}"`, 'x-linked-size': '118', etag: '"zzz"' });
    expect(describeFile(file, url, large)).toMatchObject({
      bytes: 118,
      checksum: { kind: 'sha256', hex: 'a1'.repeat(32) },
    });
    const small = new Headers({ etag: `W/"${'b2'.repeat(20)}"`, 'content-length': '7', 'x-repo-commit': 'c3' });
    expect(describeFile(file, url, small)).toEqual({
      path: file,
      url,
      bytes: 7,
      checksum: { kind: 'git', hex: 'b2'.repeat(20) },
      commit: 'c3',
    });
  });

  it('returns no checksum if there are no headers', () => {
    expect(describeFile(file, url, new Headers({ etag: '"not a hash"' }))).toMatchObject({
      bytes: null,
      checksum: null,
    });
  });
});
