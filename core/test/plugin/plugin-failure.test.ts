import { describe, expect, it } from 'vitest';
import { deniedAccess, pluginFailure, withoutSecrets } from '../../src/plugin/plugin-failure.ts';

const denied = (permission: string, resource?: string): Error =>
  Object.assign(new Error('Access to this API has been restricted.'), {
    code: 'ERR_ACCESS_DENIED',
    permission,
    resource,
  });

describe('pluginFailure', () => {
  const site = { plugin: { name: 'p', version: '1.0.0' }, kind: 'extractor', stage: 'extract' };
  const thrownIn = (file: string, error: Error): Error =>
    Object.assign(error, {
      stack: `${error.name}: ${error.message}\n    at call (node:internal/x:1:1)\n    at build (file:///a/node_modules/@kebab/plugin/dist/i.js:9:9)\n    at toMarkdown (file://${file}:12:7)`,
    });

  it('names the file and line of a mistake in the code of a plugin', () => {
    expect(pluginFailure(thrownIn('/me/my%20plugin.mjs', new TypeError('x is not a function')), site).message).toBe(
      'p@1.0.0/extract failed: x is not a function (/me/my plugin.mjs:12:7)',
    );
  });

  it('leaves an error as it is that was thrown on purpose', () => {
    expect(pluginFailure(thrownIn('/me/p.mjs', new Error('the archive has no index')), site).message).toBe(
      'p@1.0.0/extract failed: the archive has no index',
    );
  });
});

describe('a thrown value that is no usual error', () => {
  const site = { plugin: { name: 'p', version: '1.0.0' }, kind: 'extractor', stage: 'extract' };
  const causeOf = (thrown: unknown): string => pluginFailure(withoutSecrets(thrown, ['hunter2']), site).message;

  it.each([
    ['an object without a prototype', Object.create(null)],
    ['nothing', null],
    ['a number', 7],
    ['an object that has no text', { toString: () => 7n as unknown as string, valueOf: () => ({}) }],
    ['an error whose message is an object', Object.assign(new Error('x'), { message: { status: 404 } })],
  ])('is a failure of the plugin: %s', (_, thrown) => {
    expect(causeOf(thrown)).toMatch(/^p@1\.0\.0\/extract failed: \S/);
  });

  it('is described by its message', () => {
    expect(causeOf({ status: 404, message: 'no such book' })).toBe('p@1.0.0/extract failed: no such book');
    expect(causeOf('no such book')).toBe('p@1.0.0/extract failed: no such book');
  });
});

describe('withoutSecrets', () => {
  it.each([
    ['is its own cause', (error: Error) => error],
    ['caused its cause', (error: Error) => new Error('reading', { cause: error })],
    [
      'has a hundred thousand causes',
      () => Array.from({ length: 100_000 }).reduce<Error>((cause) => new Error('c', { cause }), new Error('a')),
    ],
  ])('leaves out deep causes of an error that %s', (_, causeOf) => {
    const error = new Error('no key hunter2 here');
    error.cause = causeOf(error);
    const shown = withoutSecrets(error, ['hunter2']) as Error;
    expect(shown.message).not.toContain('hunter2');
    const chain: unknown[] = [];
    for (let link: unknown = shown; link instanceof Error && chain.length < 99; link = link.cause) chain.push(link);
    expect(chain.length).toBeLessThan(10);
  });

  it('masks every cause, also one that is thrown as a text', () => {
    const error = new Error('a', { cause: new Error('b hunter2', { cause: 'c hunter2' }) });
    const { cause } = withoutSecrets(error, ['hunter2']) as { readonly cause: Error };
    expect(`${cause.message} ${String(cause.cause)}`).not.toContain('hunter2');
    expect(withoutSecrets(new Error('a', { cause: 'b' }), ['hunter2'])).toMatchObject({ message: 'a', cause: 'b' });
  });
});

describe('deniedAccess', () => {
  it('describes the denied access and the declaration that allows it', () => {
    expect(deniedAccess(denied('FileSystemWrite', '/etc/x'))).toBe(
      'it may not write /etc/x: context.tmpDir is for passing files',
    );
    expect(deniedAccess(denied('FileSystemWrite'))).toBe('it may not write files: context.tmpDir is for passing files');
    expect(deniedAccess(denied('FileSystemRead', '/etc/x'))).toBe(
      'it may not read /etc/x: set permissions.fs to "input-only"',
    );
    expect(deniedAccess(denied('ChildProcess', 'pandoc'))).toBe(
      'it did not declare that it starts pandoc: add it to permissions.spawn',
    );
  });

  it.each([denied('WASI'), new Error('no luck'), null, 'EACCES'])('ignores %s', (error) => {
    expect(deniedAccess(error)).toBeUndefined();
  });
});
