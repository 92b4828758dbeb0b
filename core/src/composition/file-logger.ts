import { readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../files/write-atomically.ts';
import type { Clock, LogFields, Logger } from '../contracts/contribution.ts';

/** The log levels, most verbose first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Options of a {@link FileLogger}. */
export interface FileLoggerInit {
  /** Created with the first record. */
  readonly folder: string;
  /** The beginning of the names of its files; `kebab` by default. */
  readonly name?: string | undefined;
  readonly level: LogLevel;
  /** Files older than this many days are removed when a new one is started. */
  readonly retentionDays: number;
  readonly clock: Clock;
  /** Receives every record as well, one JSON object per line; `--debug` passes stderr. */
  readonly mirror?: ((line: string) => void) | undefined;
}

interface LogRecord {
  readonly level: LogLevel;
  readonly time: Date;
  readonly message: string;
  readonly fields: LogFields;
}

type Write = (record: LogRecord) => void;

/** Fields that are never logged: document text and secrets. */
const REDACTED = [
  'text',
  'apiKey',
  'api_key',
  'password',
  'token',
  '*.text',
  '*.apiKey',
  '*.api_key',
  '*.password',
  '*.token',
];

/**
 * Writes JSON lines to one file per day. The logging library is loaded with the first record of an enabled level; a failure to write the
 * log never affects other work.
 */
export class FileLogger implements Logger {
  readonly #init: FileLoggerInit;
  /** Settles when all records so far are written; null when none can be. */
  #writing: Promise<Write | null> | undefined;

  constructor(init: FileLoggerInit) {
    this.#init = init;
  }

  debug(message: string, fields: LogFields = {}): void {
    this.#log('debug', message, fields);
  }
  info(message: string, fields: LogFields = {}): void {
    this.#log('info', message, fields);
  }
  warn(message: string, fields: LogFields = {}): void {
    this.#log('warn', message, fields);
  }
  error(message: string, fields: LogFields = {}): void {
    this.#log('error', message, fields);
  }

  /** Flushes pending records. */
  async close(): Promise<void> {
    await this.#writing;
  }

  #log(level: LogLevel, message: string, fields: LogFields): void {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.#init.level)) return;
    const record = { level, time: this.#init.clock.now(), message, fields };
    this.#writing = (this.#writing ?? openWriter(this.#init).catch(() => null)).then((write) => {
      try {
        write?.(record);
      } catch {
        // As when the file cannot be opened, the record is lost and the work continues.
      }
      return write;
    });
  }
}

/** How many bytes of unwritten records are kept. */
const MAX_UNWRITTEN = 1_048_576;

async function openWriter(init: FileLoggerInit): Promise<Write> {
  const { pino } = await import('pino');
  makeFolder(init.folder);
  const fileOf = (day: string): string => path.join(init.folder, `${init.name ?? 'kebab'}-${day}.jsonl`);
  let day = dayOf(init.clock.now());
  const file = pino.destination({ dest: fileOf(day), sync: true, mode: 0o600, maxLength: MAX_UNWRITTEN });
  file.on('error', () => {}); // e.g. a full disk: unwritten records are retried with the next one
  prune(init);
  const stream = {
    write(line: string): void {
      const today = dayOf(init.clock.now());
      if (today !== day) {
        day = today;
        file.reopen(fileOf(day));
        prune(init);
      }
      file.write(line);
      init.mirror?.(line);
    },
  };
  const log = pino(
    { level: init.level, base: null, timestamp: false, redact: { paths: REDACTED, censor: '***' } },
    stream,
  );
  return ({ level, time, message, fields }) => log[level]({ time: time.toISOString(), ...fields }, message);
}

function prune({ folder, name: kind = 'kebab', retentionDays, clock }: FileLoggerInit): void {
  const oldest = dayOf(new Date(clock.now().getTime() - retentionDays * 86_400_000));
  try {
    for (const name of readdirSync(folder)) {
      const day = name.startsWith(`${kind}-`) ? /-(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(name)?.[1] : undefined;
      if (day !== undefined && day < oldest) unlinkSync(path.join(folder, name));
    }
  } catch {
    // They are kept until the next file is started.
  }
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
