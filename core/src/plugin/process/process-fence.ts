import type { PluginPermissions } from '../define-plugin.ts';

/** What code that did not come with kebab finds around it in a process of plugins. */
export interface ProcessFence {
  /** `process.env` of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Node flags for the process alone: its permissions. */
  readonly flags: readonly string[];
  /** Hosts that the global `fetch` of the process reaches. */
  readonly hosts: readonly string[];
}

/** What a fence is made from. */
export interface ProcessFenceInit {
  /** What the plugins in the process declare; they share it, so what one of them may do all of them may. */
  readonly permissions: readonly PluginPermissions[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders that exist. */
  readonly tmpDir: string;
  readonly dataDir: string;
}

/** Variables that tell a program where it runs, and nothing in confidence. */
const TELLING =
  /^(?:HOME|LANG|LC_\w+|NODE_EXTRA_CA_CERTS|PATH|Path|SSL_CERT_DIR|SSL_CERT_FILE|SystemRoot|TEMP|TMP|TMPDIR|TZ|USERPROFILE|windir)$/;

/** What Node 20 calls the permissions, and Node 22 and later. */
const SWITCH = allowed('--permission') ? '--permission' : '--experimental-permission';

/**
 * Fences a process as its plugins declare: no variable that may hold a secret, no undeclared host by `fetch`,
 * no file written outside `tmpDir` (and `dataDir` for a plugin that says `data-dir`), and no program started without `spawn`.
 * Reading stays free, because modules must be found; so do native addons and threads, which parsers use.
 */
export function processFence({ permissions, env, tmpDir, dataDir }: ProcessFenceInit): ProcessFence {
  const writes = permissions.some(({ fs }) => fs === 'data-dir') ? [tmpDir, dataDir] : [tmpDir];
  const spawns = permissions.some(({ spawn }) => spawn.length > 0);
  return {
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (isTelling(name, value) ? [[name, value]] : [])),
    ),
    flags: [
      SWITCH,
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

function allowed(flag: string): boolean {
  return process.allowedNodeEnvironmentFlags.has(flag);
}
