/**
 * What a plugin was kept from by the permissions of its thread, in words and with what to declare; undefined for every other
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
