/** The version of kebab: what `--version` and `schema` show, and what the ranges of plugins are compared with. */
export const KEBAB_VERSION = '0.1.0';

/** The version of the shape of {@link CanonicalDocument}. */
export const DOCUMENT_SCHEMA_VERSION = 1;
