import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { renderHelp } from '../../src/cli/help.ts';

const named = (prefix: string) => COMMANDS.filter(({ name }) => name.startsWith(prefix));

describe('renderHelp', () => {
  it.each([
    ['all', COMMANDS],
    ['fetch', named('fetch ')],
    ['search', named('search')],
  ])('writes the help of %s as documented', async (name, topic) => {
    await expect(renderHelp(topic)).toMatchFileSnapshot(`golden/help-${name}.txt`);
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'fits the help of %s into 100 columns and names each flag',
    (_name, command) => {
      const help = renderHelp([command]);
      expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
      for (const flag of command.flags) expect(help).toContain(`--${flag.name}`);
    },
  );
});
