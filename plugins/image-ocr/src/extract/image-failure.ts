import { invalidInput, isAbort, isKebabError } from '@kebab/core';

/** Says why an image cannot be read, in one line, as `invalid_input`. Errors of kebab and aborts come back as they are. */
export function imageFailure(error: unknown, file: string): unknown {
  if (isKebabError(error) || isAbort(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const reason = message.split('\n', 1)[0]?.trim().replace(/\.$/, '') ?? '';
  return unreadableImage(`${file} is damaged and cannot be read: ${reason}`);
}

/** Makes the error of a file that is no readable image. */
export function unreadableImage(message: string): Error {
  return invalidInput(message, {
    hint: 'open the file in an image viewer and save it again, or leave it out with a line in .kebabignore',
  });
}
