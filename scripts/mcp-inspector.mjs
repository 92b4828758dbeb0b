// Calls the MCP host over a pipe with the command line of the official Inspector, in both eras of the protocol: lists tools (the Inspector
// validates their schemas), ingests a note, searches it, lists resources and prompts. The Inspector is installed into a temporary folder
// and kept there. Exits with 3 if the npm registry cannot be reached.
//   node scripts/mcp-inspector.mjs [--folder FOLDER]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, nodeForTools, runWithTools, toolFolder } from './mcp-install.mjs';

const INSPECTOR = { name: '@modelcontextprotocol/inspector', version: '2.12.0' };
/** A guard against hangs: a call takes some seconds. */
const CALL_LIMIT_MS = 60_000;
const TOOLS =
  'search bulk_search grep ask fetch symbol list_docs schema doctor verify_citation related ingest_file ingest_stdin'.split(
    ' ',
  );
const PROMPTS = ['ask_kb', 'answer_with_citations', 'explain_miss'];
const ERAS = { legacy: '2025-11-25', modern: '2026-07-28' };
/** The calls, and the expected parts of their results. */
const CALLS = [
  { method: 'tools/list', more: ['--strict'], isRight: ({ tools }) => same(namesOf(tools), TOOLS) },
  {
    method: 'tools/call',
    more: ['--tool-name', 'ingest_file', '--tool-arg', 'path=tea.md'],
    isRight: ({ structuredContent }) => structuredContent.errors === 0,
  },
  {
    method: 'tools/call',
    more: ['--tool-name', 'search', '--tool-arg', 'query=eighty', '--tool-arg', 'mode=lexical'],
    isRight: ({ structuredContent, content }) =>
      structuredContent.hits[0].snippet.includes('eighty degrees') &&
      content[0].text.includes(structuredContent.hits[0].uri),
  },
  {
    method: 'tools/call',
    more: '--tool-name search --tool-arg query=eighty --tool-arg detail=full --tool-arg mode=lexical'.split(' '),
    isRight: ({ structuredContent, content }) => same(JSON.parse(content[0].text), structuredContent),
  },
  {
    method: 'resources/list',
    more: [],
    isRight: ({ resources }) =>
      resources.length > 0 && resources.every(({ uri }) => /^kebab:\/\/doc\/[0-9a-f]{32}$/.test(uri)),
  },
  { method: 'prompts/list', more: [], isRight: ({ prompts }) => same(namesOf(prompts), PROMPTS) },
];

const root = new URL('..', import.meta.url);

await runWithTools(async () => {
  const folder = toolFolder(process.argv);
  const node = nodeForTools(folder);
  const program = path.join(install(folder, INSPECTOR), 'clients', 'launcher', 'build', 'index.js');
  let allFine = true;
  for (const era of Object.keys(ERAS)) {
    const home = newHome();
    try {
      for (const { method, more, isRight } of CALLS) {
        const line = [program, '--cli', '--quiet', '--protocol-era', era, '--cwd', home.notes, ...environment(home)];
        const { stdout, stderr, status } = spawnSync(node, [...line, ...more, '--method', method, ...home.server], {
          cwd: home.folder,
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: home.folder },
          timeout: CALL_LIMIT_MS,
        });
        const fine = status === 0 && isRight(JSON.parse(stdout));
        console.log(`${ERAS[era]} ${[method, ...more].join(' ')}: ${fine ? 'ok' : 'NOT as expected'}`);
        if (!fine) console.log(stdout, stderr);
        allFine &&= fine;
      }
    } finally {
      rmSync(home.folder, { recursive: true, force: true });
    }
  }
  return allFine;
});

/** A folder with a note, and the command line that starts the server from its sources. */
function newHome() {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-inspector-'));
  const notes = path.join(folder, 'notes');
  mkdirSync(notes);
  writeFileSync(path.join(notes, 'tea.md'), '# Tea\n\nGreen tea is steeped at eighty degrees.\n');
  const start = path.join(folder, 'start.mjs');
  const main = new URL('host-mcp/src/main.ts', root).href;
  writeFileSync(start, `const { main } = await import(${JSON.stringify(main)});\nawait main([]);\n`);
  const hooks = fileURLToPath(new URL('scripts/run-ts.mjs', root));
  return { folder, notes, server: [process.execPath, '--import', hooks, start] };
}

function environment({ folder, notes }) {
  return ['-e', `HOME=${folder}`, '-e', `KEBAB_WORKSPACE_ROOT=${notes}`, '-e', 'KEBAB_MODELS_EMBEDDING_PROVIDER=none'];
}

function namesOf(things) {
  return things.map(({ name }) => name);
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
