import { describe, expect, it } from 'vitest';
import { xdgFolders } from '../../src/config/xdg-folders.ts';

describe('xdgFolders', () => {
  it('lie below the home directory by default', () => {
    expect(xdgFolders({}, '/home/me')).toEqual({
      config: '/home/me/.config/kebab',
      data: '/home/me/.local/share/kebab',
      cache: '/home/me/.cache/kebab',
      state: '/home/me/.local/state/kebab',
    });
  });

  it('follow the variables; empty and relative ones count as unset', () => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '', XDG_CACHE_HOME: 'cache', XDG_STATE_HOME: '/s' };
    expect(xdgFolders(env, '/home/me')).toEqual({
      config: '/c/kebab',
      data: '/home/me/.local/share/kebab',
      cache: '/home/me/.cache/kebab',
      state: '/s/kebab',
    });
  });
});
