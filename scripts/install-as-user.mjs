// Installs kebab like a user, from a local registry on loopback in a fresh home: the command line, an optional part and a third-party
// plugin; then runs it with npx, and from a link to the checkout. Prints minutes, megabytes and lines.
//
//   npm run build && npm run journey:user [-- --part NAME]
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { useAsUser, usePart, expect } from './journey.mjs';
import { inFreshHome } from './local-registry.mjs';

const MAX_MEGABYTES = 90;
const root = fileURLToPath(new URL('..', import.meta.url));
const { part } = parseArgs({ options: { part: { type: 'string', default: 'pdf' } } }).values;

await inFreshHome(async (user) => {
  const { program, megabytes } = await useAsUser(user);
  if (megabytes > MAX_MEGABYTES) throw new Error(`that is more than ${MAX_MEGABYTES} MB`);
  await usePart(user, { program, part });

  const docx = '@kebab/plugin-docx';
  expect(await user.run(program, ['plugin', 'install', docx], { fails: true }), 'needs --yes', 'consent');
  await user.timed(`kebab plugin install ${docx}`, () => user.run(program, ['plugin', 'install', docx, '--yes']));
  expect(await user.run(program, ['plugin', 'explain', 'handbook.docx']), docx, 'plugin explain');

  expect(await user.run('npm', ['exec', '--yes', '--', '@kebab/cli', '--version']), 'kebab 0', 'npx');
  const linked = path.join(user.home, 'linked');
  // As a flag, the prefix would be interpreted as the folder of the checkout.
  const link = { cwd: root, env: { npm_config_prefix: linked } };
  await user.run('npm', ['link', '-w', 'host-cli', '--ignore-scripts'], link);
  expect(await user.run(path.join(linked, 'bin/kebab'), ['--version']), 'kebab 0', 'a link to the checkout');
  return { megabytes };
});
