// What the packages are published as: the one place to change it.

/** The folders of the packages that are published; everything else goes into the bundle of the command line. */
export const PUBLISHED = [
  'core',
  'kits/plugin',
  'kits/code',
  'kits/formats',
  'plugins/docx',
  'plugins/xlsx',
  'plugins/pptx',
  'plugins/epub',
  'plugins/eml',
  'create-kebab-plugin',
  'host-cli',
];

/**
 * Names under which packages are published, where they differ from those in this repository; imports in what is published follow.
 * Should the scope @kebab be somebody else's: `{ '@kebab/cli': 'kebab-cli', '@kebab/core': 'kebab-core' }` and so on.
 */
export const NAMES = {};

/** Members of every published package.json. */
export const ABOUT = { license: 'MIT', author: 'The authors of kebab', engines: { node: '^20.19 || >=22.14' } };

/**
 * `repository` of a published package.json: the address that its checkout was cloned from, without what is secret in it, and the
 * folder of the package. Nothing where there is none, or where it leads nowhere for others.
 */
export function repositoryOf(remote, directory) {
  const [, user, host, path] = /^([\w.-]+)@([\w.-]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  const written = host === undefined ? remote : `ssh://${user}@${host}/${path}`;
  if (!URL.canParse(written)) return {};
  const url = new URL(written);
  if (!/^(?:git\+)?(?:https|ssh|git):$/.test(url.protocol) || url.hostname === '') return {};
  url.password = '';
  if (url.protocol.endsWith('https:')) url.username = '';
  return { repository: { type: 'git', url: `git+${url.href}`.replace('git+git', 'git'), directory } };
}
