/** Part of fingerprints: other rules find other secrets. */
export const SECRET_RULES = 'secretlint@12.0.0';

/** Stands behind the parser fingerprint of a document in which secrets were redacted. */
const MARK = ' ~secrets';

/** Whether the fingerprint says that secrets of its document were redacted. */
export function holdsSecrets(parserFingerprint: string): boolean {
  return parserFingerprint.includes(MARK);
}

/** The parser fingerprint of a document in which secrets were redacted. */
export function markSecrets(parserFingerprint: string): string {
  return holdsSecrets(parserFingerprint) ? parserFingerprint : `${parserFingerprint}${MARK}`;
}
