import { isFunctionWord } from '@kebab/core';
import { detailsOf, lookUp } from './details.ts';
import { compileText } from './compile-passage.ts';
import { foldText } from './content-words.ts';
import { findQuotations } from './find-quotations.ts';

/** A kind of value that a question asks for. */
export type AskedValue = 'number' | 'date' | 'person' | 'place';

/** Question words by the kind of value; the first match decides. */
const QUESTIONS: readonly (readonly [AskedValue, RegExp])[] = [
  [
    'date',
    /^\W*(?:(?:since|until|till|by|from)\s+)?when\b|\b(?:what|which)\s+(?:year|date|day|month|time|weekday)\b|^\W*(?:(?:seit|bis|ab)\s+)?wann\b|^\W*(?:depuis\s+|jusqu['’]à\s+)?quand\b|^\W*¿?\s*(?:desde\s+|hasta\s+)?cuándo\b|^\W*(?:da\s+|fino\s+a\s+)?quando\b|^\W*wanneer\b|언제|몇\s?(?:시|월|일|년)|いつ|何(?:時|月|日|年|曜日)|什么时候|何时|哪(?:年|天|一天|一年)|几(?:点|月|号)/iu,
  ],
  [
    'number',
    /\bhow\s+(?:many|much|long|far|high|deep|wide|tall|old|hot|cold|heavy|big|large|fast|often|thick)\b|\b(?:what|which)\s+(?:percentage|number|amount|price|share|rate)\b|\b(?:wie\s?(?:viele?|lange|weit|hoch|tief|breit|alt|heiß|schwer|groß|schnell|oft))(?!\p{L})|\bcombien\b|¿?\s*cuánt[oa]s?\b|\bquant[oiae]\b|\bhoe\s?(?:veel|lang|ver|hoog|diep|breed|oud|vaak)\b|얼마(?!든)|몇|いくら|いくつ|何(?:人|個|本|度|回|分|年間|メートル)|どれ(?:くらい|だけ)|多少|几(?:个|次|人|天)|多(?:久|长|远|高|深|大)/iu,
  ],
  [
    'person',
    /^\W*(?:(?:to|from|by|with)\s+)?who(?:m|se)?\b|^\W*(?:von\s+|mit\s+|an\s+)?we[rnm]\b|^\W*(?:à\s+|par\s+)?qui\b|^\W*¿?\s*(?:a\s+|por\s+)?quién(?:es)?\b|^\W*chi\b|^\W*quem\b|^\W*wie\s+(?:is|was|heeft)\b|누가|누구|誰|だれ|谁/iu,
  ],
  [
    'place',
    /^\W*(?:from\s+)?where\b|\b(?:what|which)\s+(?:city|country|town|street|place|address|building|room)\b|^\W*wo(?:her|hin)?\b|^\W*où(?!\p{L})|^\W*¿?\s*(?:a|de|en)?\s*dónde\b|^\W*dove\b|^\W*onde\b|^\W*waar\b|어디|どこ|哪里|哪儿|在哪/iu,
  ],
];

/** The kind of value a question asks for; null if it asks for none of these. */
export function askedValue(question: string): AskedValue | null {
  return QUESTIONS.find(([, pattern]) => pattern.test(question))?.[0] ?? null;
}

const TIME =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|morning|noon|evening|night|today|yesterday|tomorrow|daily|weekly|monthly|yearly|every|after|before|until|during|always|never|once|first|frost)\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|jede[nrs]?|nach|vor|morgens|abends|immer|nie)\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|chaque|tous|après|avant)\b|\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|cada|todos|después|antes)\b|요일|매[주일월년]|아침|저녁|오전|오후|전에|후에|뒤|때|曜日?|毎|每|周|星期|前|後|后|朝|夜|晚|早/iu;
const QUANTITY =
  /\b(?:once|twice|daily|weekly|monthly|yearly|annually|hourly|every|each|always|never|half|quarter|dozen|hundred|thousand|million|none|nothing|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|free|täglich|wöchentlich|monatlich|jährlich|jede[nrs]?|einmal|zweimal|chaque|tous|cada|todos)\b|한\s?번|두\s?번|매[주일월년]|하루|[一二三四五六七八九十百千]|每|毎/iu;
const PERSON =
  /\b(?:he|she|they|everybody|everyone|nobody|someone|manager|director|owner|doctor|dentist|nurse|teacher|engineer|officer|desk|team|staff|service|department|office|company|provider|hotline|landlord|tenant|tenants|party|parties|board|committee|mother|father|sister|brother|friend|neighbou?r|operators?|author|editor|chef|phone)\b|씨|님|팀|부서|센터|さん|氏|部|課|人|先生|经理|部门/iu;
const PLACE =
  /\b(?:in|on|at|above|below|under|beneath|behind|beside|near|next to|inside|outside|between|from|to|im|am|auf|unter|über|neben|hinter|dans|sur|sous|chez|en|sobre|bajo|nel|sul|sotto)\s+\S|에서|에\s|위|아래|안|옆|に|で|在|里|上|下/iu;

/**
 * Whether a text names a value of the kind asked for that the question itself does not name. Generous for persons, places and times, which
 * may be described: it is meant to notice an answer beside the point.
 */
export function namesValue(text: string, kind: AskedValue, question: string): boolean {
  const folded = foldText(question);
  const asked = compileText(question, [folded]);
  const values = detailsOf(text, findQuotations(text)).filter(
    (detail) => detail.kind === 'quotation' || lookUp(detail, [asked]).kind !== null,
  );
  switch (kind) {
    case 'number':
      return values.length > 0 || QUANTITY.test(text);
    case 'date':
      return values.length > 0 || TIME.test(text);
    case 'person':
      return PERSON.test(text) || /\p{Script=Han}|\p{Script=Hangul}/u.test(text) || hasNewName(text, folded.text);
    case 'place':
      return PLACE.test(text) || hasNewName(text, folded.text);
    default:
      return kind satisfies never;
  }
}

const NAME = /(?<![\p{L}\p{N}_])\p{Lu}[\p{L}\p{M}]+|[\p{Script=Katakana}ー]{3,}/gu;

function hasNewName(text: string, asked: string): boolean {
  return [...text.matchAll(NAME)].some(([name]) => {
    const word = foldText(name).text;
    return !isFunctionWord(word) && !asked.includes(word);
  });
}
