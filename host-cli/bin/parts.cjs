'use strict';
// Resolves the libraries of optional parts, which the bundle requests by package name. They are in kebab's plugin folder, where `kebab
// plugin install` puts them, or, as in a checkout, installed beside kebab itself.
const { existsSync } = require('node:fs');
const { createRequire } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { parts } = require('../dist/bundle/parts/index.json');

/** Resolves a module of a part. Throws an error that names the command which installs the part. */
function resolve(specifier) {
  const part = parts.find(({ packages }) => packages.some((name) => `${specifier}/`.startsWith(`${name}/`)));
  const folder = part === undefined ? '' : path.join(dataFolder(), 'kebab', 'plugins', 'parts', part.folder);
  try {
    return (existsSync(folder) ? createRequire(path.join(folder, 'package.json')) : require).resolve(specifier);
  } catch (error) {
    if (part === undefined || error.code !== 'MODULE_NOT_FOUND') throw error;
    throw missing(part);
  }
}

/** Computed as in the core, which is not loaded when this runs. */
function dataFolder() {
  const set = process.env.XDG_DATA_HOME;
  return set !== undefined && path.isAbsolute(set) ? set : path.join(os.homedir(), '.local', 'share');
}

/** An error with the brand of `KebabError`. */
function missing({ name, summary }) {
  const hint = `\`kebab plugin install ${name}\``;
  const message = `${summary} needs a part of kebab that is not installed: ${hint}`;
  return Object.assign(new Error(message), {
    name: 'KebabError',
    code: 'model_not_pulled',
    details: { model: name, provider: 'kebab' },
    hint,
    [Symbol.for('@kebab/core/error')]: true,
  });
}

function isPresent({ probe }) {
  try {
    resolve(probe);
    return true;
  } catch {
    return false;
  }
}

module.exports = {
  load: async (specifier) => import(pathToFileURL(resolve(specifier)).href),
  /** Loads a CommonJS package synchronously. */
  require: (specifier) => require(resolve(specifier)),
  /** Replaces `require` in a module that resolves files of a package. */
  asRequire: { resolve },
  /** All parts, in the form in which the engine installs them. */
  list: () =>
    parts.map((part) => ({
      name: part.name,
      summary: part.summary,
      folder: part.folder,
      isPresent: () => isPresent(part),
      files: () => require(`../dist/bundle/parts/${part.name}.json`),
    })),
};
