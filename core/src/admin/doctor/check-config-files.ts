import { checkOf, failed, fine } from './outcome.ts';

/** Which configuration files are in effect. */
export const checkConfigLoaded = checkOf('config_loaded', ({ resolution: { files, failure } }) => {
  if (failure !== undefined) return failed(`${failure.message}; the other checks look at the defaults`, failure.hint);
  const loaded = files.filter(({ exists }) => exists).map(({ path }) => path);
  return fine(loaded.length === 0 ? `defaults; there is no ${files[0]?.path ?? 'file'}` : loaded.join(', '));
});

/** Whether the project file may say all it says. */
export const checkConfigTrusted = checkOf('config_trusted', ({ resolution: { files } }) => {
  const [, project] = files;
  if (project === undefined) return fine('no project file');
  if (project.trusted) return fine(project.path);
  if (project.ignored.length === 0)
    return fine(`${project.path} is not trusted, and asks for nothing that takes trust`);
  const ignored = `${project.path} is not trusted: ${project.ignored.join(', ')} ignored`;
  return failed(ignored, `kebab trust ${project.path}`);
});
