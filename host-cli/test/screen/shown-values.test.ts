import { describe, expect, it } from 'vitest';
import { homePath } from '../../src/screen/shown-values.ts';

describe('homePath', () => {
  it.each([
    ['/home/ada', '~'],
    ['/home/ada/kb/a.md', '~/kb/a.md'],
    ['edit /home/ada/x then `/home/ada/y`', 'edit ~/x then `~/y`'],
    ['/home/adalbert/x', '/home/adalbert/x'],
    ['/srv/home/ada/x', '/srv/home/ada/x'],
    ['["/home/ada/kb"]', '["~/kb"]'],
  ])('shows %s as %s', (text, shown) => {
    expect(homePath(text, '/home/ada')).toBe(shown);
  });

  it('leaves paths unchanged if home is the root or unknown', () => {
    expect([homePath('/a/b', '/'), homePath('/a/b', '')]).toEqual(['/a/b', '/a/b']);
  });

  it('treats special characters in the name of the home folder literally', () => {
    expect(homePath('/home/a.b+c/x', '/home/a.b+c')).toBe('~/x');
    expect(homePath('/home/aXb+c/x', '/home/a.b+c')).toBe('/home/aXb+c/x');
  });
});
