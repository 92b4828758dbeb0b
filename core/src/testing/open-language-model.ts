import type { LanguageModel } from '../contracts/language-model.ts';

/** A language model ready to be tested, and what the suite needs to make things go wrong. What cannot be arranged is left out. */
export interface OpenLanguageModel {
  /** Answers {@link COUNTING_PROMPT} with at least twenty numbers. */
  readonly model: LanguageModel;
  /** The same kind of model at an address where nothing listens. */
  readonly unreachable?: () => LanguageModel | Promise<LanguageModel>;
  /** A model that its server does not have. */
  readonly missing?: () => LanguageModel | Promise<LanguageModel>;
  /** A model whose time limit passes before its first token. */
  readonly impatient?: () => LanguageModel | Promise<LanguageModel>;
  /** A model that breaks off after its first token. */
  readonly breaking?: () => LanguageModel | Promise<LanguageModel>;
  /** A model that writes for minutes if it is not stopped; `stopped` resolves when it has stopped, on the server's side. */
  readonly endless?: () => EndlessModel | Promise<EndlessModel>;
  readonly close?: () => void | Promise<void>;
}

/** A model that goes on, and how to find out that it does not. */
export interface EndlessModel {
  readonly model: LanguageModel;
  readonly stopped: () => Promise<void>;
}

/** What the suite asks for when it needs a long answer: "1, 2, 3 …". */
export const COUNTING_PROMPT = 'Count from 1 to 40. Write the numbers only, separated by ", ".';

/** What a test double answers to {@link COUNTING_PROMPT}. */
export const COUNTED = Array.from({ length: 40 }, (_, n) => n + 1).join(', ');

const REPEAT = 'Repeat the following, and write nothing else: ';

/** What the suite asks for when it needs certain characters. */
export function repeatPrompt(text: string): string {
  return `${REPEAT}${text}`;
}

/** What a test double of an endless model answers: some twenty thousand tokens. */
export const ENDLESS = 'and so on '.repeat(20_000);

/** What a test double answers to the prompts of the suite. */
export function suiteReply(prompt: string): string {
  return prompt.startsWith(REPEAT) ? prompt.slice(REPEAT.length) : COUNTED;
}
