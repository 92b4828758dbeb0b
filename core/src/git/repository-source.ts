import path from 'node:path';

/**
 * What git may fetch: an http, https, ssh or git URL, `user@host:path`, or `file:///`. Nothing that git would hand to another program
 * (`ext::`), nothing that looks like one of its options, and no password: it would be written to the configuration.
 */
export const REPOSITORY_URL =
  /^(?:(?:https?|git):\/\/[A-Za-z0-9[][^\s@/\p{Cc}]*\/[^\s\p{Cc}]+|ssh:\/\/(?:[\w.][\w.-]*@)?[A-Za-z0-9[][^\s@/\p{Cc}]*\/[^\s\p{Cc}]+|file:\/\/\/[^\p{Cc}]+|[\w.][\w.-]*@(?:[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:]+\]):(?![-:])[^\s\p{Cc}]+)$/u;

/** The forms of {@link REPOSITORY_URL} in words. */
export const REPOSITORY_URL_DOC =
  'the URL of a git repository without a password: https://HOST/PATH, ssh://HOST/PATH, USER@HOST:PATH or file:///PATH';

/** Whether a text is meant as a URL, rather than as a path: it may still be one that kebab does not clone. */
export function looksLikeUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:\/\/|:)/i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);
}

/** The name of a repository in its URL: `widgets` of `https://host/team/widgets.git`. */
export function repositoryNameIn(url: string): string {
  const [, name = ''] = /([^/:]+?)(?:\.git)?\/*$/.exec(url.replace(/\/+\.git\/*$/, '')) ?? [];
  return name;
}

/** The folder of the clones of a knowledge base, each named after its source. */
export function repositoriesFolder(dataDir: string): string {
  return path.join(dataDir, 'repositories');
}
