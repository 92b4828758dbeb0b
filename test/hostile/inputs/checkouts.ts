import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CliHome } from '../../../host-cli/test/fakes/built-cli.ts';
import type { Area, Bench, Outcome } from '../harness/area.ts';
import { problemOfRun, rawControlIn, watched } from '../harness/watched-process.ts';
import { inKnowledgeBase, LEXICAL } from './knowledge-base.ts';

/** Project files (`kebab.json` and the like) that a folder may contain; a command started in the folder reads each of them. */
const PROJECT_FILES: Readonly<Record<string, readonly [file: string, text: string | Uint8Array]>> = {
  'a plugin by path': ['kebab.json', '{"plugins":["./evil.mjs"]}'],
  'a plugin by name': ['kebab.json', '{"plugins":["kebab-plugin-evil"]}'],
  'a built-in plugin by name': ['kebab.json', '{"plugins":["@kebab/plugin-md","@kebab/plugin-store-sqlite"]}'],
  'a plugin with settings': ['kebab.json', '{"plugins":[{"name":"./evil.mjs","config":{"x":1},"enabled":true}]}'],
  'a plugin by URL': ['kebab.json', '{"plugins":["data:text/javascript,process.exit(9)"]}'],
  'a plugin by file URL': ['kebab.json', '{"plugins":["file:./evil.mjs"]}'],
  'plugins that are an object': ['kebab.json', '{"plugins":{"a":1}}'],
  'an import': ['kebab.json', '{"$import":"./evil.mjs"}'],
  'an import in YAML': ['kebab.yaml', '$import: ./evil.cjs\n'],
  'an import in TOML': ['kebab.toml', '"$import" = "./evil.mjs"\n'],
  'a function in YAML': ['kebab.yaml', 'search: !!js/function "function(){process.exit(9)}"\n'],
  'an object of YAML': ['kebab.yaml', '!!python/object/apply:os.system ["id"]\n'],
  'aliases of aliases': ['kebab.yaml', Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${Array.from({ length: 9 }, () => (i === 0 ? 'x' : `*a${i - 1}`)).join(', ')}]`).join('\n')],
  'a merge of everything': ['kebab.yaml', 'a: &a {x: 1}\nsearch:\n  <<: *a\n'],
  'a prototype': ['kebab.json', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}'],
  'a prototype in TOML': ['kebab.toml', '[__proto__]\npolluted = true\n'],
  'a database': ['kebab.json', '{"storage":{"sqlite":"./evil.sqlite"}}'],
  'a data folder': ['kebab.toml', '[storage]\ndata_dir = "./.kb"\n'],
  'the home folder as root': ['kebab.json', '{"workspace":{"root":"~"}}'],
  'the system as root': ['kebab.json', '{"workspace":{"root":"/"}}'],
  'a source outside': ['kebab.json', '{"workspace":{"sources":[{"id":"x","root":"/etc"}]}}'],
  'files for agents': ['kebab.json', '{"mcp":{"ingest_roots":["/"]}}'],
  'an address outside': ['kebab.json', '{"models":{"llm":{"endpoint":"http://192.0.2.1"}}}'],
  'an address that looks like loopback': ['kebab.json', '{"models":{"embedding":{"endpoint":"http://[::ffff:7f0:808]/"}}}'],
  'an address with a name before it': ['kebab.json', '{"models":{"llm":{"endpoint":"http://127.0.0.1@192.0.2.1/"}}}'],
  'an address of a store': ['kebab.json', '{"storage":{"qdrant":{"url":"http://192.0.2.1:6333"}}}'],
  'a model of the folder': ['kebab.json', '{"models":{"embedding":{"model":"./model"}}}'],
  'an API key from a variable': ['kebab.json', '{"models":{"llm":{"api_key":"${HOME}"}}}'],
  'escape sequences in a name': ['kebab.json', '{"plugins":["./\\u001b]0;PWNED\\u0007\\u001b[31mRED"]}'],
  'escape sequences in a key': ['kebab.json', '{"\\u001b[2J\\u001b]0;PWNED\\u0007":1}'],
  'escape sequences in a value': ['kebab.toml', 'schema_version = "\\u001b[2J"\n'],
  'no JSON': ['kebab.json', '{"search":'],
  'no TOML': ['kebab.toml', '[search\n= =\n'],
  'no YAML': ['kebab.yaml', 'a: [\n\t- b: {'],
  'nested lists': ['kebab.json', '['.repeat(100_000)],
  'nested tables': ['kebab.toml', `[${'a.'.repeat(20_000)}b]\n`],
  'nested YAML': ['kebab.yaml', '['.repeat(50_000)],
  'no UTF-8': ['kebab.json', Uint8Array.of(0xff, 0xfe, 0x7b)],
  'a NUL': ['kebab.toml', '\0'],
  'ten megabytes': ['kebab.json', `{"x":"${'y'.repeat(10_000_000)}"}`],
  'a number without end': ['kebab.toml', `search.default_k = ${'9'.repeat(100_000)}\n`],
  'a date as a number': ['kebab.toml', '[search]\ndefault_k = 2024-01-01\n'],
  'nothing': ['kebab.json', ''],
  'null': ['kebab.json', 'null'],
  'a list': ['kebab.json', '[]'],
  'a version of the future': ['kebab.json', '{"schema_version":99}'],
  'globs that take long': ['kebab.json', JSON.stringify({ workspace: { exclude: ['{,}'.repeat(30), '*a'.repeat(30), '**/a/'.repeat(30)] } })],
  'an excluded line of 40,000 letters': ['kebab.json', JSON.stringify({ workspace: { exclude: ['x'.repeat(40_000)] } })],
  'chunks of nothing': ['kebab.json', '{"chunking":{"target_tokens":0}}'],
  'a knowledge base of another machine': ['.kebab/config.toml', 'plugins = ["./evil.mjs"]\n'],
  'an environment file': ['.env', 'KEBAB_PLUGINS=./evil.mjs\n'],
  'a configuration that is code': ['kebab.config.js', 'process.exit(9)\n'],
  'cosmiconfig’s own folder': ['.config/config.js', 'process.exit(9)\n'],
  'a package that asks to be read': ['package.json', '{"kebab":{"plugins":["./evil.mjs"]}}'],
}; // prettier-ignore

/** Commands started in an untrusted folder: its code never runs, and its project file decides nothing security-relevant. */
export const CHECKOUTS: Area = {
  name: 'project files of an untrusted folder',
  replay: (bench) =>
    inKnowledgeBase(bench, async function* (home): AsyncGenerator<Outcome> {
      for (const [name, [file, text]] of bench.pick(Object.entries(PROJECT_FILES)))
        for (const line of [['search', 'wombat', '--json'], ['ingest', '--json'], ['doctor']])
          yield { name: `${name}, ${line[0]}`, problem: await inCheckout(bench, home, { file, text, line }) };
    }),
};

interface Checkout {
  readonly file: string;
  readonly text: string | Uint8Array;
  readonly line: readonly string[];
}

async function inCheckout({ cli }: Bench, home: CliHome, { file, text, line }: Checkout): Promise<string | null> {
  const folder = mkdtempSync(path.join(home.folder, 'checkout-'));
  const evil = `require('fs').writeFileSync(${JSON.stringify(path.join(folder, 'IT-RAN'))}, 'x');\n`;
  const module = evil.replace("require('fs')", "process.getBuiltinModule('fs')");
  const named = path.join(folder, 'node_modules', 'kebab-plugin-evil');
  try {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    mkdirSync(named, { recursive: true });
    writeFileSync(path.join(folder, file), text);
    for (const at of ['evil.cjs', 'index.js']) writeFileSync(path.join(folder, at), evil);
    writeFileSync(path.join(folder, 'evil.mjs'), `${module}export default {};\n`);
    writeFileSync(path.join(named, 'index.mjs'), `${module}export default {};\n`);
    writeFileSync(path.join(named, 'package.json'), '{"name":"kebab-plugin-evil","exports":"./index.mjs"}');
    const run = await watched(cli.start(line, { home, cwd: folder, env: LEXICAL }), { deadlineMs: 30_000 });
    if (existsSync(path.join(folder, 'IT-RAN'))) return 'code of the folder ran';
    if (existsSync(path.join(folder, 'evil.sqlite')) || existsSync(path.join(folder, '.kb')))
      return 'a database was made in it';
    return problemOfRun(run) ?? rawControlIn(run.stdout + run.stderr);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
