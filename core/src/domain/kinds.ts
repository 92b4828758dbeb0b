/** The kinds of document that filters, citations and counts distinguish. */
export const MEDIA = ['markdown', 'text', 'pdf', 'image', 'audio', 'code', 'other'] as const;
/** One of {@link MEDIA}. */
export type Media = (typeof MEDIA)[number];

/** How far the content of a document can be trusted, most trusted first. */
export const TRUST_LEVELS = ['primary', 'secondary', 'generated'] as const;
/** One of {@link TRUST_LEVELS}. */
export type TrustLevel = (typeof TRUST_LEVELS)[number];

/** The role of a document for its owner. */
export const SOURCE_TYPES = ['markdown', 'note', 'paper', 'reference', 'inbox', 'code'] as const;
/** One of {@link SOURCE_TYPES}. */
export type SourceType = (typeof SOURCE_TYPES)[number];
