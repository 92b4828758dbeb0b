/** The version of kebab, told by `--version`, `schema` and to plugins that name a range. */
export const KEBAB_VERSION = '0.1.0';

/** The version of the shape of {@link CanonicalDocument}. */
export const DOCUMENT_SCHEMA_VERSION = 1;
