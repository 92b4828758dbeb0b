import type { PluginPermissions } from '../plugin/define-plugin.ts';

/** What code that did not come with kebab finds around it in an extraction thread. */
export interface ThreadFence {
  /** `process.env` of the thread. */
  readonly env: Readonly<Record<string, string>>;
  /** Node flags for the thread alone: its permissions. Node 20 takes none of them, and the thread starts without. */
  readonly flags: readonly string[];
  /** Hosts that the global `fetch` of the thread reaches. */
  readonly hosts: readonly string[];
}

/** What a fence is made from. */
export interface ThreadFenceInit {
  /** What the plugins in the thread declare; they share it, so what one of them may do all of them may. */
  readonly permissions: readonly PluginPermissions[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders that exist. */
  readonly tmpDir: string;
  readonly dataDir: string;
}

/** Variables that tell a program where it runs, and nothing in confidence. */
const TELLING = /^(?:HOME|LANG|LC_\w+|PATH|Path|SystemRoot|TEMP|TMP|TMPDIR|TZ|USERPROFILE|windir)$/;

/**
 * Fences a thread as its plugins declare: no variable that may hold a secret, no undeclared host by `fetch`, and from Node 22 on
 * no file written outside `tmpDir` (and `dataDir` for a plugin that says `data-dir`), and no program started without `spawn`.
 * Reading stays free, because modules must be found; so do native addons and threads, which parsers use.
 */
export function threadFence({ permissions, env, tmpDir, dataDir }: ThreadFenceInit): ThreadFence {
  const writes = permissions.some(({ fs }) => fs === 'data-dir') ? [tmpDir, dataDir] : [tmpDir];
  const spawns = permissions.some(({ spawn }) => spawn.length > 0);
  return {
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (isTelling(name, value) ? [[name, value]] : [])),
    ),
    flags: [
      '--permission',
      '--allow-fs-read=*',
      ...writes.map((folder) => `--allow-fs-write=${folder}`),
      '--allow-addons',
      '--allow-worker',
      ...(spawns ? ['--allow-child-process'] : []),
    ],
    hosts: [...new Set(permissions.flatMap(({ net }) => net))],
  };
}

function isTelling(name: string, value: string | undefined): value is string {
  return value !== undefined && TELLING.test(name);
}
