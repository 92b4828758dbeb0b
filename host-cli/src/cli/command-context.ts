import { existsSync } from 'node:fs';
import path from 'node:path';
import type { App, OpenAppOptions, SearchResponse } from '@kebab/core/app';
import type { CommandIo } from '../io/command-io.ts';
import type { Screen } from '../render/screen.ts';
import type { Engine, EngineSetup, TryRequest } from './engine.ts';
import type { CommandValues } from './parse-command-line.ts';

/** What a command runs in. */
export interface CommandHost {
  readonly io: CommandIo;
  readonly engine: Engine;
  readonly setup: EngineSetup;
  /** Fires at the first Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Makes the text of a screen out of a wire object. */
export type Render<T> = (value: T, screen: Screen) => string;

/** What a command works with: its values, its streams, and the App, opened when it is first asked for. */
export class CommandContext {
  readonly values: CommandValues;
  readonly io: CommandIo;
  readonly signal: AbortSignal;
  readonly json: boolean;
  /** No progress, no notices. */
  readonly quiet: boolean;
  readonly #host: CommandHost;
  #app: Promise<App> | undefined;
  #noticesTold = 0;
  #showsPlugins = false;

  constructor(values: CommandValues, host: CommandHost) {
    this.values = values;
    this.io = host.io;
    this.signal = host.signal;
    this.json = values.has('json');
    this.quiet = values.has('quiet');
    this.#host = host;
  }

  /** Whether everything that writes is refused. */
  get readonly(): boolean {
    return this.values.has('readonly') || /^(1|true|yes|on)$/i.test(this.variable('KEBAB_READONLY') ?? '');
  }

  /** The value of an environment variable. */
  variable(name: string): string | undefined {
    return this.#host.setup.environment.env[name];
  }

  /** A path as typed, made absolute. */
  absolute(typed: string): string {
    return path.resolve(this.#host.setup.environment.cwd, typed);
  }

  /** The App of this run, opened at the first call; with the defaults where the configuration is what may be broken. */
  openApp(how: Pick<OpenAppOptions, 'despiteConfig'> = {}): Promise<App> {
    this.#app ??= this.#host.engine.openApp(this.#openOptions(how)).then((app) => {
      this.#tellNotices(app);
      return app;
    });
    return this.#app;
  }

  /** Says that what the command prints tells how plugins stand: then no notice does. */
  showsPlugins(): void {
    this.#showsPlugins = true;
  }

  /** Another App, for a command that opens several in its life; whoever asks closes it. */
  openOwnApp(): Promise<App> {
    return this.#host.engine.openApp(this.#openOptions());
  }

  /** Searches a folder once, without configuration; nothing is kept. */
  tryFolder(request: TryRequest): Promise<SearchResponse> {
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

  /** Prints a wire object: as JSON, or as the screen that the loaded function makes of it. */
  async show<T extends object>(value: T, load: () => Promise<Render<T>>): Promise<void> {
    if (this.json) return this.printJson(value);
    const render = await load();
    this.print(render(value, await this.screen()));
  }

  /** Prints a line on stderr for people: not with `--json`, not with `--quiet`. */
  tell(line: string): void {
    if (!this.json && !this.quiet) this.io.stderr.line(line);
  }

  /** What stdout looks like. */
  async screen(): Promise<Screen> {
    const { screenOf } = await import('../render/screen.ts');
    return screenOf(this.io.stdout, this.#host.setup.environment);
  }

  /** Closes the App, if it was opened. */
  async close(): Promise<void> {
    const app = await this.#app?.catch(() => undefined); // why it could not be opened has been thrown already
    if (app === undefined) return;
    this.#tellNotices(app);
    await app.close();
    this.#tellNotices(app); // a plugin may fail at the very end
  }

  /** Notices come while plugins are loaded, which may happen long after the App was opened. */
  #tellNotices({ notices }: App): void {
    for (const notice of notices.slice(this.#noticesTold))
      if (!this.#showsPlugins || !notice.startsWith('plugin ')) this.tell(`notice: ${notice}`);
    this.#noticesTold = notices.length;
  }

  #openOptions(how: Pick<OpenAppOptions, 'despiteConfig'> = {}): OpenAppOptions {
    const config = this.values.text('config');
    const pdfPassword = this.values.text('pdf-password');
    const plugins = this.values.all('plugin')?.map((plugin) => this.#pluginSpecifier(plugin));
    const { setup } = this.#host;
    return {
      ...how,
      builtins: setup.builtins,
      environment: setup.environment,
      get extractionWorkerUrl() {
        return setup.extractionWorkerUrl; // a search never asks, and is spared the parsing of URLs
      },
      flags: {
        readonly: this.readonly,
        debug: this.values.has('debug'),
        ...(config === undefined ? {} : { config: this.absolute(config) }),
        ...(plugins === undefined ? {} : { plugins }),
        ...(pdfPassword === undefined ? {} : { pdfPassword }),
      },
      onDebugLine: (line) => this.io.stderr.jsonLine(line),
    };
  }

  /** A path that exists is meant as a path, also without a leading dot; anything else is the name of a package. */
  #pluginSpecifier(typed: string): string {
    const file = this.absolute(typed);
    return existsSync(file) ? file : typed;
  }
}
