/** The number of the newest migration: what a reader expects without loading the migrations. */
export const SCHEMA_VERSION = 4;
