/** Every offence in the given files, as `file: rule: imports "specifier": why`. Files are repository paths with their text. */
export function offences(files: readonly { readonly file: string; readonly text: string }[]): string[];
