import { invalidInput } from '../errors/invalid-input.ts';

/**
 * The one form of a path inside a source: relative to its root, `/` between segments, NFC, no leading `./`, no empty or
 * `.` segment. Throws `invalid_input` for an absolute path, a `..` segment, or nothing at all. A backslash counts as a slash.
 */
export function normalizeWorkspacePath(path: string): string {
  return workspacePathOf(path.replaceAll('\\', '/'));
}

/** The same of a path with slashes between its segments: where names may hold backslashes, they are letters like others. */
export function workspacePathOf(path: string): string {
  const slashed = path.normalize('NFC');
  if (slashed.startsWith('/') || /^[A-Za-z]:\//.test(slashed))
    throw invalidInput(`${JSON.stringify(path)} is an absolute path; a path inside a source is relative to its root`, {
      field: 'path',
      value: path,
    });
  const segments = slashed.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..') || segments.length === 0)
    throw invalidInput(`${JSON.stringify(path)} does not name a file inside a source`, { field: 'path', value: path });
  return segments.join('/');
}
