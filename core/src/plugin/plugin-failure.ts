import { isAbort } from '../errors/abort.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import type { PluginManifest } from './read-manifest.ts';

/** Where a plugin failed. */
interface FailureSite {
  readonly plugin: Pick<PluginManifest, 'name' | 'version'>;
  readonly kind: string;
  /** `load`, `configure`, `create`, or the step of the pipeline. */
  readonly stage: string;
  readonly path?: string;
}

/**
 * Wraps what a plugin threw as `plugin_failed`, once, with the plugin's name. Errors of kebab's own list and aborts pass
 * through untouched.
 */
export function pluginFailure(error: unknown, { plugin, kind, stage, path }: FailureSite): Error {
  if (isKebabError(error) || (isAbort(error) && error instanceof Error)) return error;
  const cause = deniedAccess(error) ?? firstLine(error);
  const at = `${plugin.name}@${plugin.version}/${stage}${path === undefined ? '' : `/${path}`}`;
  return new KebabError('plugin_failed', `${at} failed: ${cause}`, {
    cause: error,
    details: { plugin: plugin.name, version: plugin.version, kind, stage, cause, path: path ?? null },
  });
}

/** The first line of what was thrown. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/**
 * What a plugin was kept from by the permissions of its process, in words and with what to declare; undefined for every other
 * error.
 */
export function deniedAccess(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, permission, resource } = error as Readonly<Record<string, unknown>>;
  if (code !== 'ERR_ACCESS_DENIED') return undefined;
  const what = typeof resource === 'string' && resource !== '' ? ` ${resource}` : '';
  switch (permission) {
    case 'FileSystemWrite':
      return `it may not write${what === '' ? ' files' : what}: context.tmpDir is for passing files`;
    case 'ChildProcess':
      return `it did not declare that it starts${what === '' ? ' programs' : what}: add it to permissions.spawn`;
    default:
      return undefined;
  }
}
