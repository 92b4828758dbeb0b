import { describe, expect, it } from 'vitest';
import { expandPath, kebabVariablesIn, xdgFolders } from '../../src/config/expand-path.ts';

const scope = {
  env: { XDG_DATA_HOME: '/xdg', XDG_STATE_HOME: 'relative', KEBAB_DIR: '/k', KEBAB_EMPTY: '', USER: 'me' },
  homeDir: '/home/me',
  base: '/base',
  dataDir: '/data',
};

describe('expandPath', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['a/../b', '/base/b'],
    ['.', '/base'],
    ['~', '/home/me'],
    ['~/kb', '/home/me/kb'],
    ['~other/kb', '/base/~other/kb'],
    ['a/~/b', '/base/a/~/b'],
    ['$HOME/kb', '/home/me/kb'],
    ['$HOMES', '/base/$HOMES'],
    ['${HOME}/kb', '/home/me/kb'],
    ['${XDG_DATA_HOME:-~/.local/share}/kebab', '/xdg/kebab'],
    ['${XDG_CACHE_HOME:-~/.cache}/kebab', '/home/me/.cache/kebab'],
    ['${XDG_STATE_HOME:-/state}/kebab', '/state/kebab'],
    ['${KEBAB_DIR}/x', '/k/x'],
    ['${KEBAB_EMPTY:-/fallback}', '/fallback'],
    ['{data_dir}/kebab.sqlite', '/data/kebab.sqlite'],
    ['notes {draft} (1)', '/base/notes {draft} (1)'],
    ['한글 폴더', '/base/한글 폴더'],
  ])('makes %s absolute', (text, expected) => {
    expect(expandPath(text, scope)).toEqual({ kind: 'path', path: expected });
  });

  it.each([
    ['${USER}/x', 'uses ${USER}; only HOME, XDG_* and KEBAB_* may be used'],
    ['${KEBAB_MISSING}/x', 'uses ${KEBAB_MISSING}, which is not set'],
    ['${XDG_CACHE_HOME}/x', 'uses ${XDG_CACHE_HOME}, which is not set'],
    ['${KEBAB_DIR', 'holds a ${ that begins neither ${NAME} nor ${NAME:-default}'],
    ['${KEBAB_A:-${KEBAB_B:-c}}', 'holds a ${ that begins neither ${NAME} nor ${NAME:-default}'],
  ])('rejects %s', (text, cause) => {
    expect(expandPath(text, scope)).toEqual({ kind: 'problem', cause });
  });

  it('rejects {data_dir} while the data directory itself is being resolved', () => {
    expect(expandPath('{data_dir}/x', { ...scope, dataDir: null }).kind).toBe('problem');
  });

  it('does not expand the value of a variable again', () => {
    const env = { KEBAB_DIR: '/a $& ${KEBAB_DIR}' };
    expect(expandPath('${KEBAB_DIR}/x', { ...scope, env })).toEqual({ kind: 'path', path: '/a $& ${KEBAB_DIR}/x' });
  });
});

describe('kebabVariablesIn', () => {
  it('finds the variables that a path makes known', () => {
    expect(kebabVariablesIn('${KEBAB_A}/${XDG_B:-x}/$HOME/${KEBAB_C:-d}')).toEqual(['KEBAB_A', 'KEBAB_C']);
  });
});

describe('xdgFolders', () => {
  it('lie below the home directory by default', () => {
    expect(xdgFolders({}, '/home/me')).toEqual({
      config: '/home/me/.config/kebab',
      data: '/home/me/.local/share/kebab',
      cache: '/home/me/.cache/kebab',
      state: '/home/me/.local/state/kebab',
      git: {
        home: '/home/me',
        configs: ['/home/me/.config/git/config', '/home/me/.gitconfig'],
        ignore: '/home/me/.config/git/ignore',
      },
    });
  });

  it('follow the variables; empty and relative ones count as unset', () => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '', XDG_CACHE_HOME: 'cache', XDG_STATE_HOME: '/s' };
    expect(xdgFolders(env, '/home/me')).toEqual({
      config: '/c/kebab',
      data: '/home/me/.local/share/kebab',
      cache: '/home/me/.cache/kebab',
      state: '/s/kebab',
      git: { home: '/home/me', configs: ['/c/git/config', '/home/me/.gitconfig'], ignore: '/c/git/ignore' },
    });
  });
});
