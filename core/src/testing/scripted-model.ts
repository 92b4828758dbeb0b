import { setTimeout as sleep } from 'node:timers/promises';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { GenerateRequest, LanguageModel, TokenChunk } from '../contracts/language-model.ts';

/** One answer of a {@link ScriptedModel}. */
export interface ScriptedReply {
  readonly text: string;
  /** Waited before each token; 0 by default. */
  readonly delayMs?: number;
  /** Breaks off after so many tokens with `finishReason: 'error'` and this text; `after: 0` throws it instead. */
  readonly fails?: { readonly after: number; readonly error: Error };
}

/**
 * What a model answers: one text to everything, texts or replies in turn (the last one again and again), or a function of the
 * request and of the number of requests before it.
 */
export type Script =
  | string
  | readonly (string | ScriptedReply)[]
  | ((request: GenerateRequest, call: number) => string | ScriptedReply | Promise<string | ScriptedReply>);

/** How a {@link ScriptedModel} presents itself. */
export interface ScriptedModelOptions {
  /** 8192 by default. */
  readonly contextTokens?: number;
  /** `scripted` of the provider `fake` by default. */
  readonly model?: LanguageModel['model'];
}

/**
 * A language model that answers from a script, token by token: a token is a word with the white space after it, and the
 * prompt's tokens are counted the same way. It keeps every promise of the contract, and every request for tests to look at.
 */
export class ScriptedModel implements LanguageModel {
  readonly id = 'scripted';
  readonly version = '1';
  readonly model: LanguageModel['model'];
  readonly contextTokens: number;
  readonly #script: Script;
  readonly #requests: GenerateRequest[] = [];
  #running = 0;

  constructor(script: Script, { contextTokens = 8192, model }: ScriptedModelOptions = {}) {
    this.#script = script;
    this.contextTokens = contextTokens;
    this.model = model ?? { id: 'scripted', provider: 'fake' };
  }

  /** What it was asked, the first request first. */
  get requests(): readonly GenerateRequest[] {
    return this.#requests;
  }

  /** How many answers are being written right now. */
  get running(): number {
    return this.#running;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}:${this.model.id}`;
  }

  async *generate(request: GenerateRequest, { signal }: AbortOptions = {}): AsyncGenerator<TokenChunk> {
    const call = this.#requests.push(request) - 1;
    const promptTokens = request.messages.reduce((sum, { text }) => sum + tokensOf(text).length, 0);
    let completionTokens = 0;
    const done = (finishReason: DoneReason, error?: string): TokenChunk => ({
      kind: 'done',
      finishReason,
      ...(error === undefined ? {} : { error }),
      usage: { promptTokens, completionTokens },
    });
    this.#running++;
    try {
      const { text, delayMs = 0, fails } = await this.#reply(request, call);
      const { kept, finishReason } = bounded(tokensOf(beforeStop(text, request.stop)), request.maxTokens);
      for (const token of kept) {
        if (fails?.after === completionTokens) break;
        if (delayMs > 0 && !(await waited(delayMs, signal))) break;
        if (signal?.aborted === true) break;
        completionTokens++;
        yield { kind: 'token', token };
      }
      if (signal?.aborted === true) yield done('aborted');
      else if (fails === undefined || fails.after > completionTokens) yield done(finishReason);
      else if (completionTokens === 0) throw fails.error;
      else yield done('error', fails.error.message);
    } finally {
      this.#running--;
    }
  }

  async #reply(request: GenerateRequest, call: number): Promise<ScriptedReply> {
    const script = this.#script;
    const reply =
      typeof script === 'function'
        ? await script(request, call)
        : typeof script === 'string'
          ? script
          : (script[Math.min(call, script.length - 1)] ?? '');
    return typeof reply === 'string' ? { text: reply } : reply;
  }
}

type DoneReason = Extract<TokenChunk, { kind: 'done' }>['finishReason'];

function tokensOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*|\s+/g) ?? [];
}

function beforeStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((each) => text.indexOf(each)).filter((end) => end >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}

function bounded(
  tokens: readonly string[],
  maxTokens: number,
): { readonly kept: readonly string[]; readonly finishReason: 'stop' | 'length' } {
  const kept = tokens.slice(0, maxTokens);
  return { kept, finishReason: kept.length < tokens.length ? 'length' : 'stop' };
}

/** False when the signal fired first. */
async function waited(delayMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
    return true;
  } catch {
    return false;
  }
}
