/** What was wrong with an answer of the server. */
export type FaultKind =
  /** A status other than 200; `status` says which. */
  | 'refused'
  /** The server said in mid-stream that something went wrong. */
  | 'reported'
  /** A line, or the whole answer, is not JSON. */
  | 'garbled'
  /** The answer ended before its last line. */
  | 'incomplete';

/** A failure of the server that reached us as an answer; a broken connection is none. */
export class AnswerFault extends Error {
  readonly kind: FaultKind;
  /** The HTTP status of the answer. */
  readonly status: number;

  constructor(kind: FaultKind, status: number, message: string) {
    super(message.split('\n', 1)[0]?.slice(0, 300) ?? '');
    this.name = 'AnswerFault';
    this.kind = kind;
    this.status = status;
  }
}
