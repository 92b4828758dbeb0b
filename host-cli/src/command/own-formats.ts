import { formatsHint, type App } from '@kebab/core/app';

/** kebab's own plugins that are not built in, by short name: the extension of the files that each reads. */
export const OWN_FORMATS: Readonly<Record<string, string>> = {
  docx: '@kebab/plugin-docx',
  xlsx: '@kebab/plugin-xlsx',
  pptx: '@kebab/plugin-pptx',
  epub: '@kebab/plugin-epub',
  eml: '@kebab/plugin-eml',
};

/**
 * Names files of kebab's own formats that nothing reads, and the command that has them read: for an installed plugin that does not run, the
 * one that says why. Null when there are none.
 */
export async function unreadFormats(
  app: App,
  byExtension: Readonly<Record<string, number | undefined>> = {},
): Promise<string | null> {
  const unread = Object.keys(OWN_FORMATS).filter((name) => (byExtension[name] ?? 0) > 0);
  if (unread.length === 0) return null;
  const installed = new Set((await app.pluginList()).plugins.map(({ name }) => name));
  const broken = unread.filter((name) => installed.has(OWN_FORMATS[name] ?? ''));
  const missing = unread.filter((name) => !broken.includes(name));
  const failing = broken.map((name) => `${OWN_FORMATS[name]} is installed but does not run: kebab plugin list`);
  const hints = [formatsHint(byExtension, missing), ...failing];
  return hints.filter((hint) => hint !== null).join('; ');
}
