/** The version of kebab: printed by `--version` and `schema`, and compared with the version ranges of plugins. */
export const KEBAB_VERSION = '0.1.0';

/** The version of the shape of {@link CanonicalDocument}. */
export const DOCUMENT_SCHEMA_VERSION = 1;
