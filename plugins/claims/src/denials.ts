/** Words that a model uses for the passages. */
const EVIDENCE = '(?:evidence|passages?|documents?|sources?|context|knowledge base|notes?|texts?|information)';
/** What may come between such a word and its verb; any other word may begin a separate claim. */
const BETWEEN =
  '(?:[\\s,]+(?:provided|given|here|above|below|cited|retrieved|supplied|available|i|we|you|it|one|in|from|the|this|these|my|' +
  'knowledge|base|context|evidence|was|were|is|are|has|have|gave|also|simply|only|just|alone|itself|themselves)){0,8}';
const NOT =
  "(?:(?:do(?:es)?|did|can|could|is|are|was|were|has|have)(?:n['’]t|\\s+not)|can(?:not|['’]t)|not|no|nothing|never|insufficient)";
/** What passages do: the object of such a verb is what they do not mention. */
const SAY =
  '(?:say|says|said|tell|tells|told|states?|stated|mention|mentions|mentioned|specif(?:y|ies|ied)|contain|contains|contained|' +
  'provides?|provided|includes?|included|describes?|described|discuss|discusses|discussed|address|addresses|addressed|give|gives|' +
  'given|indicates?|indicated|explain|explains|explained|cover|covers|covered|reveal|reveals|revealed|answer|answers|answered|' +
  'support|supports|supported|names?|named|clarif(?:y|ies|ied)|determine|determined|find|found|confirm|confirms|confirmed|conclude|' +
  'identif(?:y|ies|ied)|establish|establishes|established|offer|offers|hold|holds|suggest|suggests|information|evidence|details?|' +
  'indication|enough|sufficient|available)';

const DENIALS: readonly RegExp[] = [
  new RegExp(
    `\\b${EVIDENCE}${BETWEEN}[\\s,]+(?:${NOT}(?:\\s+[\\w-]+){0,3}?\\s+${SAY}\\b|silent\\b|${SAY}\\s+(?:nothing|no|little)\\b)`,
    'i',
  ),
  new RegExp(
    "(?:^|\\bunfortunately,? |\\b(?:there (?:is|are)|there['’]s|i (?:have|found|find|see)|contains?|provides?|gives?|offers?|has|have) )" +
      '(?:no|not enough|insufficient) (?:[\\w-]+ ){0,2}(?:evidence|information|passages?|mention|details?|indication)' +
      '(?: (?:about|on|of|for|regarding|concerning|that|whether|as to|in|to|from|available|given|provided|found|mentioned)\\b|' +
      ' (?:is|are|was|were) (?:available|given|provided|found|mentioned|included)\\b|[\\s.!]*$)',
    'i',
  ),
];
/** What a denial may begin with. */
const APOLOGY =
  /^(?:(?:i['’]m|i am) (?:very |so )?(?:sorry|afraid)(?:,? but|,| that)?|(?:sorry|i apologi[sz]e)(?:,? but|,)?|(?:es )?tut mir leid(?:,? aber|,)?|(?:je suis )?désolée?(?:,? mais|,)?|lo siento(?:,? pero|,)?|mi dispiace(?:,? ma|,)?|죄송하지만|죄송합니다만|申し訳ありませんが、?)\s*/iu;
/** The model speaks of itself. */
const FIRST_PERSON =
  /^(?:(?:based on|from|with|given) [^,]*, )?(?:i|we) (?:(?:am|are) (?:unable|not able) to|(?:can|could)(?:not|n['’]t| not)|do(?:n['’]t| not)) (?:answer|determine|find|say|tell|confirm|provide|give|know)\b/i;
/** `It cannot be determined from the passages …`; a subject with a verb would be a separate claim, except in a question. */
const PASSIVE = new RegExp(
  "^(?:(?:how|what|when|where|who|whose|which|why|whether|the answer)\\b[^;]*?|it|this|that|(?:the|its|their) (?:(?!(?:is|are|was|were|has|have|had|did|does|and|or|which|who|that)\\b)[\\w'’-]+ ?){1,8}?)" +
    "\\s?\\b(?:(?:can|could)(?:not|n['’]t| not)(?: be)?|(?:is|are|was|were|has|have)(?:n['’]t| not)(?: been)?)(?: \\w+)? " +
    '(?:determined|found|answered|established|inferred|known|stated|mentioned|specified|given|provided|included|described|disclosed)' +
    `(?: [\\w-]+){0,3}? (?:from|in|by|on|using)(?: [\\w-]+){0,3}? ${EVIDENCE}\\b`,
  'i',
);
/** A denial in another language, with the words that continue with a claim. */
const GERMAN: { readonly denies: RegExp; readonly goesOn: RegExp } = {
  denies: new RegExp(
    '(?<!\\p{L})(?:(?:dokument|quelle|text|passage|auszug|auszüge|abschnitt|unterlage|kontext)\\p{L}*(?:\\s\\p{L}+){0,2}\\s(?:enth(?:ält|alten)|nenn(?:t|en)|erwähn(?:t|en)|sag(?:t|en)|beschreib(?:t|en)|beantwort(?:et|en)|geben|gibt|mach(?:t|en)|liefer(?:t|n))|' +
      '(?:enth(?:ält|alten)|nenn(?:t|en)|erwähn(?:t|en)|sag(?:t|en)|beschreib(?:t|en)|beantwort(?:et|en)|geben|gibt|mach(?:t|en)|liefer(?:t|n))(?:\\s\\p{L}+){0,2}\\s(?:dokument|quelle|text|passage|auszug|auszüge|abschnitt|unterlage|kontext)\\p{L}*)' +
      '(?:\\s\\p{L}+){0,4}?\\s(?:nichts?|keine?[nr]? (?:angabe|information|hinweis|antwort|auskunft|aussage|detail|erwähnung)\\p{L}*)(?!\\p{L})',
    'iu',
  ),
  goesOn: /[;—–]|(?<!\p{L})(?:aber|jedoch|sondern|weil|denn)(?!\p{L})/iu,
};
const ELSEWHERE: readonly (typeof GERMAN)[] = [
  GERMAN,
  {
    denies:
      /(?<!\p{L})(?:documents?|passages?|sources?|textes?|extraits?|contexte)(?:\s\p{L}+){0,2}\s(?:ne\s|n['’])(?:contien|mentionn|précis|indiqu|di(?:t|sent)|répond|fourni)\p{L}*\s(?:pas|rien|aucune? (?:information|indication|mention|réponse|détail|précision)s?)(?!\p{L})/iu,
    goesOn: /[;—–]|(?<!\p{L})(?:mais|cependant|car|puisque)(?!\p{L})/iu,
  },
  {
    denies:
      /(?<!\p{L})(?:documentos?|pasajes?|trechos?|passagens|fuentes?|fontes?|textos?|fragmentos?|contexto)(?:\s\p{L}+){0,2}\s(?:no|não)\s(?:contiene|cont[êé]m|menciona|indica|especifica|dice|diz|proporciona|fornece|inclu)\p{L}*/iu,
    goesOn: /[;—–]|(?<!\p{L})(?:pero|sino|porque|aunque|mas|porém|embora)(?!\p{L})/iu,
  },
  {
    denies:
      /(?<!\p{L})(?:document[oi]|passaggi?o?|brani|test[io]|font[ei]|contesto)(?:\s\p{L}+){0,2}\snon\s(?:contien|contengon|menzion|indica|specific|dic|fornisc)\p{L}*/iu,
    goesOn: /[;—–]|(?<!\p{L})(?:ma|però|perché|bensì)(?!\p{L})/iu,
  },
  {
    denies:
      /(?<!\p{L})(?:documenten|bronnen|tekst(?:en)?|passages|context)(?:\s\p{L}+){0,2}\s(?:noem|vermeld|zegg?|bevat|geef|geven)\p{L}*(?:\s\p{L}+){0,4}?\s(?:niets?|geen (?:informatie|antwoord|gegevens))(?!\p{L})/iu,
    goesOn: /[;—–]|(?<!\p{L})(?:maar|want|omdat)(?!\p{L})/iu,
  },
  {
    denies:
      /(?:文書|資料|文章|本文|出典|根拠|コンテキスト)[^。、]{0,20}(?:記載|言及|情報|記述|説明)[^。、]{0,6}(?:ありません|ない|されていません|見つかりません)[。\s]*$/u,
    goesOn: /が、|しかし/u,
  },
  {
    denies:
      /(?:文档|文件|资料|文中|段落|来源|上下文)[^。，；]{0,8}(?:没有|未|并未|没)(?:提到|提及|说明|包含|提供|记载|给出)/u,
    goesOn: /但|而是|因为|；/u,
  },
];
/** Korean expresses it in the verb, at the end of a sentence. */
const KOREAN =
  /(?:(?:언급|명시|기재|기술|제시|설명|포함)(?:되어|돼|하고)?\s?(?:있지|되지|하지) 않(?=[습다았음아네]|는 것|[.。!\s]*$)|(?:정보|근거|내용|언급|설명)(?:가|이|은|는|도)? (?:없(?=[습다어음네었]|는 것|[.。!\s]*$)|부족(?=[합하해]|[.。!\s]*$)|충분하지))/u;
const KOREAN_END = 20;
/** Words that continue with a claim, before or after a denial. */
const GOES_ON =
  /[;—–]|\b(?:but|however|instead|because)\b|,\s(?:although|though|while|whereas|since|so|yet|which|who|and (?:[\w'’-]+ ){1,5}(?:is|are|was|were|has|have|had|can|will|costs?|weighs?|uses?|made|makes|became)\b)|지만|으나|는데|[고며],/iu;

/** Whether a sentence says only that the evidence does not mention something. */
export function isDenial(sentence: string): boolean {
  const line = sentence.replaceAll(/\s+/g, ' ').trim().replace(APOLOGY, '');
  if (ELSEWHERE.some(({ denies, goesOn }) => denies.test(line) && !goesOn.test(line))) return true;
  if (GOES_ON.test(line)) return false;
  if ([...DENIALS, FIRST_PERSON, PASSIVE].some((denial) => denial.test(line))) return true;
  const korean = KOREAN.exec(line);
  return korean !== null && line.length - korean.index - korean[0].length <= KOREAN_END;
}

/** Whether a denial is in German, which capitalises nouns: they are not names. */
export function isGermanDenial(sentence: string): boolean {
  return GERMAN.denies.test(sentence.replaceAll(/\s+/g, ' '));
}
