import { describe, expect, it } from 'vitest';
import { deniedAccess } from '../../src/plugin/plugin-failure.ts';

const denied = (permission: string, resource?: string): Error =>
  Object.assign(new Error('Access to this API has been restricted.'), {
    code: 'ERR_ACCESS_DENIED',
    permission,
    resource,
  });

describe('deniedAccess', () => {
  it('describes the denied access and the declaration that allows it', () => {
    expect(deniedAccess(denied('FileSystemWrite', '/etc/x'))).toBe(
      'it may not write /etc/x: context.tmpDir is for passing files',
    );
    expect(deniedAccess(denied('FileSystemWrite'))).toBe('it may not write files: context.tmpDir is for passing files');
    expect(deniedAccess(denied('ChildProcess', 'pandoc'))).toBe(
      'it did not declare that it starts pandoc: add it to permissions.spawn',
    );
  });

  it.each([denied('WASI'), new Error('no luck'), null, 'EACCES'])('ignores %s', (error) => {
    expect(deniedAccess(error)).toBeUndefined();
  });
});
