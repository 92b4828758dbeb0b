// Puts the better-sqlite3 in its place that fits this Node. Version 12 runs on Node 20, but what is compiled of it for Node 24.19 or newer
// ends the process; version 13 runs on Node 22.14 and newer, and ends the process on Node 20. The lock file has room for one version under
// a name, so that 13 is locked as `better-sqlite3-13`, which npm leaves out on Node 20.
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
