/**
 * The dotted path of the module a file holds: `kebab_eval.metrics` for `kebab_eval/metrics.py`. One leading `src` or `lib`
 * folder and a trailing `__init__` are dropped, so the path of an `__init__.py` at the root is empty.
 */
export function modulePath(workspacePath: string): string {
  const segments = workspacePath.replace(/\.pyi?$/i, '').split('/');
  if (segments.length > 1 && (segments[0] === 'src' || segments[0] === 'lib')) segments.shift();
  if (segments.at(-1) === '__init__') segments.pop();
  return segments.join('.');
}
