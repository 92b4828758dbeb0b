import { toErrorV1, type CitationCheck, type SessionSummary, type SessionTurns } from '@kebab/core/app';
import { documentHref, pageHref } from '../address.ts';
import type { AnswerRun, AnswerStep, AnswerWithTexts } from '../answers.ts';
import { html, type Html } from '../html.ts';
import type { Texts } from '../texts.ts';
import { answerSection, isRefusal, type ShownAnswer } from './answer.ts';
import { framed, listOf, note, postButton, problem, REST, textField } from './layout.ts';

/** A page on which questions are asked. */
export interface AskPage {
  readonly question: string;
  /** The conversation that is shown, or named for the next question. */
  readonly session: string;
  readonly sessions: readonly SessionSummary[];
  /** The turns of that conversation. */
  readonly turns: SessionTurns['turns'];
  /** Of the passages that the turns cite. */
  readonly cited: ReadonlyMap<string, string>;
  readonly checks: ReadonlyMap<string, CitationCheck>;
  /** The answer that is being written, or was since the server began. */
  readonly run: AnswerRun | undefined;
  readonly verify: (answer: AnswerWithTexts) => Promise<AskPage['checks']>;
  /** Whether conversations may be continued and deleted. */
  readonly mayWrite: boolean;
  readonly formToken: string;
}

/** The page of a question or a conversation. The answer that is being written is sent as it grows, and hidden once it is whole. */
export async function* askPage(page: AskPage, texts: Texts, signal: AbortSignal): AsyncGenerator<string> {
  const { question, session, run, verify } = page;
  const [head, foot] = frame(page, texts);
  yield head;
  if (run !== undefined) {
    yield String(heading(run.question, { isFirst: page.turns.length === 0, isLast: true }));
    yield* draft(run.steps(signal), texts);
    try {
      const whole = await run.answer;
      const { answer, cited } = whole;
      const context = { texts, cited, checks: await verify(whole), question: run.question, hrefOf: documentHref };
      yield String(
        html`${answerSection(answer, context)}${session === '' && tools({ question, isCiting: !isRefusal(answer) }, page, texts)}`,
      );
    } catch (error) {
      yield String(
        html`<section class="answer">
          ${problem(toErrorV1(error), texts)}
          <p><a href="${pageHref('/', { q: run.question })}">${texts.searchInstead}</a></p>
        </section>`,
      );
    }
  }
  yield foot;
}

/** A question: the first is the heading of its page, and whoever has asked is led to the last. */
function heading(question: string, at: { readonly isFirst: boolean; readonly isLast: boolean }): Html {
  const id = at.isLast && html` id="last"`;
  return at.isFirst
    ? html`<h1 class="question" ${id}>${question}</h1>`
    : html`<h2 class="question" ${id}>${question}</h2>`;
}

/** What is shown until an answer is whole. */
async function* draft(steps: AsyncIterable<AnswerStep>, texts: Texts): AsyncGenerator<string> {
  yield `<section class="draft" aria-busy="true">${String(html`<p class="stage">${texts.searching}</p>`)}`;
  let hasText = false;
  for await (const step of steps) {
    if (step.kind === 'text') {
      if (!hasText) yield `<p class="said">`;
      hasText = true;
      yield String(html`${step.text}`);
    } else if (step.kind === 'waiting' && !hasText)
      yield String(html`<p class="stage">${texts.waitingFor(step.model, step.reading.join(', '))}</p>`);
  }
  yield `${hasText ? '</p>' : ''}</section>`;
}

function frame(page: AskPage, texts: Texts): ReturnType<typeof framed> {
  const { question, session, sessions, turns, cited, checks, run } = page;
  const sessionItem = ({ conversation_id: name, title, turn_count: count, updated_at: at }: SessionSummary): Html =>
    html`<a href="${pageHref('/ask', { session: name })}">${title ?? name}</a>
      <span class="more">${texts.turns(count)} · ${at.slice(0, 10)}</span>`;
  const isConversation = session !== '' && question === '';
  const isStart = run === undefined && !isConversation;
  return framed({
    title: question === '' ? (turns[0]?.question ?? (session === '' ? texts.ask : session)) : question,
    texts,
    here: 'ask',
    jsonHref: isStart ? undefined : pageHref('/ask.json', isConversation ? { session } : { q: question }),
    main: html`${!isConversation && form(page, texts)} ${isStart && html`<h1 class="count">${texts.askIntro}</h1>`}
      <div class="asked">
        <div class="answers">
          ${isConversation && html`<p class="path"><a href="/ask">${texts.conversations}</a> › ${session}</p>`}
          ${turns.map(
            (turn, at) =>
              html`${heading(turn.question, { isFirst: at === 0, isLast: run === undefined && at === turns.length - 1 })}
              ${answerSection(turn satisfies ShownAnswer, { texts, cited, checks, question: turn.question, hrefOf: documentHref, prefix: `t${at}-` })}`,
          )}
          ${REST}
          ${isConversation && html`${tools({ session, isCiting: true }, page, texts)}${page.mayWrite ? form(page, texts) : note(texts.onlyRead)}`}
        </div>
        <aside id="beside" hidden aria-label="${texts.beside}" tabindex="-1">
          <div class="tools"><a>${texts.openAlone}</a><button type="button" class="plain">${texts.close}</button></div>
          <article></article>
        </aside>
      </div>
      ${isStart && listOf(texts.conversations, sessions.map(sessionItem))}`,
  });
}

function form({ question, session, mayWrite, formToken }: AskPage, texts: Texts): Html {
  const isConversation = session !== '' && question === '';
  return html`<form class="search ask" action="/ask" method="${isConversation ? 'post' : 'get'}">
    ${textField({ name: 'q', value: question, hint: texts.askHint, label: texts.askHint })}
    ${isConversation && html`<input type="hidden" name="session" value="${session}" />`}
    <button ${isConversation && html` name="token" value="${formToken}"`}>${texts.ask}</button>
    ${
      !isConversation &&
      mayWrite &&
      html`<button class="plain" formmethod="post" formaction="/ask?session=new" name="token" value="${formToken}">
        ${texts.askInConversation}
      </button>`
    }
  </form>`;
}

/** What can be done with an answer. */
function tools(
  of: { readonly question?: string; readonly session?: string; readonly isCiting: boolean },
  { mayWrite, formToken }: AskPage,
  texts: Texts,
): Html {
  const { question, session, isCiting } = of;
  const members = { q: question, session };
  const markdown = pageHref('/ask.md', members);
  return html`<div class="tools">
    ${isCiting && html`<a href="${pageHref('/ask', { ...members, verify: 1 })}">${texts.checkAll}</a>`}
    <button type="button" class="plain" data-copy="${markdown}" data-done="${texts.copied}" hidden>
      ${texts.copyMarkdown}
    </button>
    <a href="${markdown}" download>${texts.export}</a>
    ${question !== undefined && postButton({ action: '/ask', name: 'again', value: question, label: texts.askAgain }, formToken)}
    ${session !== undefined && mayWrite && postButton({ action: '/ask', name: 'delete', value: session, label: texts.deleteSession }, formToken)}
  </div>`;
}
