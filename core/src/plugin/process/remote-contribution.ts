import { membersOf } from './contract-members.ts';
import { mediaKey, type MediaType } from '../../domain/media.ts';
import type { PluginProcess } from './plugin-process.ts';
import type {
  CallAnswer,
  MadeContribution,
  RemoteCall,
  RemoteWish,
  SentArgument,
  StreamAnswer,
} from './plugin-messages.ts';
import { receivedFrom } from './sent-failure.ts';

/** What a contribution in another process is made from. */
export interface RemoteInit {
  readonly wish: RemoteWish;
  readonly process: PluginProcess;
  /** Has it made, once more after its process was started again. */
  readonly make: () => Promise<MadeContribution>;
  /** How long a method may take to answer, or to yield the next item. */
  readonly limitMs: (method: string, args: readonly unknown[]) => number | null;
}

/** A contribution as it is at hand: where it was made, and by which process. */
interface AtHand {
  readonly made: MadeContribution;
  readonly generation: number;
}

/** A contribution of the process of a plugin, as its contract has it. Throws what making it throws. */
export async function remoteContribution({ wish, process, make, limitMs }: RemoteInit): Promise<object> {
  const first = await make();
  let state = first.state;
  let atHand: Promise<AtHand> = Promise.resolve({ made: first, generation: process.generation });
  const handle = async (): Promise<number> => {
    if ((await atHand).generation !== process.generation) {
      atHand = make().then((made) => ({ made, generation: process.generation }));
      atHand.catch(() => {});
    }
    return (await atHand).made.handle;
  };
  const sent = async (method: string, args: readonly unknown[]): Promise<RemoteCall> => {
    return { handle: await handle(), method, args: args.map(sentArgument) };
  };
  const call = async (method: string, args: readonly unknown[]): Promise<unknown> => {
    const { value, state: changed } = (await process.ask(
      { kind: 'call', call: await sent(method, args) },
      { ms: limitMs(method, args), isCall: true, ...heardIn(args) },
    )) as CallAnswer;
    state = changed ?? state;
    return value;
  };
  async function* stream(method: string, args: readonly unknown[]): AsyncGenerator {
    const options = { ms: limitMs(method, args), isCall: true, ...heardIn(args) };
    let opened = 0;
    await process.ask({ kind: 'open', call: await sent(method, args) }, { ...options, onSent: (id) => (opened = id) });
    const { generation } = process;
    try {
      for (let isOver = false; !isOver;) {
        if (process.generation !== generation) throw new Error('its process ended');
        const answer = (await process.ask(
          { kind: 'next', stream: opened },
          { ...options, abortId: opened },
        )) as StreamAnswer;
        state = answer.state ?? state;
        ({ isOver } = answer);
        yield* answer.items;
      }
    } finally {
      process.stop(opened);
    }
  }
  const close = async (): Promise<void> => {
    if ((await atHand).generation === process.generation) await call('close', []);
  };
  const object = {};
  for (const [name, member] of membersOf(wish.kind)) {
    const isThere = first.methods.includes(name);
    if (member === 'value') {
      if (name in first.state) Object.defineProperty(object, name, { get: () => state[name], enumerable: true });
      continue;
    }
    if (!isThere) continue;
    const methods = {
      said: () => state[name],
      'of-media': (media: MediaType) => answerTo(first, name, media),
      call: (...args: readonly unknown[]) => call(name, args),
      stream: (...args: readonly unknown[]) => stream(name, args),
      elsewhere: () => {
        throw new Error(`its ${name} runs in extraction processes alone`);
      },
    };
    Object.defineProperty(object, name, { value: name === 'close' ? close : methods[member], enumerable: true });
  }
  return object;
}

/** A medium that was not asked about is none that it lists. */
function answerTo({ ofMedia }: MadeContribution, method: string, media: MediaType): unknown {
  const outcome = ofMedia[method]?.get(mediaKey(media));
  return outcome === undefined ? false : receivedFrom(outcome);
}

/** What can be called in an argument to report something, whatever it answers. */
const LISTENERS = ['progress', 'onProgress', 'onDirectory'] as const;

/** An argument as it is sent: of a table of options what is data, and what there is besides. */
function sentArgument(arg: unknown): SentArgument {
  if (typeof arg !== 'object' || arg === null || Object.getPrototypeOf(arg) !== Object.prototype) return { data: arg };
  const entries = Object.entries(arg);
  if (!entries.some(isSpecial)) return { data: arg };
  const { signal, log } = arg as { readonly signal?: unknown; readonly log?: unknown };
  return {
    data: Object.fromEntries(entries.filter((entry) => !isSpecial(entry))),
    ...(signal instanceof AbortSignal ? { signal: true } : {}),
    ...(log === undefined ? {} : { log: true }),
    listeners: LISTENERS.filter((name) => typeof (arg as Readonly<Record<string, unknown>>)[name] === 'function'),
  };
}

function isSpecial([name, value]: readonly [string, unknown]): boolean {
  return typeof value === 'function' || value instanceof AbortSignal || name === 'log';
}

/** The signal among some arguments, and what hears what is reported. */
function heardIn(args: readonly unknown[]): {
  readonly signal: AbortSignal | undefined;
  readonly onTold: (listener: string, given: readonly unknown[]) => void;
} {
  const tables = args.filter((arg) => typeof arg === 'object' && arg !== null) as Readonly<Record<string, unknown>>[];
  const signal = tables.map((table) => table['signal']).find((one) => one instanceof AbortSignal);
  const onTold = (listener: string, given: readonly unknown[]): void => {
    if (!(LISTENERS as readonly string[]).includes(listener)) return;
    for (const table of tables) {
      const hears = table[listener];
      if (typeof hears === 'function') (hears as (...them: readonly unknown[]) => void)(...given);
    }
  };
  return { signal, onTold };
}
