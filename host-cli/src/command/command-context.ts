import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  invalidInput,
  isReadonly,
  printable,
  type App,
  type Fields,
  type OpenAppOptions,
  type SearchResponse,
  type ServeAppOptions,
  type ServiceStatus,
  type TryFolderOptions,
} from '@kebab/core/app';
import type { ExitCode } from '../exit-codes.ts';
import type { CommandIo } from '../io/printer.ts';
import { screenOf, type Screen } from '../screen/screen.ts';
import { wrapLines } from '../screen/wrap-lines.ts';
import type { CommandValues } from './command-values.ts';

/** The entry points of the engine that commands use; tests replace them. */
export interface Engine {
  readonly openApp: (options: OpenAppOptions) => Promise<App>;
  readonly tryFolder: (options: TryFolderOptions) => Promise<SearchResponse>;
  readonly serveApp: (options: ServeAppOptions) => Promise<string>;
  readonly serviceStatus: (options: OpenAppOptions) => Promise<ServiceStatus>;
  readonly stopService: (options: OpenAppOptions) => Promise<ServiceStatus>;
}

/** The options that every run passes to the engine: the built-in plugins and the environment of the process. */
export type EngineSetup = Required<Pick<OpenAppOptions, 'builtins' | 'environment' | 'extractionWorkerUrl'>> &
  Pick<OpenAppOptions, 'installing' | 'serviceCommand'>;

/** Everything that a command can access outside itself. */
export interface CommandHost {
  readonly io: CommandIo;
  readonly engine: Engine;
  readonly setup: EngineSetup;
  /** Why this process can run no command; null or absent if it can. Version and help are shown regardless. */
  readonly problem?: Error | null | undefined;
  /** Fires at the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Runs another line of this program on the same terminal, and resolves to its exit code. */
  readonly runAgain?: ((line: readonly string[]) => Promise<ExitCode>) | undefined;
}

/** A complete id, as in JSON output. It is passed on unresolved, so that a search for an unknown one finds nothing. */
const FULL_ID = /^\s*[0-9a-f]{32}\s*$/i;

/** A command line while it runs: its values, its streams, and the App, opened on first use. */
export class CommandContext {
  readonly values: CommandValues;
  readonly io: CommandIo;
  readonly signal: AbortSignal;
  readonly json: boolean;
  /** No progress, no notices. */
  readonly quiet: boolean;
  /** The words of the command line as typed. */
  readonly typed: readonly string[];
  readonly #host: CommandHost;
  #app: Promise<App> | undefined;
  #printedNotices = 0;
  #hidesPluginNotices = false;
  #missingPart: string | null = null;

  constructor(values: CommandValues, host: CommandHost, typed: readonly string[] = []) {
    this.values = values;
    this.typed = typed;
    this.io = host.io;
    this.signal = host.signal;
    this.json = values.has('json');
    this.quiet = values.has('quiet');
    this.#host = host;
  }

  /** Whether all writes are refused. Throws `config_invalid` if the environment variable is neither true nor false. */
  get readonly(): boolean {
    return this.values.has('readonly') || isReadonly(this.#host.setup.environment.env);
  }

  /** The missing part of kebab that the command did without and that may be offered; null if there is none. */
  get missingPart(): string | null {
    return this.#missingPart === null || this.json || this.quiet || this.readonly ? null : this.#missingPart;
  }

  /** Records that the command did without a part of kebab. */
  noteMissingPart(part: string): void {
    this.#missingPart = part;
  }

  /** The given flags of a request. `--doc-id` takes a path or the first digits of an id, as other commands do for a document. */
  async request(fields: Fields): Promise<ReturnType<CommandValues['request']>> {
    const request = this.values.request(fields);
    const named = fields['doc_id'] === undefined ? [] : (this.values.all('doc-id') ?? []);
    if (named.every((typed) => FULL_ID.test(typed))) return request;
    const app = await this.openApp();
    return { ...request, doc_id: await Promise.all(named.map((typed) => app.resolveId('document', typed))) };
  }

  /** The home folder of the user. */
  get homeDir(): string {
    return this.#host.setup.environment.homeDir;
  }

  /** The value of an environment variable. */
  variable(name: string): string | undefined {
    return this.#host.setup.environment.env[name];
  }

  /** The environment variables whose names match. */
  variables(names: RegExp): Readonly<Record<string, string>> {
    const set = Object.entries(this.#host.setup.environment.env);
    return Object.fromEntries(
      set.flatMap(([name, value]) => (value !== undefined && names.test(name) ? [[name, value]] : [])),
    );
  }

  /** A path as typed, made absolute. */
  absolute(typed: string): string {
    return path.resolve(this.#host.setup.environment.cwd, typed);
  }

  /** The App of this run, opened on first call; with `despiteConfig`, a broken configuration is replaced by the defaults. */
  openApp(how: Pick<OpenAppOptions, 'despiteConfig' | 'makesConfig'> = {}): Promise<App> {
    this.#app ??= this.#host.engine.openApp(this.#openOptions(how)).then((app) => {
      this.#printNotices(app);
      return app;
    });
    return this.#app;
  }

  /** Suppresses notices about plugins, for a command whose output shows the state of plugins anyway. */
  hidePluginNotices(): void {
    this.#hidesPluginNotices = true;
  }

  /** Opens another App, for a command that opens several; the caller closes it. */
  openOwnApp({
    readonly = this.readonly,
    ...how
  }: Pick<OpenAppOptions, 'despiteConfig' | 'isLasting'> & { readonly readonly?: boolean } = {}): Promise<App> {
    const options = this.#openOptions(how);
    return this.#host.engine.openApp({ ...options, flags: { ...options.flags, readonly } });
  }

  /** Answers other processes until the service ends; returns why. */
  serveApp(onListening: ServeAppOptions['onListening']): Promise<string> {
    return this.#host.engine.serveApp({ ...this.#openOptions(), signal: this.signal, onListening });
  }

  /** The state of the knowledge base's service. */
  serviceStatus(): Promise<ServiceStatus> {
    return this.#host.engine.serviceStatus(this.#openOptions());
  }

  /** Ends the service of the knowledge base. */
  stopService(): Promise<ServiceStatus> {
    return this.#host.engine.stopService(this.#openOptions());
  }

  /** Searches a folder once, without configuration; nothing is stored. */
  tryFolder(request: Omit<TryFolderOptions, keyof OpenAppOptions | 'signal'>): Promise<SearchResponse> {
    return this.#host.engine.tryFolder({ ...this.#openOptions(), ...request, signal: this.signal });
  }

  /** Prints text on stdout. */
  print(text: string): void {
    this.io.stdout.print(text);
  }

  /** Prints one wire object as one line on stdout. */
  printJson(value: object): void {
    this.io.stdout.json(value);
  }

  /** Prints a wire object: as JSON, or as text rendered by `render`. */
  show<T extends object>(value: T, render: (value: T, screen: Screen) => string): void {
    if (this.json) this.printJson(value);
    else this.printWrapped(render(value, this.screen()));
  }

  /** Prints kebab's own text on stdout; on a terminal, long lines are wrapped at spaces. */
  printWrapped(text: string): void {
    const { columns } = this.io.stdout;
    this.io.stdout.print(text, (shown) => wrapLines(shown, columns));
  }

  /** Prints a line for people on stderr, except with `--json` or `--quiet`. With `isWhole` it is not wrapped, so that it can be copied. */
  note(line: string, isWhole = false): void {
    if (this.json || this.quiet) return;
    if (isWhole) this.io.stderr.line(line);
    else this.io.stderr.print(`${wrapLines(printable(line), this.io.stderr.columns)}\n`);
  }

  /** The layout of an output; stdout by default. */
  screen(output: CommandIo['stdout'] = this.io.stdout): Screen {
    return screenOf(output, this.#host.setup.environment, this.values.text('color'));
  }

  /** Prints a wire object: as JSON, or as lines that may be many. */
  async showLines<T extends object>(value: T, linesOf: (value: T) => readonly string[]): Promise<void> {
    if (this.json) this.printJson(value);
    else await this.printLong(`${linesOf(value).map(printable).join('\n')}\n`);
  }

  /** Prints a text that may be long: through the user's pager if it does not fit on the terminal. */
  async printLong(text: string): Promise<void> {
    const { rows } = this.io.stdout;
    if (rows === null || this.values.has('no-pager')) return this.print(text);
    const { pagerOf, showInPager } = await import('../io/pager.ts');
    const pager = pagerOf((name) => this.variable(name));
    await this.io.stdout.printThrough((shown) => showInPager(shown, { rows, pager }), text);
  }

  /** Closes the App, if it was opened. */
  async close(): Promise<void> {
    const app = await this.#app?.catch(() => undefined); // the failure to open it has already been thrown
    if (app === undefined) return;
    this.#printNotices(app);
    await app.close();
    this.#printNotices(app); // a plugin may fail at the very end
  }

  /** Plugins are loaded on first use, so notices may appear long after the App was opened. */
  #printNotices({ notices }: App): void {
    for (const { kind, text } of notices.slice(this.#printedNotices))
      if (kind !== 'plugin' || !this.#hidesPluginNotices) this.note(`notice: ${text}`);
    this.#printedNotices = notices.length;
  }

  #openOptions(how: Pick<OpenAppOptions, 'despiteConfig' | 'makesConfig' | 'isLasting'> = {}): OpenAppOptions {
    const config = this.values.text('config');
    const pdfPassword = this.values.text('pdf-password');
    const { setup } = this.#host;
    return {
      ...how,
      builtins: setup.builtins,
      environment: setup.environment,
      installing: setup.installing,
      serviceCommand: setup.serviceCommand,
      get extractionWorkerUrl() {
        return setup.extractionWorkerUrl; // a getter, so that a search does not parse URLs
      },
      flags: {
        readonly: this.readonly,
        debug: this.values.has('debug'),
        config: config === undefined ? undefined : this.absolute(config),
        user: this.values.has('user') ? true : undefined,
        plugins: this.values.all('plugin')?.map((plugin) => this.#pluginSpecifier(plugin)),
        values: pdfPassword === undefined ? [] : [{ key: 'pdf.password', flag: '--pdf-password', value: pdfPassword }],
      },
      onDebugLine: (line) => this.io.stderr.jsonLine(line.trimEnd()),
    };
  }

  /**
   * An existing path is a path even without a leading dot; anything else is the name of a package. Throws `invalid_input` for a path that
   * does not exist, because a requested plugin must not be skipped silently.
   */
  #pluginSpecifier(typed: string): string {
    const file = this.absolute(typed);
    if (existsSync(file)) return file;
    if (/^[./~]/.test(typed)) throw invalidInput(`there is no plugin at ${typed}`, { field: '--plugin', value: typed });
    return typed;
  }
}
