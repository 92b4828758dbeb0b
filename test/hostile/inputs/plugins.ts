import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Area, Outcome } from '../harness/area.ts';
import { problemOfRun, watched } from '../harness/watched-process.ts';
import { DOCUMENTS, LEXICAL } from './knowledge-base.ts';

/** Code of a hostile extractor; the user has configured the plugin. */
const EXTRACTIONS: Readonly<Record<string, string>> = {
  'throws an error': "throw new Error('no')",
  'throws a text': "throw 'no'",
  'throws nothing': 'throw undefined',
  'throws a promise': 'throw Promise.resolve(1)',
  'throws an error that cannot be read': "throw { get message() { throw new Error('again'); } }",
  'never ends': 'await new Promise(() => {})',
  'never gives way': 'for (;;);',
  'ends the process': 'process.exit(7)',
  'aborts the process': 'process.abort()',
  'kills the process': "process.kill(process.pid, 'SIGKILL')",
  'leaves a rejection': 'void Promise.reject(new Error()); return good(text)',
  'throws later':
    'setTimeout(() => { throw new Error() }, 1); await new Promise((r) => setTimeout(r, 50)); return good(text)',
  'returns nothing': 'return undefined',
  'returns null': 'return null',
  'returns a text': "return 'text'",
  'returns a number': 'return 7',
  'returns what cannot be copied': 'return { ...good(text), more: () => 1 }',
  'returns what contains itself': 'const a = good(text); a.self = a; return a',
  'returns no blocks': 'return { text, blocks: [] }',
  'returns blocks that are none': 'return { text, blocks: [null, 1, {}] }',
  'returns blocks beyond the text': 'return { text, blocks: [{ ...block(text), end: 1e9 }] }',
  'returns blocks before the text': 'return { text, blocks: [{ ...block(text), start: -5 }] }',
  'returns blocks that end before they begin': 'return { text, blocks: [{ ...block(text), start: 5, end: 1 }] }',
  'returns blocks in the wrong order':
    'return { text, blocks: [{ ...block(text), start: 3 }, { ...block(text), end: 2 }] }',
  'returns places that are none':
    "return { text, blocks: [{ ...block(text), sourceSpan: { kind: 'line', start: 0, end: -1 } }] }",
  'returns places of no kind': "return { text, blocks: [{ ...block(text), sourceSpan: { kind: 'moon' } }] }",
  'returns half a character': "return { text: text + '\\ud800', blocks: [{ ...block(text) }] }",
  'returns another text': "return { text: 'x', blocks: [block(text)] }",
  'returns a text of 300 MB': "return good('x'.repeat(300e6))",
  'returns a million blocks': 'return { text, blocks: Array.from({ length: 1e6 }, () => block(text)) }',
  'returns headings of a megabyte': "return { text, blocks: [{ ...block(text), headingPath: ['x'.repeat(1e6)] }] }",
  'returns a getter that throws': 'return { get text() { throw new Error() }, blocks: [] }',
  'returns a proxy': 'return new Proxy(good(text), { get() { throw new Error() } })',
  'takes a gigabyte': 'const all = []; for (;;) all.push(new Array(1e6).fill(text))',
  'takes buffers': 'const all = []; for (;;) all.push(Buffer.alloc(64e6, 1))',
  'changes the prototype of objects':
    "Object.prototype.polluted = 'yes'; Array.prototype.push = () => { throw new Error() }; return good(text)",
  'takes console, timers and process away':
    'globalThis.setTimeout = () => { throw new Error() }; delete globalThis.process; return good(text)',
  'writes to standard output': "process.stdout.write('PWNED'); console.log('PWNED'); return good(text)",
  'writes escape sequences': "process.stderr.write('\\u001b[2J'); return good(text)",
};

/** Modules that are not plugins. */
const MODULES: Readonly<Record<string, string>> = {
  'an empty module': '',
  'a syntax error': 'export default {',
  'a module that throws': "throw new Error('no')",
  'a module that exits': 'process.exit(7)',
  'a module that never ends': 'await new Promise(() => {})',
  'a number': 'export default 7',
  'a function': 'export default () => {}',
  'no name': "export default { version: '1.0.0', apiVersion: 1, contributes: {} }",
  'a name of the prototype': "export default { name: '__proto__', version: '1.0.0', apiVersion: 1, kebab: '*', contributes: {} }",
  'a name of a built-in': "export default { name: '@kebab/plugin-md', version: '9.0.0', apiVersion: 1, kebab: '*', contributes: {} }",
  'a version of the interface to come': "export default { name: 'a', version: '1.0.0', apiVersion: 99, kebab: '*', contributes: {} }",
  'a contribution of no kind': "export default { name: 'a', version: '1.0.0', apiVersion: 1, kebab: '*', contributes: { moon: { a: () => 1 } } }",
  'a factory that throws': "export default { name: 'a', version: '1.0.0', apiVersion: 1, kebab: '*', contributes: { retriever: { a: () => { throw new Error() } } } }",
  'a factory that returns nothing': "export default { name: 'a', version: '1.0.0', apiVersion: 1, kebab: '*', contributes: { extractor: { a: () => undefined } } }",
  'getters that throw': "export default { get name() { throw new Error() } }",
}; // prettier-ignore

function pluginThat(extraction: string): string {
  return `const block = (text) => ({ kind: 'paragraph', start: 0, end: text.length, headingPath: [], sourceSpan: { kind: 'line', start: 1, end: 1 } });
const good = (text) => ({ text, blocks: [block(text)] });
export default {
  name: 'odd', version: '1.0.0', apiVersion: 1, kebab: '*', permissions: { fs: 'none', net: [], spawn: [] },
  contributes: { extractor: { odd: () => ({
    id: 'odd', version: '1', match: { extensions: ['odd'] }, isolation: 'worker', fingerprint: () => 'odd@1',
    supports: (media) => media.kind === 'other' && media.ext === 'odd',
    parserVersion: () => 'odd-v1', chunkerId: () => 'text-paragraph-v1',
    extract: async ({ bytes }) => { const text = new TextDecoder().decode(bytes); ${extraction}; },
  }) } },
};
`;
}

const PLUGINS: readonly { readonly name: string; readonly source: string; readonly endsRun: boolean }[] = [
  ...Object.entries(EXTRACTIONS).map(([name, extraction]) => ({
    name: `an extractor that ${name}`,
    source: pluginThat(extraction),
    endsRun: false,
  })),
  ...Object.entries(MODULES).map(([name, source]) => ({ name, source, endsRun: name.includes('exits') })),
];

/** Configured plugins that do harm: they may fail, but no document is lost. */
export const HOSTILE_PLUGINS: Area = {
  name: 'hostile plugins',
  isLong: true,
  async *replay({ cli, pick }): AsyncGenerator<Outcome> {
    for (const { name, source, endsRun } of pick(PLUGINS)) {
      const home = cli.newHome();
      try {
        for (const [file, text] of Object.entries(DOCUMENTS)) home.write(file, text);
        home.write('a.odd', 'an odd file\n');
        const plugin = path.join(home.folder, 'odd.mjs');
        writeFileSync(plugin, source);
        const env = { ...LEXICAL, KEBAB_INDEXING_EXTRACT_TIMEOUT_S: '5', KEBAB_INDEXING_EXTRACT_MEMORY_MB: '512' };
        const line = ['ingest', '--json', '--quiet', '--plugin', plugin];
        let run = await watched(cli.start(line, { home, env }), { deadlineMs: 40_000 });
        if (run.endedBy === null && problemOfRun(run) !== null && !endsRun)
          run = await watched(cli.start(line, { home, env })); // a file that was being read moves to the end of the next run
        const plain = await watched(cli.start(['ingest', '--quiet'], { home, env }));
        const found = await watched(cli.start(['search', 'eighty degrees', '--json'], { home, env }));
        const isFound = found.stdout.includes('"notes/tea.md"') ? null : 'a document beside it is not found';
        const first = endsRun && run.endedBy === null ? null : problemOfRun(run);
        yield { name, problem: first ?? problemOfRun(plain) ?? isFound };
      } finally {
        rmSync(home.folder, { recursive: true, force: true });
      }
    }
  },
};
