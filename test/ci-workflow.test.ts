import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The npm commands of a file in the repository, in order. */
function npmCommands(file: string): readonly string[] {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^(?:\s*- run: )?(npm .+)$/gm)].map(([, command = '']) => command);
}

/** Runs the command line on other versions of Node; the workflow has a job for each of them. */
const BY_MATRIX = 'npm run test:nodes';

describe('.github/workflows/ci.yml', () => {
  it('runs the commands of .ci/run', () => {
    const commands = npmCommands('.ci/run').filter((command) => command !== BY_MATRIX);
    expect(commands).toContain('npm test');
    expect(npmCommands('.github/workflows/ci.yml')).toEqual(commands);
  });
});
