import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishablePackages } from '../scripts/check-packages.mjs';
import { repositoryOf } from '../scripts/published.mjs';

const packages = publishablePackages();

describe('the README of every published package', () => {
  it('exists, begins with the name of the package, and has an example, in at most 40 lines', () => {
    expect(packages.length).toBeGreaterThan(9);
    for (const { folder, manifest } of packages) {
      const lines = readmeOf(folder).trimEnd().split('\n');
      expect(lines[0]).toBe(`# ${manifest.name}`);
      expect([manifest.name, lines.length <= 40]).toEqual([manifest.name, true]);
      expect([manifest.name, lines.some((line) => line.startsWith('```'))]).toEqual([manifest.name, true]);
    }
  });

  it('links only to existing files', () => {
    for (const { folder } of packages)
      for (const [, target = ''] of readmeOf(folder).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g))
        expect([path.join(folder, target), existsSync(path.join(folder, target))]).toEqual([
          path.join(folder, target),
          true,
        ]);
  });
});

describe('the repository that a published package names', () => {
  it.each([
    ['https://git.example/kebab.git', 'git+https://git.example/kebab.git'],
    ['https://ana:secret@git.example/kebab.git', 'git+https://git.example/kebab.git'],
    ['git@git.example:ana/kebab.git', 'git+ssh://git@git.example/ana/kebab.git'],
    ['ssh://git@git.example/ana/kebab.git', 'git+ssh://git@git.example/ana/kebab.git'],
    ['git://git.example/kebab.git', 'git://git.example/kebab.git'],
  ])('is where its checkout came from: %s', (remote, url) => {
    expect(repositoryOf(remote, 'core')).toEqual({ repository: { type: 'git', url, directory: 'core' } });
  });

  it.each(['', '/home/ana/kebab', '../kebab', 'file:///home/ana/kebab', 'C:\\kebab'])(
    'is left out when nobody else could reach it: %j',
    (remote) => {
      expect(repositoryOf(remote, 'core')).toEqual({});
    },
  );
});

function readmeOf(folder: string): string {
  return readFileSync(path.join(folder, 'README.md'), 'utf8');
}
