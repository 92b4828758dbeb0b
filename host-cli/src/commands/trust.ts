import path from 'node:path';
import { invalidInput, type App, type TrustRequest } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab trust`: trusts a project file as it is now, or no longer; or lists the trusted ones. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const report = await app.trust(await requestOf(context, app));
  await context.show(report, async () => (await import('../render/trust.ts')).renderTrust);
  return EXIT.ok;
}

async function requestOf(context: CommandContext, app: App): Promise<TrustRequest> {
  const { values } = context;
  const typed = values.arg('PATH');
  if (values.has('list')) {
    if (typed === '' && !values.has('revoke')) return { kind: 'list' };
    throw invalidInput('trust --list takes neither a PATH nor --revoke', { field: '--list' });
  }
  const file = typed === '' ? await nearestProjectFile(app) : context.absolute(typed);
  return { kind: values.has('revoke') ? 'revoke' : 'add', path: file };
}

/** Of the files in use, the one that came with the folder; the user's own is called config.toml. */
async function nearestProjectFile(app: App): Promise<string> {
  const { config_files } = await app.configPaths();
  const project = config_files.find((file) => file.exists && path.basename(file.path).startsWith('kebab.'));
  if (project !== undefined) return project.path;
  throw invalidInput('there is no project file here or above; name the file to trust', {
    field: 'PATH',
    hint: 'kebab trust PATH, where PATH is a kebab.toml, kebab.json, kebab.yaml or kebab.yml',
  });
}
