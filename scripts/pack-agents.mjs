// Builds what agents install, from integrations/agents.json and the templates and files beside it: `node scripts/pack-agents.mjs [FOLDER]`
// (dist/agents).
//
//   server.json         the entry of the MCP registry, whose name is the `mcpName` of the published package
//   kebab-VERSION.mcpb  an MCP bundle, for Claude Desktop
//   claude codex cursor gemini   a plugin each: the server, the skill, a sub-agent for searches, and a hook that adds `kebab status`
//
// Everything starts the published package with npx, so that no plugin contains a copy of it.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { NAMES } from './published.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = path.join(root, 'integrations');
const PLUGINS = ['claude', 'codex', 'cursor', 'gemini'];

/** Writes everything into a folder, which is emptied first. */
export function packAgents(folder) {
  const { name, version, engines, mcpName } = JSON.parse(
    readFileSync(path.join(root, 'host-cli/package.json'), 'utf8'),
  );
  const manifest = JSON.parse(readFileSync(path.join(SOURCE, 'agents.json'), 'utf8'));
  if (mcpName !== manifest.registryName)
    throw new Error(`the mcpName of host-cli is ${mcpName}, the registryName in integrations/agents.json is not`);
  const values = { ...manifest, package: NAMES[name] ?? name, version, node: engines.node };
  rmSync(folder, { recursive: true, force: true });
  for (const file of readdirSync(path.join(SOURCE, 'templates'), { recursive: true }))
    if (file.endsWith('.json')) write(path.join(folder, file), filledIn(path.join(SOURCE, 'templates', file), values));
  for (const plugin of PLUGINS) {
    for (const part of ['skills', 'agents', 'icon.png'])
      cpSync(path.join(SOURCE, part), path.join(folder, plugin, part), { recursive: true });
    cpSync(path.join(SOURCE, 'programs/status.cjs'), path.join(folder, plugin, 'hooks/status.cjs'));
  }
  const bundle = {
    'manifest.json': readFileSync(path.join(folder, 'bundle/manifest.json')),
    'icon.png': readFileSync(path.join(SOURCE, 'icon.png')),
    'server/start.cjs': readFileSync(path.join(SOURCE, 'programs/start.cjs')),
  };
  write(path.join(folder, `kebab-${version}.mcpb`), zipSync(bundle, { mtime: new Date(1980, 0, 1) })); // the same bytes each time
  rmSync(path.join(folder, 'bundle'), { recursive: true });
}

/** A template with a value for each `{{name}}`; alone in quotes, the value may be a list. */
function filledIn(file, values) {
  const valueOf = (name) => {
    if (values[name] === undefined) throw new Error(`${file} has a place for ${name}, which has no value`);
    return values[name];
  };
  return readFileSync(file, 'utf8')
    .replace(/"\{\{(\w+)\}\}"/g, (_, name) => JSON.stringify(valueOf(name)))
    .replace(/\{\{(\w+)\}\}/g, (_, name) => JSON.stringify(valueOf(name)).slice(1, -1));
}

function write(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist/agents'));
  packAgents(folder);
  for (const file of readdirSync(folder)) console.log(path.join(folder, file));
}
