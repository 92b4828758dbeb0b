import { isKebabError } from '../errors/kebab-error.ts';
import type { ComponentName } from '../plugin/components.ts';
import type { PluginKind } from '../plugin/contributions.ts';

/**
 * Kinds whose failures change nothing that is shown, end an answer early, or are one line of a report: who is to blame and what
 * to do is told beside.
 */
const TOLD_BESIDE: ReadonlySet<PluginKind> = new Set(['hook', 'groundedness', 'llm', 'source']);

/** Collects what the user is told about plugins: each thing once, however often it happens, and in the order it happens. */
export class PluginNotices {
  readonly #lines: string[];
  readonly #told = new Set<string>();
  readonly #broken = new Map<string, string>();

  /** Begins with what is known before anything runs. */
  constructor(known: readonly string[]) {
    this.#lines = [...known];
  }

  /** Every line so far; it only grows at its end. */
  get lines(): readonly string[] {
    return [...this.#lines];
  }

  /** A component that could not be made, or not be closed. */
  broken({ plugin, kind, id }: ComponentName, { message }: Error): void {
    this.#broken.set(plugin, message);
    this.#tell(`${plugin} ${kind} ${id}`, `plugin ${message}; see \`kebab plugin doctor\``);
  }

  /** Why a plugin is broken; undefined when it is not. */
  reasonOf(plugin: string): string | undefined {
    return this.#broken.get(plugin);
  }

  /** A call of a component that failed. A failure that its caller reports is not told twice. */
  failedCall({ plugin, kind, id }: ComponentName, error: Error): void {
    if (!TOLD_BESIDE.has(kind)) return;
    this.#tell(`${plugin} ${kind} ${id}`, `plugin ${error.message}${isKebabError(error) ? `; ${error.hint}` : ''}`);
  }

  /** A file on which an extractor failed; the report names the file. */
  failedFile(error: unknown): void {
    if (!isKebabError(error, 'plugin_failed')) return;
    const agent = `${error.details.plugin}@${error.details.version}`;
    const remedy = 'update it, or take it out of `plugins`; `kebab plugin test` tells its author more';
    this.#tell(agent, `plugin ${agent} fails on files: ${remedy}`);
  }

  #tell(about: string, line: string): void {
    if (this.#told.has(about)) return;
    this.#told.add(about);
    this.#lines.push(line);
  }
}
