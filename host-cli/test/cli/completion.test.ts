import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { SHELLS, completionScript } from '../../src/cli/completion.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** What bash offers for a command line whose last word is unfinished. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `${completionScript('bash', COMMANDS)}
COMP_WORDS=(kebab "$@"); COMP_CWORD=$#; COMPREPLY=(); _kebab; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const cwd = new URL('../..', import.meta.url);
  return execFileSync('bash', ['-c', script, 'kebab', ...words], { encoding: 'utf8', cwd })
    .trim()
    .split('\n');
}

describe('completionScript', () => {
  it('knows every command in every shell', () => {
    for (const shell of SHELLS) {
      const script = completionScript(shell, COMMANDS);
      for (const { name } of COMMANDS) for (const word of name.split(' ')) expect(script).toContain(word);
    }
  });

  it.skipIf(!hasBash)(
    'completes commands, their second words, flags, and files behind @ in bash (skipped without it)',
    () => {
      expect(offered('se')).toEqual(['search', 'sessions']);
      expect(offered('eval', 'c')).toEqual(['compare']);
      expect(offered('search', '--mo')).toEqual(['--mode']);
      expect(offered('eval', 'run', '--su')).toEqual(['--suite']);
      expect(offered('ask', 'what', 'says', '@packa')).toEqual(['@package.json']);
    },
  );
});
