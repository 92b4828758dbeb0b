/**
 * Names the analysis of index and query together with the layout of the full-text index. It changes whenever the same
 * text could be indexed, or the same query ranked, differently.
 */
export const INDEX_VERSION = 'v1.0';
