import { askQuestion } from '../../src/ask/ask-question.ts';
import type { AskOptions } from '../../src/ask/run/ask-sources.ts';
import type { AskRequest } from '../../src/requests/ask.ts';
import { deleteSession, listSessions, showSession } from '../../src/ask/sessions/chat-sessions.ts';
import type { GenerateRequest, LanguageModel } from '../../src/contracts/language-model.ts';
import type { SessionRepo } from '../../src/contracts/session-repo.ts';
import { ScriptedModel, type Script } from '@kebab/testing';
import { parseWire } from '../wire/parse-wire.ts';
import type { Answer, AnswerEvent } from '../../src/wire/index.ts';
import type { KnowledgeBase, KnowledgeBaseOptions } from '../kb/knowledge-base.ts';
import type { FakeContributions } from '../fake-components.ts';
import { claimsChecker } from './claims-checker.ts';

/** The environment of a test of asking. */
export interface AskWorld {
  readonly kb: KnowledgeBase;
  readonly model: ScriptedModel;
  readonly sessions: SessionRepo;
  readonly chats: {
    readonly list: () => ReturnType<typeof listSessions>;
    readonly show: (name: string) => ReturnType<typeof showSession>;
    readonly remove: (name: string) => ReturnType<typeof deleteSession>;
  };
  /** Every event of every question, in order. */
  readonly events: AnswerEvent[];
  /** Asks, and validates the answer and its events against their schemas. */
  ask(question: string, more?: Omit<AskRequest, 'question'>, options?: AskOptions): Promise<Answer>;
}

/** Options of {@link askWorld}. */
export interface AskWorldOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly contributions?: FakeContributions;
  readonly model?: LanguageModel;
  /** Relative to the folder of the notes. */
  readonly cwd?: string;
}

/** A knowledge base with a model that answers from a script, without vectors. */
export async function askWorld(
  open: (options?: KnowledgeBaseOptions) => Promise<KnowledgeBase>,
  script: Script,
  { env, contributions, model: other, cwd = '.' }: AskWorldOptions = {},
): Promise<AskWorld> {
  const model = new ScriptedModel(script);
  const kb = await open({
    env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', ...env },
    contributions: {
      llm: { ollama: other ?? model },
      ...contributions,
      groundedness: { claims: await claimsChecker(), ...contributions?.groundedness },
    },
  });
  let drawn = 0;
  const events: AnswerEvent[] = [];
  return {
    kb,
    model,
    sessions: kb.sessions,
    chats: {
      list: () => listSessions(kb.ports),
      show: (name) => showSession(kb.ports, name),
      remove: (name) => deleteSession(kb.ports, name),
    },
    events,
    async ask(question, more = {}, { onEvent, ...options } = {}) {
      const ports = {
        ...kb.ports,
        retrieve: (...query: Parameters<typeof kb.search.retrieve>) => kb.search.retrieve(...query),
        cwd: `${kb.root}/${cwd}`,
        randomBytes: (count: number) => new Uint8Array(count).fill(++drawn),
      };
      const answer = await askQuestion(
        ports,
        { question, ...more },
        {
          ...options,
          onEvent: (event) => {
            events.push(event);
            onEvent?.(event);
          },
        },
      );
      parseWire('answer', answer);
      for (const event of events) parseWire('answer_event', event);
      return answer;
    },
  };
}

/** The world of {@link askWorld} with three notes on tea, each paragraph a chunk. */
export async function teaWorld(...given: Parameters<typeof askWorld>): Promise<AskWorld> {
  const world = await askWorld(...given);
  await addTea(world.kb);
  return world;
}

export async function addTea(kb: KnowledgeBase): Promise<void> {
  await kb.add(
    'tea/green.md',
    '# Green tea\n\nGreen tea is steeped at 80 degrees for 3 minutes.\n\nIt was first brought to Europe in 1610.\n',
  );
  await kb.add('tea/black.md', '# Black tea\n\nBlack tea takes boiling water.\nIt steeps for five minutes.\n');
  await kb.add('garden.md', '# Garden\n\nRoses are pruned in late winter.\n\nTulips are planted in autumn.\n');
}

/** A model reply that cites the passage which contains these words: `@` in the text becomes its marker. */
export function citing(words: string, text: string): (request: GenerateRequest) => string {
  return ({ messages }) => {
    const evidence = messages.map((message) => message.text).join('\n');
    const before = evidence.slice(0, Math.max(0, evidence.indexOf(words)));
    return text.replaceAll('@', `[#${[...before.matchAll(/^\[#?(\d+)\]/gm)].at(-1)?.[1] ?? '1'}]`);
  };
}
