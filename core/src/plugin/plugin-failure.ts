import { isAbort } from '../errors/abort.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { deniedAccess } from './denied-access.ts';
import type { PluginManifest } from './manifest.ts';

/** Where a plugin failed. */
export interface FailureSite {
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
