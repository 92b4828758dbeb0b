import type { JsonObject } from './protocol/json-rpc.ts';
import type { ServedPrompt } from './protocol/surface.ts';

/** The prompts that a person picks in a host. */
export const PROMPTS: readonly ServedPrompt[] = [
  {
    name: 'ask_kb',
    title: 'Ask the knowledge base',
    description: 'Answers a question from the user’s own documents, with citations, or says that they do not tell.',
    arguments: [{ name: 'question', description: 'What you want to know.', required: true }],
    render: ({ question = '' }) => [
      user(`Answer this question from my knowledge base: ${question}

1. Call search with the words that matter; search again with other words if the hits do not fit.
2. Call fetch for each passage you are going to use: snippets are shortened.
3. Answer in a few sentences. Put the uri of its hit behind every statement, as in [notes/a.md#L10-L12].
4. If the passages do not answer the question, say so and name what you searched for. Do not answer from memory.`),
    ],
  },
  {
    name: 'answer_with_citations',
    title: 'Research a topic',
    description: 'Collects what the documents say about a topic, in several searches, and checks every citation.',
    arguments: [{ name: 'topic', description: 'What to find out about.', required: true }],
    render: ({ topic = '' }) => [
      user(`Write up what my knowledge base says about: ${topic}

1. Call bulk_search with three to six queries that look at the topic from different sides.
2. Read the best passages with fetch; take more lines of the path where a passage begins or ends in the middle of a thought.
3. Write the summary by aspects. Put the uri of its hit behind every statement.
4. Call verify_citation with uri and content_hash of every citation you used. Repair what has moved, remove what is gone.
5. End with what the documents contradict each other in, and what they leave open.`),
    ],
  },
  {
    name: 'explain_miss',
    title: 'Explain a miss',
    description: 'Finds out why a search does not find a document or passage that should be there.',
    arguments: [
      { name: 'query', description: 'The search that failed.', required: true },
      { name: 'expected', description: 'The document or passage it should have found.', required: true },
    ],
    render: ({ query = '', expected = '' }) => [
      user(`The search "${query}" does not find "${expected}". Find out why.

1. Call list_docs with a path_glob for the expected document. If it is missing, it is not indexed: call doctor and tell what to ingest or which rule skips it.
2. If it is there, look at stale and freshness: the file may have changed since.
3. Call search with explain true and detail full, and once more with doc_id set to that document. Compare terms, ranks and scores.
4. Try mode lexical and mode vector separately, and read degraded: a side may not have run.
5. Tell the cause in one sentence and propose the smallest remedy: other words, a filter, a new ingest, a setting.`),
    ],
  },
];

function user(text: string): JsonObject {
  return { role: 'user', content: { type: 'text', text } };
}
