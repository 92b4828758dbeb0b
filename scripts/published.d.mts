/** `repository` of a published package.json, as far as the address of a checkout leads somewhere for others. */
export function repositoryOf(
  remote: string,
  directory: string,
): { readonly repository?: { readonly type: 'git'; readonly url: string; readonly directory: string } };
