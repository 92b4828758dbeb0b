import { invalidInput, isAbort, isKebabError } from '@kebab/core';

const PASSWORD_MISSING = 1;

/**
 * Converts a failure to read a file to `invalid_input` with the reason in one line: it is encrypted (the hint names the setting), is not a
 * PDF, or what pdf.js says about it, or that it takes too much time or memory. Errors of kebab and aborts are returned unchanged.
 */
export function pdfFailure(error: unknown, file: string): unknown {
  if (isKebabError(error) || isAbort(error)) return error;
  const { name, message, code } = parts(error);
  if (name === 'PasswordException')
    return invalidInput(
      code === PASSWORD_MISSING
        ? `${file} is encrypted and does not open without a password: give --pdf-password or KEBAB_PDF_PASSWORD`
        : `${file} is encrypted, and the password of --pdf-password or pdf.password does not open it`,
      {
        field: 'pdf.password',
        hint: 'run `kebab ingest --pdf-password PASSWORD`, or keep it with `kebab config set pdf.password PASSWORD`',
      },
    );
  const reason = message.replace(/\.$/, '');
  return invalidInput(
    name === 'InvalidPDFException' ? `${file} cannot be read as a PDF: ${reason}` : `${file} cannot be read: ${reason}`,
    { hint: 'open the file in a PDF reader and save it again, or leave it out with a line in .kebabignore' },
  );
}

/** Whether a file did not open because the password was wrong. */
export function isPasswordRefused(error: unknown): boolean {
  return parts(error).name === 'PasswordException';
}

/** The message of a failure, on one line. */
export function reasonOf(error: unknown): string {
  return parts(error).message;
}

function parts(error: unknown): { readonly name: string; readonly message: string; readonly code: unknown } {
  const { name, message, code } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly name?: unknown;
    readonly message?: unknown;
    readonly code?: unknown;
  };
  const text = typeof message === 'string' && message.trim() !== '' ? message : String(name ?? error);
  return { name: String(name), message: text.trim().split('\n', 1)[0] ?? '', code };
}
