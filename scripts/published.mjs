// The names and metadata of published packages; the one place to change them.

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
 * Names under which packages are published, if they differ from those in this repository; imports in published packages are changed
 * accordingly. If the scope @kebab is taken: `{ '@kebab/cli': 'kebab-cli', '@kebab/core': 'kebab-core' }` and so on.
 */
export const NAMES = {};

/** Members of every published package.json. */
export const ABOUT = { license: 'MIT', author: 'The authors of kebab', engines: { node: '^20.19 || >=22.14' } };

/**
 * `repository` of a published package.json: the address that its checkout was cloned from, without credentials, and the folder of the
 * package. Undefined if there is none, or if it is not reachable for others.
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
