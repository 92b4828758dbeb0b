/** kebab's own plugins that are not built in, by short name: the extension of the files that each reads. */
export const OWN_FORMATS: Readonly<Record<string, string>> = {
  docx: '@kebab/plugin-docx',
  xlsx: '@kebab/plugin-xlsx',
  pptx: '@kebab/plugin-pptx',
  epub: '@kebab/plugin-epub',
  eml: '@kebab/plugin-eml',
};
