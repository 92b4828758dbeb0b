/** Every page about the contracts, by its file name. Throws for an exported declaration without a doc comment. */
export declare function contractPages(): ReadonlyMap<string, string>;
