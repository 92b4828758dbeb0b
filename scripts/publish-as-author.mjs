// Creates, tests, publishes, installs, uses, updates and removes a plugin like its author and users, from a local registry on loopback in a
// fresh home. Prints minutes, megabytes and lines.
//
//   npm run build && npm run journey:author
import { publishAsAuthor } from './author-journey.mjs';
import { useAsUser } from './journey.mjs';
import { inFreshHome } from './local-registry.mjs';

await inFreshHome(async (author) => {
  const { program } = await useAsUser(author);
  const { tools, code } = await author.timed('a plugin from its template to its end', () =>
    publishAsAuthor(author, { program }),
  );
  return { megabytes: tools, more: `, ${code} lines of code` };
});
