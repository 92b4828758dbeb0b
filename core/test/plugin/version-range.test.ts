import { describe, expect, it } from 'vitest';
import { isInRange } from '../../src/plugin/read-manifest.ts';

describe('isInRange', () => {
  it.each([
    ['*', '0.0.0 0.1.0 9.9.9', ''],
    ['', '0.1.0', ''],
    ['^1', '1.0.0 1.9.9', '0.9.9 2.0.0'],
    ['^1.2.3', '1.2.3 1.3.0', '1.2.2 2.0.0'],
    ['^0.1.0', '0.1.0 0.1.7', '0.0.9 0.2.0'],
    ['^0.0.3', '0.0.3', '0.0.2 0.0.4'],
    ['^0', '0.0.0 0.9.0', '1.0.0'],
    ['~1.2.3', '1.2.3 1.2.9', '1.3.0'],
    ['~1', '1.9.0', '2.0.0'],
    ['1.2', '1.2.0 1.2.9', '1.1.9 1.3.0'],
    ['1.x', '1.0.0 1.9.0', '2.0.0'],
    ['=1.2.3', '1.2.3', '1.2.4'],
    ['v1.2.3', '1.2.3', '1.2.2'],
    ['>=0.1 <2', '0.1.0 1.9.9', '0.0.9 2.0.0'],
    ['> 1.2', '1.3.0', '1.2.9'],
    ['<= 1.2', '1.2.9', '1.3.0'],
    ['1.0 - 2.4', '1.0.0 2.4.9', '0.9.0 2.5.0'],
    ['^1.0.0 || ^3', '1.5.0 3.1.0', '2.0.0 4.0.0'],
    ['>=1.0.0-rc.1', '1.0.0', '0.9.0'],
  ])('parses %j', (range, inside, outside) => {
    const found = (versions: string): readonly unknown[] =>
      versions.split(' ').filter((version) => version !== '' && isInRange(version, range) === true);
    expect(found(`${inside} ${outside}`)).toEqual(inside.split(' '));
  });

  it.each(['newest', '1.2.3.4', '^', '>=1 and <2', '1..2', '||^'])('rejects the range %j', (text) => {
    expect(isInRange('1.0.0', text)).toBeNull();
  });
});
