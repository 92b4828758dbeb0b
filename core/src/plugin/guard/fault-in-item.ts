import { MEDIA } from '../../domain/media.ts';
import type { PluginKind } from '../contributions.ts';

/** What is wrong with one thing that a contribution yields, as one line; null when it is as promised. */
export function faultInItem(kind: PluginKind, item: unknown, index: number): string | null {
  if (kind === 'llm') return faultInPiece(item, index);
  return kind === 'source' ? faultInEntry(item) : null;
}

/** A stream that fails before its first token fails as a whole; later it has said something, and ends there. */
function faultInPiece(item: unknown, index: number): string | null {
  const piece = (item ?? {}) as Readonly<Record<string, unknown>>;
  if (piece['kind'] === 'token') return typeof piece['token'] === 'string' ? null : 'a token is no text';
  if (piece['kind'] !== 'done') return 'it gave something that is neither a token nor the end';
  if (typeof piece['usage'] !== 'object' || piece['usage'] === null) return 'its end does not say what was used';
  if (piece['finishReason'] !== 'error' || index > 0) return null;
  return typeof piece['error'] === 'string' ? piece['error'] : 'it broke off before its first token';
}

function faultInEntry(item: unknown): string | null {
  const entry = (item ?? {}) as Readonly<Record<string, unknown>>;
  const { workspacePath } = entry;
  if (typeof workspacePath !== 'string' || !isInside(workspacePath))
    return `${JSON.stringify(workspacePath) ?? 'nothing'} is not a path inside the root`;
  switch (entry['kind']) {
    case 'file':
      return faultInFile(entry);
    case 'skipped':
      return typeof entry['counter'] === 'string' ? null : `${workspacePath} is skipped without saying why`;
    case 'error':
      return typeof entry['message'] === 'string' ? null : `${workspacePath} has failed without saying why`;
    default:
      return `${workspacePath} is neither a file nor skipped nor an error`;
  }
}

function faultInFile({ workspacePath, uri, size, mtimeNs, birthtimeMs, mediaType }: Readonly<Record<string, unknown>>) {
  const path = workspacePath as string;
  const media = (mediaType as { readonly kind?: unknown } | null | undefined)?.kind;
  if (typeof uri !== 'string') return `${path} has no uri`;
  if (typeof size !== 'number' || typeof birthtimeMs !== 'number') return `${path} has no size or no birthtimeMs`;
  if (typeof mtimeNs !== 'bigint') return `${path} has no mtimeNs, which is a bigint`;
  return (MEDIA as readonly unknown[]).includes(media) ? null : `${path} has no mediaType that kebab knows`;
}

/** Relative, normalised, with `/`; the root itself is `.`. */
function isInside(path: string): boolean {
  if (path === '.') return true;
  return (
    path !== '' && !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
