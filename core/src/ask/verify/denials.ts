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
/** Korean expresses it in the verb, at the end of a sentence. */
const KOREAN =
  /(?:(?:언급|명시|기재|기술|제시|설명|포함)(?:되어|돼|하고)?\s?(?:있지|되지|하지) 않(?=[습다았음아네]|는 것|[.。!\s]*$)|(?:정보|근거|내용|언급|설명)(?:가|이|은|는|도)? (?:없(?=[습다어음네었]|는 것|[.。!\s]*$)|부족(?=[합하해]|[.。!\s]*$)|충분하지))/u;
const KOREAN_END = 20;
/** Words that continue with a claim, before or after a denial. */
const GOES_ON =
  /[;—–]|\b(?:but|however|instead|because)\b|,\s(?:although|though|while|whereas|since|so|yet|which|who|and (?:[\w'’-]+ ){1,5}(?:is|are|was|were|has|have|had|can|will|costs?|weighs?|uses?|made|makes|became)\b)|지만|으나|는데|[고며],/iu;

/** Whether a sentence says only that the evidence does not mention something. */
export function isDenial(sentence: string): boolean {
  if (GOES_ON.test(sentence)) return false;
  const line = sentence.replaceAll(/\s+/g, ' ').trim();
  if (DENIALS.some((denial) => denial.test(line))) return true;
  const korean = KOREAN.exec(line);
  return korean !== null && line.length - korean.index - korean[0].length <= KOREAN_END;
}
