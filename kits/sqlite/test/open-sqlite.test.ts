import { isKebabError } from '@kebab/core';
import { describe, expect, it } from 'vitest';
import { bindingFailure, checkLibrary } from '../src/open-sqlite.ts';

describe('checkLibrary', () => {
  it.each([
    ['12.11.1', 9, '20.20.2'],
    ['12.11.1', 10, '22.14.0'],
    ['13.2.0', 10, '22.14.0'],
    ['13.2.0', 10, '24.21.0'],
    ['14.0.0', 11, '26.0.0'],
  ])('lets better-sqlite3 %s run with Node-API %i', (library, nodeApi, node) => {
    expect(() => checkLibrary({ library, nodeApi, node }, 'a-plugin')).not.toThrow();
  });

  it.each([
    ['13.2.0', 9, '20.20.2', 'needs Node 22.14 or newer'],
    ['12.11.1', 10, '24.19.0', 'is not safe with Node 24 and newer'],
  ])('says that %s does not fit instead of letting the process crash', (library, nodeApi, node, why) => {
    const check = (): void => checkLibrary({ library, nodeApi, node }, 'a-plugin');
    expect(check).toThrow(`better-sqlite3 ${library} ${why}, this is Node ${node}`);
    expect(check).toThrow(expect.toSatisfy((error: unknown) => isKebabError(error, 'plugin_incompatible')));
  });
});

describe('bindingFailure', () => {
  const module = '/opt/kebab/node_modules/better-sqlite3/build/Release/better_sqlite3.node';
  const at = { node: '22.14.0', plugin: 'a-plugin' };
  const failed = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

  it.each([
    [
      'a binary for another Node',
      failed(
        `The module '${module}'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 127.`,
        'ERR_DLOPEN_FAILED',
      ),
      'was built for Node 20, this is Node 22.14.0',
    ],
    ['a binary for another system', failed(`${module}: invalid ELF header`, 'ERR_DLOPEN_FAILED'), 'invalid ELF header'],
    ['a missing binary', failed(`Could not locate the bindings file. Tried:\n → ${module}`), 'was never built'],
  ])('names the Node and the command for %s', (_, error, words) => {
    const failure = bindingFailure(error, at);
    expect(failure?.message).toContain(words);
    expect(failure?.hint).toBe('build it for this Node: npm rebuild better-sqlite3 --prefix "/opt/kebab"');
  });

  it('ignores every other failure', () => {
    expect(bindingFailure(failed('disk I/O error', 'SQLITE_IOERR'), at)).toBeNull();
    expect(bindingFailure('no error at all', at)).toBeNull();
  });
});
