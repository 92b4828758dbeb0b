import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { KebabError } from '../errors/kebab-error.ts';
import { isOwnFolder, makeOwnFolder } from '../files/own-folder.ts';
import { type Environment, gitFailure, runGit, type GitOutput } from './run-git.ts';

/** A repository elsewhere, and the folder of kebab that holds its clone. */
export interface ClonedRepository {
  readonly url: string;
  /** Absolute, in the folder of clones. */
  readonly root: string;
}

/** How git runs for a clone. */
interface CloneOptions {
  readonly signal?: AbortSignal | undefined;
  readonly env: Environment;
}

/** Ends a clone that hangs. */
const MAX_MS = 30 * 60_000;

/** Only the last commit of the default branch is fetched, without tags and submodules, over a connection that is not stuck. */
const SHALLOW = ['--depth=1', '--no-tags', '--quiet'];
const NETWORK = ['-c', 'http.lowSpeedLimit=100', '-c', 'http.lowSpeedTime=60'];

/**
 * Clones a repository into its folder, which must be one of kebab's own; an earlier clone there is replaced. Throws `io_error` where that
 * fails, and leaves nothing behind.
 */
export async function cloneRepository({ url, root }: ClonedRepository, { env, signal }: CloneOptions): Promise<void> {
  const folder = path.dirname(root);
  makeOwnFolder(folder);
  if (!isOwnFolder(folder)) throw notOwn(folder);
  const draft = path.join(folder, `.${path.basename(root)}.new`);
  rmSync(draft, { recursive: true, force: true });
  try {
    const args = [...SHALLOW, '--single-branch', '--no-recurse-submodules', '--template=', '--', url, draft];
    const done = await runGit({ args: [...NETWORK, 'clone', ...args], env, signal, network: true, maxMs: MAX_MS });
    if (done.code !== 0) throw failedClone(url, done);
    rmSync(root, { recursive: true, force: true });
    renameSync(draft, root);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Brings a clone up to date with its repository, or makes it where it is missing, and returns why not; null on success. What was there
 * before stays then.
 */
export async function updateClone(repository: ClonedRepository, { env, signal }: CloneOptions): Promise<string | null> {
  const { url, root } = repository;
  const gitDir = path.join(root, '.git');
  if (isOwnFolder(path.dirname(root)) && existsSync(root) && !isClone(root)) return `${root} is not a clone`;
  try {
    if (!isClone(root)) {
      await cloneRepository(repository, { env, signal });
      return null;
    }
    if (!isOwnFolder(path.dirname(root))) throw notOwn(path.dirname(root));
    // git never looks for a repository above: it would reset that one.
    const here = [`--git-dir=${gitDir}`, `--work-tree=${root}`];
    const fetch = [...SHALLOW, '--no-recurse-submodules', '--force', '--', url, 'HEAD'];
    const fetched = await runGit({
      args: [...NETWORK, ...here, 'fetch', ...fetch],
      env,
      signal,
      network: true,
      maxMs: MAX_MS,
    });
    if (fetched.code !== 0) return gitFailure(fetched);
    const reset = await runGit({ args: [...here, 'reset', '--hard', '--quiet', 'FETCH_HEAD'], env, signal });
    return reset.code === 0 ? null : gitFailure(reset);
  } catch (error) {
    if (!(error instanceof KebabError)) throw error;
    return error.code === 'io_error' ? error.details.cause : error.message;
  }
}

/** Removes a clone, and returns whether it was there; a folder that is not kebab's own is left alone. */
export function removeClone(root: string): boolean {
  const folder = path.dirname(root);
  if (!isOwnFolder(folder) || lstatSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  rmSync(root, { recursive: true, force: true });
  return true;
}

function isClone(root: string): boolean {
  return lstatSync(path.join(root, '.git'), { throwIfNoEntry: false })?.isDirectory() === true;
}

function notOwn(folder: string): KebabError<'io_error'> {
  return new KebabError('io_error', `${folder} holds files that kebab did not write, so it clones nothing there`, {
    details: { kind: 'EEXIST', path: folder, cause: 'the folder is not kebab’s own' },
    hint: 'move that folder away, or set storage.data_dir to another one',
  });
}

/** Why a clone fails, by what git says, with what helps. */
const REMEDIES: readonly (readonly [cause: RegExp, hint: (url: string) => string])[] = [
  [/resolve host|unable to access|timed out|refused|unreachable|hung up/i, () => 'check the URL and the connection'],
  [
    /terminal prompts disabled|Authentication failed|Permission denied|publickey|could not read Username/i,
    (url) =>
      `kebab never asks for a password: let git know it, so that \`git ls-remote ${url}\` works without a question`,
  ],
  [/host key verification/i, () => 'connect to the host once with ssh, so that its key is known'],
  [/not allowed|not supported/i, () => 'use an https, ssh, git or file URL'],
];

function failedClone(url: string, output: GitOutput): KebabError<'io_error'> {
  const cause = gitFailure(output);
  const [, hint] = REMEDIES.find(([pattern]) => pattern.test(output.stderr)) ?? [];
  return new KebabError('io_error', `${url} cannot be cloned: ${cause}`, {
    details: { kind: 'EIO', path: url, cause },
    hint: hint?.(url) ?? 'check that the URL is that of a git repository',
  });
}
