/** The source of what was brought in by hand; it lies in a folder of the workspace root. */
export const EXTERNAL = 'external';

/** The folder of the workspace root that holds the copies of the source `external`; no other source walks it. */
export const EXTERNAL_FOLDER = '_external';
