/** One message of a conversation, in chat roles. */
export interface HistoryItem {
  readonly role: 'user' | 'system' | 'assistant';
  readonly text: string;
}

/** One question with its answer and everything that stood in the history between them. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
  /** answer.v1 citations, as JSON values. */
  readonly citationsJson: string;
  readonly items: readonly HistoryItem[];
  readonly createdAt: Date;
}

/** A conversation. */
export interface ChatSession {
  readonly sessionId: string;
  readonly title: string | null;
  readonly configSnapshotJson: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A piece of a question: text, or a reference to a file. Joining the pieces as typed gives the question back. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file_ref'; readonly path: string; readonly raw: string };
