/** Every page of docs/contracts by its file name. */
export declare function contractPages(): ReadonlyMap<string, string>;
