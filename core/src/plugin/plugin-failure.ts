import { isAbort } from '../errors/abort.ts';
import { isKebabError, KebabError, MAX_CAUSES, messageOf } from '../errors/kebab-error.ts';
import { maskText } from '../schema/mask-secrets.ts';
import { placeOf } from './mistakes.ts';
import type { PluginManifest } from './read-manifest.ts';

/** The site of a plugin failure. */
export interface FailureSite {
  readonly plugin: Pick<PluginManifest, 'name' | 'version'>;
  readonly kind: string;
  /** `load`, `configure`, `create`, or a pipeline stage. */
  readonly stage: string;
  readonly path?: string;
}

/**
 * Wraps an error that a plugin threw as `plugin_failed`, once, with the plugin's name. Errors of kebab's own list and aborts pass through
 * untouched.
 */
export function pluginFailure(error: unknown, { plugin, kind, stage, path }: FailureSite): Error {
  if (isKebabError(error) || (isAbort(error) && error instanceof Error)) return error;
  const cause = deniedAccess(error) ?? described(error);
  const at = `${plugin.name}@${plugin.version}/${stage}${path === undefined ? '' : `/${path}`}`;
  return new KebabError('plugin_failed', `${at} failed: ${cause}`, {
    cause: error,
    details: { plugin: plugin.name, version: plugin.version, kind, stage, cause, path: path ?? null },
  });
}

/**
 * Removes secrets, and the credentials in URLs, from the texts of an error and of its causes. Returns the same object when there are none,
 * and for aborts. Causes below a depth are left out: an error may be its own cause.
 */
export function withoutSecrets(error: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof error === 'string') return maskText(error, secrets);
  if (!(error instanceof Error) || isAbort(error)) return error;
  const mask = (text: string): string => maskText(text, secrets);
  const cause = depth < MAX_CAUSES ? withoutSecrets(error.cause, secrets, depth + 1) : undefined;
  const message = mask(messageOf(error));
  if (isKebabError(error)) {
    const details = masked(error.details, mask) as typeof error.details;
    const hint = mask(error.hint);
    const isSame = JSON.stringify(details) === JSON.stringify(error.details) && hint === error.hint;
    if (isSame && message === error.message && cause === error.cause) return error;
    return new KebabError(error.code, message, { details, hint, cause });
  }
  if (message === error.message && cause === error.cause) return error;
  const copy = new Error(message, cause === undefined ? undefined : { cause });
  copy.name = error.name;
  copy.stack = mask(error.stack ?? message);
  return copy;
}

/** Plain data with every string in it mapped. */
function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member, mask)]));
}

/** The first line of an error message, with the place in the code if the error is a mistake there. */
export function described(error: unknown): string {
  const place = placeOf(error);
  return place === undefined ? firstLine(error) : `${firstLine(error)} (${place})`;
}

/** The first line of the message of a thrown value. */
export function firstLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? '';
}

/**
 * Describes an access that the permissions of a plugin's process denied, and the declaration that allows it; undefined for every other
 * error.
 */
export function deniedAccess(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, permission, resource } = error as Readonly<Record<string, unknown>>;
  if (code !== 'ERR_ACCESS_DENIED') return undefined;
  const what = typeof resource === 'string' && resource !== '' ? ` ${resource}` : '';
  switch (permission) {
    case 'FileSystemRead':
      return `it may not read${what === '' ? ' files' : what}: set permissions.fs to "input-only"`;
    case 'FileSystemWrite':
      return `it may not write${what === '' ? ' files' : what}: context.tmpDir is for passing files`;
    case 'ChildProcess':
      return `it did not declare that it starts${what === '' ? ' programs' : what}: add it to permissions.spawn`;
    default:
      return undefined;
  }
}
