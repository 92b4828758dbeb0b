/** A failure of the server that reached us as an answer; a broken connection is none. */
export class AnswerFault extends Error {
  /** The HTTP status; 200 when something was wrong in the middle of an answer. */
  readonly status: number;
  /** Whether the server said in its own words, as JSON, what is wrong. */
  readonly reported: boolean;

  constructor(status: number, reported: boolean, message: string) {
    super(message.split('\n', 1)[0]?.slice(0, 300) ?? '');
    this.name = 'AnswerFault';
    this.status = status;
    this.reported = reported;
  }
}

/** What servers put into the `error` of an answer: OpenAI and llama.cpp an object, others a text. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = (error as { readonly message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : JSON.stringify(error);
}
