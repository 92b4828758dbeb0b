import { describe, expect, it } from 'vitest';
import { looksLikeUrl, REPOSITORY_URL, repositoryNameIn } from '../../src/git/repository-source.ts';

describe('REPOSITORY_URL', () => {
  it.each([
    ['https://host.example/team/widgets', 'widgets'],
    ['https://host.example:8443/team/widgets.git', 'widgets'],
    ['http://192.0.2.7/widgets.git/', 'widgets'],
    ['https://host.example/~kim/%ED%95%9C%EA%B8%80.git', '%ED%95%9C%EA%B8%80'],
    ['ssh://git@host.example/team/widgets.git', 'widgets'],
    ['ssh://host.example:2222/srv/widgets', 'widgets'],
    ['git@host.example:team/widgets.git', 'widgets'],
    ['deploy.bot@10.0.0.2:widgets.v2.git', 'widgets.v2'],
    ['git://host.example/widgets', 'widgets'],
    ['file:///srv/git/widgets.git', 'widgets'],
    ['file:///home/kim/my widgets/.git', 'my widgets'],
  ])('accepts %s, whose name is %s', (url, name) => {
    expect(looksLikeUrl(url)).toBe(true);
    expect(REPOSITORY_URL.test(url)).toBe(true);
    expect(repositoryNameIn(url)).toBe(name);
  });

  it.each([
    'ext::sh -c touch% /tmp/x',
    'fd::17',
    'hg::https://host.example/widgets',
    'https://kim:secret@host.example/widgets.git',
    'https://token@host.example/widgets.git',
    'ssh://-oProxyCommand=touch/widgets',
    'ssh://git:secret@host.example/widgets',
    'git@-oProxyCommand=x:widgets',
    'git@host.example:-widgets',
    'git@host.example::widgets',
    'https://-host/widgets',
    'https:///widgets',
    'https://host.example/a b',
    'https://host.example/a\nb',
    'ftp://host.example/widgets',
    'rsync://host.example/widgets',
    'file://host.example/widgets',
    'javascript:alert(1)',
    '--upload-pack=touch',
    '-u',
    '',
  ])('rejects %j', (url) => {
    expect(REPOSITORY_URL.test(url)).toBe(false);
  });
});

describe('looksLikeUrl', () => {
  it.each(['notes', './notes', '/srv/git', 'C:\\notes', 'my@notes', 'a:b', '한글/노트'])(
    'takes %s as a path',
    (text) => {
      expect(looksLikeUrl(text)).toBe(false);
    },
  );
});
