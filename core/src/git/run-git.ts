import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { KebabError } from '../errors/kebab-error.ts';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A run of the user's git. */
export interface GitRun {
  readonly signal?: AbortSignal | undefined;
  readonly args: readonly string[];
  readonly env: Environment;
  /** Whether it may reach other machines; otherwise no transport works, not even of a partial clone that lacks an object. */
  readonly network?: true | undefined;
  /** Ends it after this many bytes of output. */
  readonly maxBytes?: number | undefined;
  /** Ends it after this time. */
  readonly maxMs?: number | undefined;
}

/** What git printed, and how it ended. */
export interface GitOutput {
  /** Null where it was ended because of a limit. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Neither hooks, pagers, monitors nor filters of a repository run, and `ext::` never does. */
const ALWAYS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'log.showSignature=false',
  'gc.autoDetach=false',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

/** Variables that would lead git to another repository, or to a program that asks. */
const NOT_PASSED =
  /^(?:GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|EXTERNAL_DIFF|PAGER|EDITOR)|SSH_ASKPASS)$/;

/**
 * Runs git without a shell and without asking anything: where a password is needed, it fails. Throws `io_error` where git is not installed;
 * any other failure is in the result.
 */
export async function runGit({ args, env, network, maxBytes, maxMs, signal }: GitRun): Promise<GitOutput> {
  signal?.throwIfAborted();
  const passed = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_PASSED.test(name)));
  const child = spawn('git', ['--no-pager', ...ALWAYS, ...args], {
    env: {
      ...passed,
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      SSH_ASKPASS_REQUIRE: 'never',
      GCM_INTERACTIVE: 'never',
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: network === true ? '0' : '1',
      GIT_ALLOW_PROTOCOL: network === true ? 'https:http:ssh:git:file' : 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // without a terminal, ssh cannot ask on it
    windowsHide: true,
  });
  const stop = (): void => endGroup(child.pid);
  const timer = maxMs === undefined ? undefined : setTimeout(() => ((isLimited = true), stop()), maxMs);
  let isLimited = false;
  signal?.addEventListener('abort', stop);
  try {
    const [stdout, stderr, code] = await Promise.all([
      bytesOf(child.stdout, maxBytes, () => ((isLimited = true), stop())),
      bytesOf(child.stderr, MAX_REPORT, () => {}),
      endOf(child),
    ]);
    signal?.throwIfAborted();
    return { code: isLimited ? null : code, stdout, stderr: stderr.toString().trim() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new KebabError('io_error', 'git is not installed, or not on the PATH', {
      details: { kind: 'ENOENT', path: 'git', cause: 'there is no program git' },
      hint: 'install git, and repeat this',
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

const MAX_REPORT = 65_536;

async function endOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

/** Ends git and the programs that it has started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid);
  } catch {
    // it has ended
  }
}

async function bytesOf(stream: NodeJS.ReadableStream, max = Infinity, onFull: () => void): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    if (size < max) parts.push(part);
    size += part.length;
    if (size >= max) onFull();
  }
  return Buffer.concat(parts);
}

/** The reason why git failed, as one line. */
export function gitFailure({ stderr, code }: GitOutput): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const named = lines.filter(
    (line) => /^(?:fatal|error|ERROR|ssh|remote): /.test(line) || /denied|refused/i.test(line),
  );
  const first = named.find((line) => line.startsWith('fatal: ')) ?? named[0] ?? lines.findLast((line) => line !== '');
  const reason =
    first?.replace(/^(?:fatal|error): /, '') ?? (code === null ? 'it took too long' : `git ended with ${code}`);
  const isVague = /^Could not read from remote repository|^the remote end hung up|:$/.test(reason);
  const cause = isVague ? named.find((line) => line !== first)?.replace(/^(?:fatal|error): /, '') : undefined;
  return cause ?? reason;
}
