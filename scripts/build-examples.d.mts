/** The folders of the examples. */
export const EXAMPLES: readonly string[];

/** Compiles all of them; throws what the compiler says of the first that does not compile. */
export function buildExamples(): Promise<void>;
