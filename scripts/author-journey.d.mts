import type { Journey } from './journey.mjs';

/** Takes the steps of an author; returns the lines of code that the plugin has, and the megabytes of what it needs of kebab. */
export function publishAsAuthor(
  author: Journey,
  options: { readonly program: string },
): Promise<{ readonly tools: number; readonly code: number }>;
