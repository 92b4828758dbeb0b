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

/** Members of every published package.json. `repository` and `homepage` are to be filled in before the first release. */
export const ABOUT = { license: 'MIT', author: 'The authors of kebab', engines: { node: '^20.19 || >=22.14' } };
