import { isKebabError } from '../errors/kebab-error.ts';
import type { ComponentName } from '../plugin/components.ts';
import type { PluginKind } from '../plugin/contributions.ts';

/**
 * Kinds whose failures do not affect what is shown, end an answer early, or are one line of a report, which names the plugin and the
 * remedy.
 */
const REPORTED_ELSEWHERE: ReadonlySet<PluginKind> = new Set(['hook', 'groundedness', 'llm', 'source']);

/** Collects the notices about plugins: each once, however often it occurs, in order of occurrence. */
export class PluginNotices {
  readonly #lines: string[];
  readonly #told = new Set<string>();
  readonly #broken = new Map<string, string>();

  /** Starts with what is known before anything runs. */
  constructor(known: readonly string[]) {
    this.#lines = [...known];
  }

  /** All lines so far; new ones are appended. */
  get lines(): readonly string[] {
    return [...this.#lines];
  }

  /** Adds a notice about running plugins, such as which of two extractors reads a file. */
  note(line: string): void {
    this.#notice(line, line);
  }

  /** Records a component that could not be created or closed. */
  broken({ plugin, kind, id }: ComponentName, { message }: Error): void {
    this.#broken.set(plugin, message);
    this.#notice(`${plugin} ${kind} ${id}`, `plugin ${message}; see \`kebab plugin doctor\``);
  }

  /** Why a plugin is broken; undefined when it is not. */
  reasonOf(plugin: string): string | undefined {
    return this.#broken.get(plugin);
  }

  /** Records a failed call of a component. A failure that its caller reports is not reported twice. */
  failedCall({ plugin, kind, id }: ComponentName, error: Error): void {
    if (!REPORTED_ELSEWHERE.has(kind)) return;
    this.#notice(`${plugin} ${kind} ${id}`, `plugin ${error.message}${isKebabError(error) ? `; ${error.hint}` : ''}`);
  }

  /** Records a file on which an extractor failed; the report names the file. */
  failedFile(error: unknown): void {
    if (!isKebabError(error, 'plugin_failed')) return;
    const agent = `${error.details.plugin}@${error.details.version}`;
    const remedy = 'update it, or take it out of `plugins`; `kebab plugin test` shows its author more';
    this.#notice(agent, `plugin ${agent} fails on files: ${remedy}`);
  }

  #notice(about: string, line: string): void {
    if (this.#told.has(about)) return;
    this.#told.add(about);
    this.#lines.push(line);
  }
}
