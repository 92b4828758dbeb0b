// The life cycle of a plugin as its author experiences it: creates it from the template, tests it, publishes it, installs it like a user,
// searches what it extracts, publishes a second version with more permissions, and removes it.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, megabytesOf } from './journey.mjs';

const NAME = 'kebab-plugin-logbook';
const LOGBOOK =
  '== Harbour ==\nThe crane is painted green.\n\n== Lighthouse ==\nThe keeper winds the clockwork every evening.\n';

/** Takes the steps with an installed command line. Returns the plugin's lines of code and its size in megabytes. */
export async function publishAsAuthor(author, { program }) {
  const kebab = (...line) => author.run(program, line);
  const work = path.join(author.home, 'work');
  const project = path.join(work, NAME);
  const npm = (...line) => author.run('npm', line, { cwd: project });
  const edit = (name, from, to) => editIn(path.join(project, name), from, to);
  mkdirSync(work, { recursive: true });
  await author.run(program, ['plugin', 'new', 'logbook', '--kind', 'extractor'], { cwd: work });
  await author.timed('npm install', () => npm('install'));
  const tools = megabytesOf(path.join(project, 'node_modules', '@kebab'));
  author.say(`  what it needs of kebab: ${tools.toFixed(1)} MB`);
  await author.timed('npm test', () => npm('test'));
  expect(await kebab('plugin', 'test', project), '0 failed', 'kebab plugin test');
  await npm('publish');

  expect(await author.run(program, ['plugin', 'install', NAME], { fails: true }), 'needs --yes', 'consent');
  await author.timed(`kebab plugin install ${NAME}`, () => kebab('plugin', 'install', NAME, '--yes'));
  mkdirSync(path.join(author.home, 'logs'), { recursive: true });
  writeFileSync(path.join(author.home, 'logs', '2026.logbook'), LOGBOOK);
  await kebab('add', 'logs');
  await kebab('ingest', '--quiet');
  const found = await author.run(program, ['search', 'who winds the clockwork', '--json'], { cwd: '/' });
  expect(found, '2026.logbook#section=lighthouse', 'the citation of what was found, from another folder');

  await raise(edit);
  await npm('run', 'build');
  await npm('publish');
  const asked = await author.run(program, ['plugin', 'update', NAME], { fails: true });
  expect(asked, '+ network   tides.example', 'consent to what an update touches besides');
  await kebab('plugin', 'update', NAME, '--yes');
  expect(await kebab('ingest', '--json'), '"updated":1', 'work that is done again by another version');

  await kebab('plugin', 'remove', NAME, '--yes');
  const purge = 'kebab reset --orphans-only';
  for (const verb of ['status', 'doctor']) expect((await kebab(verb)).replaceAll(/\s+/g, ' '), purge, verb);
  expect(await kebab('reset', '--orphans-only', '--yes'), '2026.logbook', 'what is purged');
  if ((await kebab('status')).includes(purge)) throw new Error('documents of a plugin that was removed are left');
  return { tools, code: codeLinesOf(path.join(project, 'src')) };
}

/** A second version with different output, and a host as an additional permission. */
async function raise(edit) {
  edit('package.json', '"version": "0.1.0"', '"version": "0.2.0"');
  edit('package.json', '"net": []', '"net": ["tides.example"]');
  edit('src/extractor.ts', "id: 'logbook',", "id: 'logbook',\n    version: '2',");
}

function editIn(file, from, to) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${from} is not in ${file}`);
  writeFileSync(file, text.replace(from, to));
}

function codeLinesOf(folder) {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'));
  return lines.filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line)).length;
}
