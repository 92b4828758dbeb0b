/** Node's message for the import of a package that is not installed. */
const MISSING_PACKAGE = /^Cannot find package '([^']+)' imported from/;

/** The package that a plugin imports and that is not installed, from the message of its failure; undefined for any other message. */
export function missingPackageIn(message: string): string | undefined {
  return MISSING_PACKAGE.exec(message)?.[1];
}
