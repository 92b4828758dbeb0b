import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterEach, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import { CLIENTS } from '../../src/commands/mcp-clients.ts';
import { runCommand, type CommandOutcome } from '../fakes/run-command.ts';

/** A home folder with a project in it. */
class Home {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'kebab-mcp-'));
  readonly project = path.join(this.folder, 'work');

  constructor() {
    mkdirSync(this.project);
  }

  run(...line: readonly string[]): Promise<CommandOutcome> {
    return this.runWith({}, ...line);
  }

  runWith(env: Readonly<Record<string, string>>, ...line: readonly string[]): Promise<CommandOutcome> {
    return runCommand(['mcp', ...line], { cwd: this.project, env: { HOME: this.folder, ...env } });
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const homes: Home[] = [];
const newHome = (): Home => {
  const home = new Home();
  homes.push(home);
  return home;
};
afterEach(() => {
  for (const { folder } of homes.splice(0)) rmSync(folder, { recursive: true });
});

const PARSERS = { json: (text: string) => parseJson(text) as unknown, toml: parseToml, yaml: parseYaml };

/** A text that a person could have, with a server of theirs, for each format. */
const THEIRS = {
  json: (member: string) =>
    `// mine\n{\n\t"theme": "dark", // at night\n\t"${member}": {\n\t\t"theirs": { "command": "x" } /* keep */\n\t},\n}\n`,
  toml: (member: string) =>
    `# mine\nmodel = "o" # this one\n\n[${member}.theirs]\ncommand = "x" # keep\n\n# the last\n[tui]\nname = 'b'\n`,
  yaml: (member: string) =>
    `# mine\nGOOSE_MODE: auto # always\n\n${member}:\n  theirs: # keep\n    args:\n    - '1'\n    type: builtin\n\n# after\nOTHER: [1, 2]\n`,
};

const PLACES = Object.entries(CLIENTS).flatMap(([name, client]) =>
  Object.keys(client.files).map((scope) => ({ name, scope, client })),
);

describe.each(PLACES)('the $scope file of $name', ({ name, scope, client }) => {
  const { format, member } = client;
  const place = [name, '--scope', scope];
  const fileIn = (home: Home): string =>
    path.join(scope === 'user' ? home.folder : home.project, client.files[scope as 'user' | 'project'] ?? '');

  it('is made, stays as it is when installed twice, and is deleted again', async () => {
    const home = newHome();
    const file = fileIn(home);
    expect((await home.run('install', ...place, '--print')).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    const { code, stderr, stdout } = await home.run('install', ...place);
    expect([code, stdout.text]).toEqual([0, '']);
    expect(stderr.text).toContain(`wrote ${file}`);
    const text = readFileSync(file, 'utf8');
    const { kebab } = (PARSERS[format](text) as Record<string, Record<string, unknown>>)[member] ?? {};
    expect(JSON.stringify(kebab)).toContain('"mcp"]');
    expect((await home.run('install', ...place)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const removed = await home.run('uninstall', ...place);
    expect([removed.code, removed.stderr.text, existsSync(file)]).toEqual([0, `removed kebab from ${file}\n`, false]);
    const again = await home.run('uninstall', ...place);
    expect([again.code, again.stderr.text]).toEqual([0, `kebab is not in ${file}\n`]);
  });

  it('keeps what else it says, byte for byte, and has the bytes of before when kebab is removed', async () => {
    const home = newHome();
    const file = fileIn(home);
    const before = THEIRS[format](member);
    home.write(file, before);
    for (const line of before.split('\n')) expect(line).toBe(line.trimEnd());
    expect((await home.run('install', ...place)).stderr.text).toContain('wrote');
    const after = readFileSync(file, 'utf8');
    expect(after).not.toBe(before);
    for (const line of before.split('\n')) expect(after).toContain(line.replace(/,? \/\*.*/, ''));
    const { [member]: servers, ...rest } = PARSERS[format](after) as Record<string, Record<string, unknown>>;
    const { [member]: theirs, ...others } = PARSERS[format](before) as Record<string, Record<string, unknown>>;
    const { kebab, ...left } = servers ?? {};
    expect([left, rest]).toEqual([theirs, others]);
    expect(kebab).toBeDefined();
    expect((await home.run('uninstall', ...place)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(`${file}.bak`)).toBe(false);
  });

  it('that was changed after kebab was added keeps the change when kebab is removed', async () => {
    const home = newHome();
    const file = fileIn(home);
    home.write(file, THEIRS[format](member));
    await home.run('install', ...place);
    writeFileSync(file, readFileSync(file, 'utf8').replace('mine', 'and mine'));
    expect((await home.run('uninstall', ...place)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(THEIRS[format](member).replace('mine', 'and mine'));
  });
});

describe('kebab mcp install', () => {
  it('lists every agent that it configures, as completion offers them', async () => {
    const home = newHome();
    const { stdout } = await home.run('install', '--list');
    const names = stdout.text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(names).toEqual(Object.keys(CLIENTS));
    expect(names.length).toBeGreaterThanOrEqual(14);
    expect((await home.run('install')).stdout.text).toBe(stdout.text);
    expect((await home.run('install', '--write')).code).toBe(2);
    const completed = await runCommand(['complete', '--', 'mcp', 'install', '']);
    expect(
      completed.stdout.text
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(names);
    const json = parseWire('mcp_install', JSON.parse((await home.run('install', '--json')).stdout.text));
    expect(json.clients.map(({ name, scope }) => `${name} ${scope}`)).toEqual(
      PLACES.map(({ name, scope }) => `${name} ${scope}`),
    );
  });

  it('names the nearest agent for one that it does not know, and the scopes of one that has no such file', async () => {
    const home = newHome();
    expect((await home.run('install', 'claud-code')).stderr.text).toContain('claude-code');
    const none = await home.run('install', 'claude-desktop', '--scope', 'project');
    expect([none.code, none.stderr.text]).toEqual([2, expect.stringContaining('no configuration for a project')]);
  });

  it('loads the tools of Claude Code at once, and lets Copilot call each', async () => {
    const home = newHome();
    const entryOf = async (name: string): Promise<unknown> => {
      const { stdout } = await home.run('install', name, '--print');
      return (JSON.parse(stdout.text) as { readonly mcpServers: { readonly kebab: unknown } }).mcpServers.kebab;
    };
    expect(await entryOf('claude-code')).toMatchObject({ type: 'stdio', alwaysLoad: true });
    expect(await entryOf('copilot-cli')).toMatchObject({ type: 'local', tools: ['*'] });
  });

  it('follows the link of a user’s file to where it is kept, as the agent does', async () => {
    const home = newHome();
    const real = path.join(home.folder, 'dotfiles', 'gemini.json');
    const link = path.join(home.folder, '.gemini', 'settings.json');
    home.write(real, '{"theme": "x"}\n');
    mkdirSync(path.dirname(link));
    symlinkSync(real, link);
    expect((await home.run('install', 'gemini')).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('"kebab"');
    expect((await home.run('uninstall', 'gemini')).code).toBe(0);
    expect(readFileSync(real, 'utf8')).toBe('{"theme": "x"}\n');
  });

  it('says to paste the entry where it would lose a comment or cannot place it, and changes nothing', async () => {
    for (const text of [
      'extensions: {theirs: {type: builtin}}\n',
      'extensions:\n  kebab:\n    # mine\n    cmd: old\n',
      'extensions: [1]\n',
      'a: b: c\n',
    ]) {
      const home = newHome();
      const file = path.join(home.folder, '.config/goose/config.yaml');
      home.write(file, text);
      const { code, stderr } = await home.run('install', 'goose');
      expect([code, stderr.text]).toEqual([2, expect.stringContaining('kebab mcp install --client goose')]);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it('keeps members that were added to its entry by hand', async () => {
    const home = newHome();
    const file = path.join(home.folder, '.config/goose/config.yaml');
    home.write(file, 'extensions:\n    kebab:\n        cmd: old\n        bundled: true\nGOOSE_MODE: auto\n');
    expect((await home.run('install', 'goose')).code).toBe(0);
    expect(parseYaml(readFileSync(file, 'utf8'))).toMatchObject({
      extensions: { kebab: { cmd: expect.not.stringMatching(/^old$/) as string, bundled: true } },
      GOOSE_MODE: 'auto',
    });
  });

  it('prints for programs the content of the file, and writes no secret into it', async () => {
    const home = newHome();
    const file = path.join(home.folder, '.codex', 'config.toml');
    const env = { KEBAB_MODELS_LLM_API_KEY: 'not-to-be-shared' };
    const json = async (...more: readonly string[]) => {
      const { stdout } = await home.runWith(env, 'install', '--client', 'codex', '--json', ...more);
      return parseWire('mcp_install', JSON.parse(stdout.text)).clients;
    };
    const [shown] = await json();
    expect(shown).toMatchObject({ file, format: 'toml', is_written: false, left_out: Object.keys(env) });
    expect(shown?.entry).not.toContain('not-to-be-shared');
    expect(existsSync(file)).toBe(false);
    expect(await json('--write')).toEqual([{ ...shown, is_written: true }]);
    expect(readFileSync(file, 'utf8')).toBe(shown?.entry);
  });

  it('sets the folder of a project where the agent has a setting for it, and elsewhere says that it has none', async () => {
    const home = newHome();
    home.write(path.join(home.project, '.kebab', 'config.toml'), '');
    expect((await home.run('install', '--client', 'codex')).stdout.text).toContain(`cwd = "${home.project}"`);
    const windsurf = await home.run('install', '--client', 'windsurf');
    expect(windsurf.stderr.text).toContain(`not that of ${home.project}`);
    expect(windsurf.stdout.text).not.toContain('cwd');
  });

  it('keeps a backup of the original file, with its permissions', async () => {
    const home = newHome();
    const file = path.join(home.project, '.mcp.json');
    writeFileSync(file, '{"mine": 1}', { mode: 0o600 });
    for (let n = 0; n < 2; n++) expect((await home.run('install', 'claude-code')).code).toBe(0);
    expect(readFileSync(`${file}.bak`, 'utf8')).toBe('{"mine": 1}');
    expect([file, `${file}.bak`].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it.each([
    ['claude-code', '.mcp.json'],
    ['claude-code', '.mcp.json.bak'],
    ['cursor', '.cursor'],
  ])('for %s refuses the link %s in a project, and leaves what it leads to as it was', async (client, name) => {
    const home = newHome();
    const outside = path.join(home.folder, 'outside');
    home.write(path.join(outside, 'mcp.json'), '{"mine": 1}');
    if (name.endsWith('.bak')) home.write(path.join(home.project, '.mcp.json'), '{"theirs": 1}');
    symlinkSync(name === '.cursor' ? outside : path.join(outside, 'mcp.json'), path.join(home.project, name));
    const { code, stderr } = await home.run('install', client, '--json');
    expect([code, (JSON.parse(stderr.text) as { readonly code: string }).code]).toEqual([2, 'io_error']);
    expect(readFileSync(path.join(outside, 'mcp.json'), 'utf8')).toBe('{"mine": 1}');
    expect(readdirSync(outside)).toEqual(['mcp.json']);
  });

  it.each(['{ "mcpServers": ', 'mine', '[1]', '{"mcpServers": "theirs"}', '{"mcpServers": {}, "mcpServers": {}}'])(
    'rejects %j as a configuration file, and leaves it unchanged',
    async (text) => {
      const home = newHome();
      const file = path.join(home.project, '.mcp.json');
      home.write(file, text);
      const { code, stderr } = await home.run('install', 'claude-code');
      expect([code, readFileSync(file, 'utf8'), existsSync(`${file}.bak`)]).toEqual([2, text, false]);
      expect(stderr.text).toContain('`kebab mcp install --client claude-code` shows it');
    },
  );
});

describe('kebab mcp uninstall', () => {
  it('without a scope removes kebab from the project and from the user’s file, and says from which', async () => {
    const home = newHome();
    for (const scope of ['user', 'project']) await home.run('install', 'cursor', '--scope', scope);
    const { stdout } = await home.run('uninstall', 'cursor', '--json');
    const { clients } = parseWire('mcp_install', JSON.parse(stdout.text));
    expect(clients.map(({ scope, is_removed: isRemoved }) => [scope, isRemoved])).toEqual([
      ['project', true],
      ['user', true],
    ]);
    for (const folder of [home.folder, home.project])
      expect(existsSync(path.join(folder, '.cursor/mcp.json'))).toBe(false);
  });

  it.each([
    ['{"mcpServers": {"kebab": {"command": "k"}, "b": {}}}', '{"mcpServers": { "b": {}}}'],
    ['{"mcpServers": {"a": {}, "kebab": {"command": "k"}}}', '{"mcpServers": {"a": {}}}'],
    [
      '{"mcpServers": {"a": {}, /* b */ "kebab": {"command": "k"},}, "x": 1}',
      '{"mcpServers": {"a": {}, /* b */}, "x": 1}',
    ],
    ['{"x": 1, "mcpServers": {"kebab": {}}}', '{"x": 1}'],
    ['{"mcpServers": {"kebab": {}}, "x": 1}', '{ "x": 1}'],
    ['{"mcpServers": {"a": {}}}', '{"mcpServers": {"a": {}}}'],
    ['{"mcpServers": "kebab"}', '{"mcpServers": "kebab"}'],
  ])('of %s leaves %s', async (before, after) => {
    const home = newHome();
    const file = path.join(home.project, '.mcp.json');
    home.write(file, before);
    expect((await home.run('uninstall', 'claude-code', '--scope', 'project')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(after);
  });

  it('takes no link for the original file', async () => {
    const home = newHome();
    const file = path.join(home.project, '.mcp.json');
    home.write(path.join(home.folder, 'secret'), '{"mine": 1}');
    home.write(file, '{"x": 1}');
    await home.run('install', 'claude-code');
    rmSync(`${file}.bak`);
    symlinkSync(path.join(home.folder, 'secret'), `${file}.bak`);
    expect((await home.run('uninstall', 'claude-code')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('{"x": 1}');
  });

  it('changes no file that it cannot read', async () => {
    const home = newHome();
    const file = path.join(home.project, '.mcp.json');
    home.write(file, '{"mcpServers": {"kebab": {}}');
    const { code, stderr } = await home.run('uninstall', 'claude-code');
    expect([code, stderr.text]).toEqual([2, expect.stringContaining('remove the entry mcpServers.kebab by hand')]);
    expect(readFileSync(file, 'utf8')).toBe('{"mcpServers": {"kebab": {}}');
  });
});
