#!/usr/bin/env node
'use strict';
// Plain, committed JavaScript: npm links it and marks it executable before anything is built.
const { enableCompileCache } = require('node:module');

if (enableCompileCache !== undefined) keepCompiledCode(); // from Node 22.1 on
void require('../dist/bundle/main.cjs').main(process.argv.slice(2));

/** Lets Node keep compiled code in the user's own cache. It is executed, so no other user may be able to write any folder of the path. */
function keepCompiledCode() {
  const base = process.env.XDG_CACHE_HOME || `${homeOr('')}/.cache`;
  if (!require('node:path').isAbsolute(base) || base === '/.cache') return; // there is no home directory
  const folders = [base, `${base}/kebab`, `${base}/kebab/code`];
  if (folders.every(isOwn)) enableCompileCache(folders[2]);
}

/** The home directory, which throws for a user without one. */
function homeOr(other) {
  try {
    return require('node:os').homedir();
  } catch {
    return other;
  }
}

/** Makes a missing folder: alone, because Node's recursive mkdir never returns if making one fails with `ENOENT`, as in `/proc`. */
function isOwn(folder) {
  const { existsSync, mkdirSync, statSync } = require('node:fs');
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o002) === 0);
  } catch {
    return false;
  }
}
