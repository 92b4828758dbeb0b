import { isAbort } from './abort.ts';
import { ERROR_CODES } from './codes.ts';
import { isKebabError, KebabError, messageOf, textMember } from './kebab-error.ts';

/** Context of the failed work; every member may be left out. */
export interface FailureContext {
  /** The operation that failed, for the message of `cancelled`. */
  readonly operation?: string;
  /** Path of the database, for failures that SQLite reports without one. */
  readonly databasePath?: string;
}

const MAX_CAUSES = 16;

/** The error codes of file system calls; those of sockets are not among them. */
const FILE_ERRORS: ReadonlySet<string> = new Set(
  (
    'EACCES EBADF EBUSY EDQUOT EEXIST EFBIG EINVAL EIO EISDIR ELOOP EMFILE ENAMETOOLONG ENFILE ENODEV ENOENT ENOSPC ' +
    'ENOTDIR ENOTEMPTY ENXIO EPERM EROFS ESTALE ETXTBSY EXDEV'
  ).split(' '),
);

/** What Node says of a part of kebab that is loaded on first use; after an update it has another name. */
const OWN_FILE = /^Cannot find module '\.\/[\w-]+\.cjs'/;

/**
 * Turns any caught value into a {@link KebabError}: a `KebabError` is returned as it is, an abort is `cancelled`, file system and SQLite
 * failures are `io_error` or `locked`, wherever they are in the cause chain, and everything else is `generic`.
 */
export function classifyError(error: unknown, context: FailureContext = {}): KebabError {
  const chain = causeChain(error);
  for (const link of chain) {
    const known = classifyLink(link, { context, message: messageOf(error), cause: error });
    if (known !== undefined) return known;
  }
  return new KebabError('generic', messageOf(error), { details: { chain: chain.map(messageOf) }, cause: error });
}

interface Outer {
  readonly context: FailureContext;
  readonly message: string;
  readonly cause: unknown;
}

function classifyLink(link: unknown, outer: Outer): KebabError | undefined {
  if (isKebabError(link)) return (ERROR_CODES as readonly string[]).includes(link.code) ? link : undefined;
  if (isAbort(link)) {
    const details = { operation: outer.context.operation ?? 'the operation', reason: messageOf(link) };
    return new KebabError('cancelled', `${details.operation} was cancelled`, { details, cause: outer.cause });
  }
  const code = textMember(link, 'code')?.replace(/^ERR_FS_(?=E)/, ''); // `rm` prefixes system error codes like this
  if (code === undefined) return undefined;
  if (code.startsWith('SQLITE_')) return sqliteError(code, link, outer);
  if (code === 'MODULE_NOT_FOUND' && OWN_FILE.test(messageOf(link))) {
    const details = { chain: [outer.message] };
    const hint = 'start it again';
    return new KebabError('generic', 'kebab was updated while it ran', { details, hint, cause: outer.cause });
  }
  if (!FILE_ERRORS.has(code) || textMember(link, 'syscall') === undefined) return undefined;
  return ioError({ kind: code, path: textMember(link, 'path') ?? null, link }, outer);
}

function sqliteError(code: string, link: unknown, outer: Outer): KebabError | undefined {
  const path = outer.context.databasePath ?? null;
  // On a full disk, even readers fail: the memory that they share is a file next to the database.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') return ioError({ kind: 'ENOSPC', path, link }, outer);
  if (code.startsWith('SQLITE_CORRUPT')) {
    const details = { store: path ?? 'kebab.sqlite', table: null, cause: messageOf(link) };
    return new KebabError('store_damaged', `${details.store} is damaged: ${outer.message}`, {
      details,
      cause: outer.cause,
    });
  }
  if (/^SQLITE_(?:IOERR|CANTOPEN|READONLY)/.test(code)) return ioError({ kind: code, path, link }, outer);
  if (!/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return undefined;
  const details = { path: path ?? 'kebab.sqlite', pid: null };
  return new KebabError('locked', `${details.path} is in use: ${outer.message}`, { details, cause: outer.cause });
}

function ioError(failure: { kind: string; path: string | null; link: unknown }, outer: Outer): KebabError<'io_error'> {
  const { kind, path, link } = failure;
  const cause = messageOf(link);
  const reason = systemReason(outer.message);
  const message = reason === outer.message || path === null ? reason : `${path}: ${reason}`;
  return new KebabError('io_error', message, {
    details: { kind, path, cause },
    cause: outer.cause,
    ...hintOf(kind),
  });
}

function hintOf(kind: string): { readonly hint?: string } {
  if (kind === 'ENOSPC' || kind === 'EDQUOT') return { hint: 'free some space there, then run the command again' };
  if (kind === 'EROFS') return { hint: 'the file system is mounted read-only: choose a folder that can be written' };
  return {};
}

/** The value and its causes, outermost first. */
function causeChain(error: unknown): readonly unknown[] {
  const chain: unknown[] = [error];
  let next = causeOf(error);
  while (next !== undefined && next !== null && chain.length < MAX_CAUSES && !chain.includes(next)) {
    chain.push(next);
    next = causeOf(next);
  }
  return chain;
}

function causeOf(value: unknown): unknown {
  return value instanceof Error || isKebabError(value) ? value.cause : undefined;
}

/** The text that Node adds around the message of the operating system: the code, the call, its paths. */
const SYSTEM_MESSAGE = /^E[A-Z0-9]+: (.+?), [a-z]+(?: '.*')?$/s;

/**
 * The text of the operating system in a message about a failed system call, such as `no such file or directory`; any other message
 * unchanged.
 */
export function systemReason(message: string): string {
  return SYSTEM_MESSAGE.exec(message)?.[1] ?? message;
}
