import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../host-cli/src/cli/command-table.ts';
import { parseCommandLine } from '../host-cli/src/cli/parse-command-line.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Stands for a part of a text that is only known at run time. */
const PLACEHOLDER = 'WORD';

/** The texts that a file can print: string literals, and templates with a placeholder for each expression. */
function textsOf(file: string): readonly string[] {
  const texts: string[] = [];
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateLiteral: ({ quasis }) => void texts.push(quasis.map(({ value }) => value.cooked ?? '').join(PLACEHOLDER)),
  }).visit(program);
  return texts;
}

/** Every command between backticks in a text of the sources, once. In a template, the command itself may be a placeholder. */
function hintedCommands(): readonly string[] {
  const folders = ['core', 'host-cli', 'host-mcp', 'host-web', ...packagesIn('plugins'), ...packagesIn('kits')];
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(root, folder, 'src', name)),
  );
  const commands = files.flatMap(textsOf).flatMap((text) => text.match(/(?<=`)kebab [^`]+(?=`)/g) ?? []);
  return [...new Set(commands)].filter((command) => !command.startsWith(`kebab ${PLACEHOLDER}`)).toSorted();
}

function packagesIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
}

/** The words after `kebab`, with a valid value where a flag accepts only a few. An ellipsis stands for whatever may follow. */
function wordsOf(command: string): string[] {
  const words = command
    .split(' ')
    .slice(1)
    .filter((word) => word !== '…');
  if (words[0] === 'help') return words.filter((word) => !/^[A-Z]+$/.test(word));
  return words.map((word, at) => (words[at - 1] === '--client' && /^[A-Z]+$/.test(word) ? 'zed' : word));
}

/** The words with a placeholder for each missing argument: `kebab fetch` still names a command. */
function completed(words: readonly string[]): string[] {
  const named = COMMANDS.findLast(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  const given = words.slice(named?.name.split(' ').length).filter((word) => !word.startsWith('-'));
  const missing = (named?.args ?? []).slice(given.length).filter(({ required }) => required);
  return [...words, ...missing.map(() => PLACEHOLDER)];
}

/** Whether the configuration reference has a key. */
function isSetting(key: string): boolean {
  interface Schema {
    readonly properties?: Readonly<Record<string, Schema>>;
  }
  const schema = JSON.parse(readFileSync(path.join(root, 'docs/configuration.schema.json'), 'utf8')) as Schema;
  const found = key.split('.').reduce<Schema | undefined>((at, name) => at?.properties?.[name], schema);
  return found !== undefined;
}

describe('commands in hints and notices', () => {
  const commands = hintedCommands();

  it('are found in the sources', () => {
    expect(commands).toContain('kebab config set KEY VALUE');
    expect(commands.length).toBeGreaterThan(40);
  });

  it.each(commands)('%s is an existing command with existing flags', (command) => {
    const words = wordsOf(command);
    const asked = words.includes('--help') ? words : completed(words);
    expect(() => parseCommandLine(asked, COMMANDS)).not.toThrow();
  });

  it.each(commands.filter((command) => /^kebab config (?:get|set|unset) [a-z]/.test(command)))(
    '%s names a setting that exists',
    (command) => {
      const [, , key = ''] = wordsOf(command);
      expect(key.startsWith(PLACEHOLDER) || isSetting(key)).toBe(true);
    },
  );
});
