/** What a fingerprint is made from. */
interface Named {
  readonly id: string;
  readonly version: string;
  fingerprint?(): string;
}

/**
 * The fingerprint of a contribution: its id, its version, and whatever else it says that its output depends on. What already begins
 * with a name and this very version stays as it is.
 */
export function fingerprintOf(contribution: Named): string {
  const { id, version } = contribution;
  const own = contribution.fingerprint?.() ?? '';
  if (own === '') return `${id}@${version}`;
  const at = own.indexOf('@') + 1;
  const saysVersion = at > 0 && own.startsWith(version, at) && !/^[\w.-]/.test(own.slice(at + version.length));
  return saysVersion ? own : `${id}@${version}+${own}`;
}
