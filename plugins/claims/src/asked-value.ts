import { detailsOf, lookUp } from './details.ts';
import { compileText } from './compile-passage.ts';
import { findQuotations } from './find-quotations.ts';

/** A kind of value that a question asks for. */
export type AskedValue = 'number' | 'date';

/** Question words by the kind of value. */
const DATE_QUESTION =
  /^\W*(?:(?:since|until|till|by|from)\s+)?when\b|\b(?:what|which)\s+(?:year|date|day|month|time|weekday)\b|^\W*(?:(?:seit|bis|ab)\s+)?wann\b|^\W*(?:depuis\s+|jusqu['’]à\s+)?quand\b|^\W*¿?\s*(?:desde\s+|hasta\s+)?cuándo\b|^\W*(?:da\s+|fino\s+a\s+)?quando\b|^\W*wanneer\b|언제|몇\s?(?:시|월|일|년)|いつ|何(?:時|月|日|年|曜日)|什么时候|何时|哪(?:年|天|一天|一年)|几(?:点|月|号)/iu;
const NUMBER_QUESTION =
  /\bhow\s+(?:many|much|long|far|high|deep|wide|tall|old|hot|cold|heavy|big|large|fast|often|thick)\b|\b(?:what|which)\s+(?:percentage|number|amount|price|share|rate)\b|\b(?:wie\s?(?:viele?|lange|weit|hoch|tief|breit|alt|heiß|schwer|groß|schnell|oft))(?!\p{L})|\bcombien\b|¿?\s*cuánt[oa]s?\b|\bquant[oiae]\b|\bhoe\s?(?:veel|lang|ver|hoog|diep|breed|oud|vaak)\b|얼마(?!든)|몇|いくら|いくつ|何(?:人|個|本|度|回|分|年間|メートル)|どれ(?:くらい|だけ)|多少|几(?:个|次|人|天)|多(?:久|长|远|高|深|大)/iu;

/** The kind of value a question asks for; null if it asks for none of these. */
export function askedValue(question: string): AskedValue | null {
  if (DATE_QUESTION.test(question)) return 'date';
  return NUMBER_QUESTION.test(question) ? 'number' : null;
}

const TIME =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|morning|noon|evening|night|today|yesterday|tomorrow|daily|weekly|monthly|yearly|every|after|before|until|during|always|never|once|first|frost)\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|jede[nrs]?|nach|vor|morgens|abends|immer|nie)\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|chaque|tous|après|avant)\b|\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|cada|todos|después|antes)\b|요일|매[주일월년]|아침|저녁|오전|오후|전에|후에|뒤|때|曜日?|毎|每|周|星期|前|後|后|朝|夜|晚|早/iu;
const QUANTITY =
  /\b(?:once|twice|daily|weekly|monthly|yearly|annually|hourly|every|each|always|never|half|quarter|dozen|hundred|thousand|million|none|nothing|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|free|täglich|wöchentlich|monatlich|jährlich|jede[nrs]?|einmal|zweimal|chaque|tous|cada|todos)\b|한\s?번|두\s?번|매[주일월년]|하루|[一二三四五六七八九十百千]|每|毎/iu;
/**
 * Whether a text names a value of the kind asked for that the question itself does not name. Generous for times, which may be described: it is
 * meant to notice an answer beside the point.
 */
export function namesValue(text: string, kind: AskedValue, question: string): boolean {
  const asked = compileText(question);
  const values = detailsOf(text, findQuotations(text)).filter(
    (detail) => detail.kind === 'quotation' || lookUp(detail, [asked]).kind !== null,
  );
  return values.length > 0 || { number: QUANTITY, date: TIME }[kind].test(text);
}
