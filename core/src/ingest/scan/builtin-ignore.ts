const DIRECTORIES = new Set(['.git', 'node_modules', 'target', '__pycache__', '.venv', 'venv', 'env']);
const NAMES = new Set(['.DS_Store', '.kebabignore', 'kebab.toml', 'kebab.json', 'kebab.yaml', 'kebab.yml']);

/**
 * Whether kebab leaves an entry of this name out by itself: version control, dependencies, build output, virtual
 * environments, files of the operating system, and its own ignore and configuration files.
 */
export function isBuiltinIgnored(name: string, isDirectory: boolean): boolean {
  return NAMES.has(name) || name.startsWith('._') || (isDirectory && DIRECTORIES.has(name));
}
