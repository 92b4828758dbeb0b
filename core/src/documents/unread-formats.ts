/** Names files of kebab's own formats that nothing reads yet, and the command that has them read; null when there are none. */
export function formatsHint(
  byExtension: Readonly<Record<string, number | undefined>>,
  formats: readonly string[],
): string | null {
  const names = formats.filter((name) => (byExtension[name] ?? 0) > 0);
  if (names.length === 0) return null;
  const files = names.reduce((sum, name) => sum + (byExtension[name] ?? 0), 0);
  const count = files === 1 ? '1 file' : `${files} files`;
  return `${count} not read (${names.join(', ')}): kebab plugin install ${names.join(' ')}`;
}
