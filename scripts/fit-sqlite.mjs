// Installs the better-sqlite3 that fits this Node under the plain name. Version 12 runs on Node 20, but compiled for Node 24.19 or newer it
// crashes the process; version 13 runs on Node 22.14 and newer, but crashes the process on Node 20. The lock file can contain only one
// version per name, so 13 is locked as `better-sqlite3-13`, which npm skips on Node 20.
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const newer = path.join(modules, 'better-sqlite3-13');
const used = path.join(modules, 'better-sqlite3');

if (Number(process.versions.napi) >= 10 && existsSync(newer)) {
  rmSync(used, { recursive: true, force: true });
  renameSync(newer, used);
}
