/** The page size of a new database, in bytes: half the system calls of 4 KiB pages, for hardly more room. */
export const PAGE_BYTES = 8192;
