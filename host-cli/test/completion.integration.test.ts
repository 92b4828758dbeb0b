import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli, type CliHome } from './fakes/built-cli.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const [hasBash, hasZsh, hasFish] = [has('bash'), has('zsh'), has('fish')];

let cli: BuiltCli;
let home: CliHome;

beforeAll(async () => {
  cli = await buildCli();
  home = cli.newHome();
  home.write('bread/sourdough.md', '---\ntags: [bread, food/sour]\n---\n# Bread\n\nabout sourdough\n');
  home.write('my folder/Übung am Teig.md', '# Übung\n\nDer Teig ruht lange und geht dann in den Ofen.\n');
  home.write('빵 노트.md', '# 빵\n\n빵을 만드는 방법을 적은 노트입니다.\n');
  mkdirSync(path.join(home.folder, 'new folder'));
  writeFileSync(path.join(home.folder, 'new folder', 'paper.pdf'), '');
  const kebab = path.join(home.folder, 'bin', 'kebab');
  mkdirSync(path.dirname(kebab));
  writeFileSync(kebab, `#!/bin/sh\nexec "${process.execPath}" "${cli.bin}" "$@"\n`);
  chmodSync(kebab, 0o755);
  await cli.run(['ingest'], { home });
}, 60_000);

afterAll(() => cli.remove());

function shell(program: string, args: readonly string[]): readonly string[] {
  const env = { ...home.env, PATH: `${path.join(home.folder, 'bin')}:${process.env['PATH'] ?? ''}`, LC_ALL: 'C.UTF-8' };
  const out = execFileSync(program, args, { encoding: 'utf8', cwd: home.folder, env });
  return out.split('\n').filter((line) => line !== '');
}

/** The text with which bash replaces `replaced`, the end of a line as split by readline; by default the last word. */
function inBash(line: string, replaced = line.slice(line.lastIndexOf(' ') + 1)): readonly string[] {
  const script = `source <(kebab completion bash)
COMP_LINE="$1"; COMP_POINT=\${#1}; _kebab kebab "$2" "" 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return shell('bash', ['-c', script, 'bash', line, replaced]);
}

describe('completion', { timeout: 60_000 }, () => {
  it.skipIf(!hasBash)('completes commands, flags and values in bash (skipped without it)', () => {
    expect(inBash('kebab se')).toEqual(['search', 'sessions', 'serve']);
    expect(inBash('kebab eval c')).toEqual(['compare']);
    expect(inBash('KEBAB_LOG=debug kebab search --mo')).toEqual(['--mode']);
    expect(inBash('kebab search x --mode ')).toEqual(['lexical', 'vector', 'hybrid']);
    expect(inBash('kebab search --mode=le', 'le')).toEqual(['lexical']);
    expect(inBash('kebab search --tag ')).toEqual(['bread', 'food/sour']);
    expect(inBash('kebab search --source d')).toEqual(['default']);
    expect(inBash('kebab search --lang k')).toEqual(['ko']);
    expect(inBash('kebab config set logging.level d')).toEqual(['debug']);
    expect(inBash('kebab models pull multilingual-e5-s')).toEqual(['multilingual-e5-small']);
  });

  it.skipIf(!hasBash)('completes paths with spaces and any letters in bash, as far as the next folder', () => {
    expect(inBash('kebab get ')).toEqual(['bread/', 'my folder/', '빵 노트.md']);
    expect(inBash('kebab get my\\ folder/', 'my\\ folder/')).toEqual(['my folder/Übung am Teig.md']);
    expect(inBash('kebab get "my folder/Ü', 'my folder/Ü')).toEqual(['my folder/Übung am Teig.md']);
    expect(inBash('kebab open 빵')).toEqual(['빵 노트.md']);
    expect(inBash('kebab ask what says @bre', '@bre')).toEqual(['@bread/']);
    expect(inBash('kebab ingest-file new\\ folder/', 'new\\ folder/')).toEqual(['new folder/paper.pdf']);
    expect(inBash('kebab try ~/ne')).toEqual(['~/new folder/']);
  });

  it.skipIf(!hasFish)('completes in fish (skipped without it)', () => {
    const inFish = (line: string) =>
      shell('fish', ['--no-config', '-c', `kebab completion fish | source; complete -C '${line}'`]);
    expect(inFish('kebab search --mode ')).toEqual(['hybrid', 'lexical', 'vector']);
    expect(inFish('kebab get my\\ folder/')).toEqual(['my folder/Übung am Teig.md']);
  });

  it.skipIf(!hasZsh)('completes in zsh (skipped without it)', () => {
    const inZsh = (word: string) =>
      shell('zsh', [
        '-f',
        '-c',
        `compdef() {}; compadd() { print -rl -- "\${(P@)@[-1]}" }; source <(kebab completion zsh)
words=(kebab get "$1"); CURRENT=3; PREFIX="$1"; _kebab`,
        'zsh',
        word,
      ]);
    expect(inZsh('bre')).toEqual(['bread/']);
    expect(inZsh('my\\ folder/')).toEqual(['my folder/Übung am Teig.md']);
  });

  it('completes ids of chunks and documents from their first digits', async () => {
    const { stdout } = await cli.run(['list', 'docs', '--json'], { home });
    const { doc_id: id } = JSON.parse(stdout.split('\n')[0] ?? '') as { readonly doc_id: string };
    const ofDocument = await cli.run(['complete', '--', 'search', '--doc-id', id.slice(0, 6)], { home });
    expect(ofDocument.stdout).toBe(`${id}\n`);
    const found = await cli.run(['search', 'sourdough', '--json'], { home });
    const [hit] = (JSON.parse(found.stdout) as { readonly hits: readonly { readonly chunk_id: string }[] }).hits;
    const chunk = hit?.chunk_id ?? '';
    const ofChunk = await cli.run(['complete', '--', 'fetch', 'chunk', chunk.slice(0, 6)], { home });
    expect(ofChunk.stdout).toBe(`${chunk}\n`);
  });

  it('prints nothing and writes no files on any failure', async () => {
    const fresh = cli.newHome();
    const before = readdirSync(fresh.folder);
    for (const words of [
      ['get', ''],
      ['sessions', 'show', ''],
      ['ingest-file', 'no/such/'],
      ['get', '/no/such/'],
    ]) {
      const run = await cli.run(['complete', '--', ...words], { home: fresh });
      expect(run).toMatchObject({ code: 0, stdout: '' });
    }
    expect(readdirSync(fresh.folder)).toEqual(before);
    fresh.write('../config/kebab/config.toml', 'search = 7\n');
    const broken = await cli.run(['complete', '--', 'search', '--tag', ''], { home: fresh });
    expect(broken).toMatchObject({ code: 0, stdout: '' });
  });
});
