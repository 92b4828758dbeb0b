import { basename, dirname, join } from 'node:path';
import type { GitWorkTree } from './git-work-tree.ts';
import { readSmallFile } from './read-small-file.ts';

/**
 * The name of a work tree's repository: its top directory, that of the main work tree for a linked one. A repository
 * without a main work tree is called after its remote, else after its own folder.
 */
export async function gitRepositoryName({ top, gitDir, commonDir }: GitWorkTree): Promise<string | null> {
  const main = basename(commonDir) === '.git' ? dirname(commonDir) : gitDir === commonDir ? top : null;
  const name = main === null ? '' : basename(main);
  if (name !== '') return name;
  return (await remoteName(commonDir)) ?? (main === null ? folderName(commonDir) : null);
}

/** `widgets` for `/srv/widgets.git`, and for `/srv/widgets/.bare`. */
function folderName(commonDir: string): string | null {
  const name = basename(commonDir).startsWith('.') ? basename(dirname(commonDir)) : basename(commonDir);
  return withoutSuffix(name);
}

/** The last part of the address of `origin`, else of the first remote. */
async function remoteName(commonDir: string): Promise<string | null> {
  const config = (await readSmallFile(join(commonDir, 'config'))) ?? '';
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split('\n')) {
    if (/^\s*\[/.test(line)) remote = /^\s*\[remote "(.+)"\]/.exec(line)?.[1];
    const url = /^\s*url\s*=\s*(\S.*?)\s*$/.exec(line)?.[1];
    if (remote !== undefined && url !== undefined && !remotes.has(remote)) remotes.set(remote, url);
  }
  const [first] = remotes.values();
  const url = remotes.get('origin') ?? first;
  return withoutSuffix(
    url
      ?.replace(/[/\\]+$/, '')
      .split(/[/\\:]/)
      .at(-1) ?? '',
  );
}

function withoutSuffix(name: string): string | null {
  const bare = name.replace(/\.git$/, '');
  return bare === '' ? null : bare;
}
