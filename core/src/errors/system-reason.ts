/** What Node puts before and after the words of the operating system: the code, the call, its paths. */
const SYSTEM_MESSAGE = /^E[A-Z0-9]+: (.+?), [a-z]+(?: '.*')?$/s;

/** The words in a message about a failed system call, such as `no such file or directory`; any other message as it is. */
export function systemReason(message: string): string {
  return SYSTEM_MESSAGE.exec(message)?.[1] ?? message;
}
