import type { TextRange } from '../../domain/block.ts';

/** What an order may begin with: `IMPORTANT:`, `Note to the assistant –`, a bullet. */
const LEAD = String.raw`^[\s>*_#•-]*(?:(?:important|attention|note|notice|warning|urgent|please|now|then|also|and|wichtig|achtung|bitte|importante|attention|중요|重要)\b[^.!?\n]{0,40}?[:,!–-]*\s*)?`;
const RULES = String.raw`(?:instructions?|rules?|prompts?|messages?|directions?|commands?|guidelines?|context|passages?|anweisung(?:en)?|regeln|befehle|consignes?|instrucciones|reglas|istruzioni|instruções)`;
/** Words that place rules before the passage, which only a prompt has; the others may stand beside them. */
const BEFORE = String.raw`(?:all|any|every|your|previous|prior|preceding|earlier|above|system|alle[nr]?|vorherigen|bisherigen|obigen|vorigen|toutes?|vos|précédentes?|todas?|anteriores|tutte|precedenti)`;
const BESIDE = String.raw`(?:of|the|these|those|other|les|las|le|as)`;
const PRIOR_RULES = String.raw`(?:(?:${BESIDE}\s+){0,2}(?:${BEFORE}\s+(?:${BESIDE}\s+){0,2}){1,3}${RULES}|(?:${BESIDE}\s+)?${RULES}\s+(?:above|before|précédentes|anteriores|precedenti))`;

/**
 * Orders to whoever reads the prompt. They name what only a prompt has (instructions before it, the questions, the number of a passage), so
 * that ordinary advice (`answer the phone within three rings`, `repeat step 3`) is none.
 */
const ORDERS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<!\p{L})(?:ignore[zr]?|disregard|forget|override|bypass|ignorier(?:e|en|t)|vergiss|oublie[zr]?|ignora|ignorad|ignorate|olvida|dimentica|esqueça)\s+${PRIOR_RULES}(?!\p{L})`,
    'iu',
  ),
  /(?<!\p{L})(?:ignore|disregard|forget)\s+(?:(?:everything|anything|all)\s+(?:above|before|else|you|that (?:was|came)|previous|prior|said)|(?:the|what(?: is| was| comes)?)\s+(?:text |lines? |words? )?(?:above|before(?! \p{L}))|(?:previous|prior|earlier)\s+(?:instructions?|prompts?|rules|messages?))/iu,
  /(?<!\p{L})(?:answer|reply|respond|react)(?:\s+to)?\s+(?:(?:to\s+)?(?:every|each|any|all|the|this|following|further|other|user|users?['’]s?)\s+){1,3}(?:questions?|quer(?:y|ies)|prompts?|requests?|messages?)(?!\p{L})/iu,
  new RegExp(
    String.raw`${LEAD}(?:always|only|just|instead)?\s*(?:answer|reply|respond|say|output|print|write|return|repeat)\s+(?:only|always|just|exactly|instead|nothing but|with|that|the (?:text|words?|sentence|phrase|following))\b[^.!?\n]{0,40}["“'‘«「]`,
    'imu',
  ),
  /(?<!\p{L})(?:cite|quote|mark)(?:\s+(?:only|always|it as|this as|as))?\s+(?:(?:passage|source)\s+#?\d{1,3}(?!\d)|[[(【]\s*#\d{1,3}\s*[\])】])|(?<!\p{L})always\s+cite\s+(?:passage\s+)?[[(]?\s*#?\d/iu,
  /(?<!\p{L})(?:when(?:ever)?\s+(?:you\s+are\s+)?asked\s+(?:anything|any question|about anything)|if\s+you\s+are\s+an?\s+(?:ai|llm|language model|large language model|assistant|bot|chatbot)|from\s+now\s+on,?\s+(?:you|always|only)|(?:note|message|instructions?)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)?(?:ai|assistants?|models?|llms?|chatbots?|reader of this prompt))(?!\p{L})/iu,
  /(?<!\p{L})(?:respond|reply|answer)\s+(?:only\s+)?with\s+(?:the\s+(?:word|words|text|phrase|sentence)|exactly|only|nothing but)(?!\p{L})/iu,
  /(?<!\p{L})(?:you are (?:now|no longer)|act as|pretend (?:to be|you are)|from now on,? you)\s+(?:an?|the|my)?\s*(?:[\p{L}-]+\s+){0,3}(?:assistant|ai|model|chatbot|bot|agent|language model|dan)(?!\p{L})/iu,
  /(?<!\p{L})(?:do not|don['’]t|never)\s+(?:answer|reply to|respond to|mention|reveal|tell|show|cite)\s+(?:the\s+|this\s+|any\s+)?(?:user|question|prompt|instructions?|passages?|reader)(?!\p{L})/iu,
  /(?<!\p{L})(?:beantworte|antworte)\s+(?:auf\s+)?(?:jede|alle|die|diese)\s+(?:[\p{L}-]+\s+){0,2}fragen?(?!\p{L})/iu,
  /(?<!\p{L})réponds?(?:ez)?\s+(?:à\s+)?(?:toutes?|chaque|la|les)\s+(?:les\s+)?questions?(?!\p{L})/iu,
  /(?<!\p{L})respond[ea]n?\s+(?:a\s+)?(?:todas?|cada|la|las)\s+(?:las\s+)?preguntas?(?!\p{L})/iu,
  /(?:이전|위|앞|기존)의?\s*(?:모든\s*)?(?:지시|명령|지침|프롬프트)[^.!?\n]{0,12}무시/u,
  /모든\s*질문에[^.!?\n]{0,40}(?:답하|대답하|답변하)/u,
  /(?:以前|これまで|上記|前)の?(?:すべての|全ての)?(?:指示|命令|プロンプト)[^。\n]{0,10}無視/u,
  /(?:すべて|全て)の質問に[^。\n]{0,40}(?:答え|回答)/u,
  /(?:忽略|无视|忘记|無視)(?:之前|以上|先前|前面|上面|所有|一切|的){1,4}[^。\n]{0,6}(?:指令|指示|规则|提示|命令)/u,
  /(?:игнорируй(?:те)?|забудь(?:те)?)\s+(?:все\s+)?(?:предыдущие|прежние|вышеуказанные)?\s*(?:инструкции|указания|правила)/iu,
];
/** The beginning of a line that speaks as the system; the line is an order to its end. */
const SPEAKS_AS_SYSTEM =
  /^[\s>*_#-]*(?:\[?\s*(?:SYSTEM|(?:[Ss]ystem|SYSTEM|[Dd]eveloper)\s+(?:prompt|message|note|instruction|override|PROMPT|MESSAGE|OVERRIDE)s?)\s*\]?\s*[:：]|<\|?(?:im_start|system|assistant|user)\|?>|\[\/?INST\]|###\s*(?:[Ss]ystem|[Ii]nstruction)s?(?::|\s*$))/u;
/** The end of a sentence; a closing quote mark belongs to it. */
const END = /[.!?。！？]+["'”’»」)\]]*(?=\s|$|[^\p{L}\p{N}\s])/gu;

/**
 * The sentences of a passage that are addressed to the reader of the prompt: orders to ignore, answer, reply, cite or repeat, and lines
 * that speak as the system. What stands there is data that supports no answer. In order, without overlaps.
 */
export function findOrders(text: string): readonly TextRange[] {
  const orders: TextRange[] = [];
  for (const { 0: line, index: from } of text.matchAll(/[^\n]+/g)) {
    if (SPEAKS_AS_SYSTEM.test(line)) {
      orders.push({ start: from, end: from + line.length });
      continue;
    }
    let start = 0;
    for (const end of [...[...line.matchAll(END)].map((mark) => mark.index + mark[0].length), line.length]) {
      const sentence = line.slice(start, end);
      if (ORDERS.some((order) => order.test(sentence))) orders.push({ start: from + start, end: from + end });
      start = end;
    }
  }
  return orders;
}
