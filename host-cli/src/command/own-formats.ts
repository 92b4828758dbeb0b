/** kebab's own plugins that are not built in, by short name: the extension of the files that each reads. */
export const OWN_FORMATS: Readonly<Record<string, string>> = {
  docx: '@kebab/plugin-docx',
  xlsx: '@kebab/plugin-xlsx',
  pptx: '@kebab/plugin-pptx',
  epub: '@kebab/plugin-epub',
  eml: '@kebab/plugin-eml',
};

/** Names files of these formats that were not read, and the command that has them read; null when there are none. */
export function formatsHint(byExtension: Readonly<Record<string, number | undefined>>): string | null {
  const names = Object.keys(OWN_FORMATS).filter((name) => (byExtension[name] ?? 0) > 0);
  if (names.length === 0) return null;
  const files = names.reduce((sum, name) => sum + (byExtension[name] ?? 0), 0);
  const count = files === 1 ? '1 file' : `${files} files`;
  return `${count} not read (${names.join(', ')}): kebab plugin install ${names.join(' ')}`;
}
