import { foldWord, isFunctionWord, scanWords, stemOf } from '@kebab/core';
import { UNSPACED } from './content-words.ts';

/** What an English passage may call itself, alone or with the kind of thing it is about. */
export const DOCUMENTS =
  'evidence passage document source context note text excerpt material file record report manual handbook runbook page leaflet notice ' +
  'timetable schedule minutes recipe guide brochure flyer letter memo article announcement instructions';

/**
 * Words that speak of the answer, its reader and its sources, and of nothing in them, by stem: a sentence of these alone could not be false.
 */
const TALK = new Set(
  (
    'hello hi hey dear greetings welcome thanks sure certainly course absolutely definitely great good question answer reply respond understood ' +
    'ok okay yes sorry apologize afraid unfortunately happy glad pleasure hope help assist let know feel free hesitate ask tell want wish like ' +
    'need require further anything something additional clarification clarify detail information info summary summarize overview conclusion ' +
    'conclude short brief briefly list following below above all both key main point fact step item value rule reason thing topic section part ' +
    'according based basis look database knowledge provide give say said state mention contain cover describe discuss explain found find see ' +
    'read search about regarding concerning relevant figure wording speak author write role play matter settle level cited quote go goes ' +
    'available request please example important form way script table code format connection shall am get also now come begin start try check ' +
    'result reach hallo gern gerne danke natürlich klar sicher frage fragen antwort antworten hier hilfe helfen helfe hilft stehe verfügung melden wissen lassen sie ihnen noch ' +
    'weitere weiteren mehr zusammenfassung zusammengefasst überblick folgende folgenden folgt laut gemäß ich hoffe das die der den dem es ist sind ' +
    'finden fasse zusammen zur zum zu bei und falls wenn haben habe können kann bonjour merci bien sûr voici voilà résumé réponse aide aider ' +
    'autres altre altri domande sea le hebt je вас другие ' +
    "hésitez pas faire savoir si vous avez besoin plus d'informations d'autres selon j'espère que cela les des la du et ce qui suit suivants " +
    "n'hésitez hola gracias claro por supuesto aquí está tiene resumen respuesta pregunta ayuda ayudar dude en necesita más información espero " +
    'esto los el según siguiente avíseme hágamelo saber preguntar ciao salve grazie certo ecco riassunto risposta domanda domande aiuto aiutare ' +
    'se ha bisogno altro spero secondo seguente olá obrigado resumo resposta pergunta ajuda ajudar precisar mais informações segundo bedankt ' +
    'natuurlijk antwoord vraag vragen hulp helpen laat weten als u meer nodig heeft samenvatting volgens ' +
    'te é datos estos estas son haberte haberle ayudado clave principales principal claves haber puntos points clés principali chiave pontos principais stichpunkte punkte wichtigsten überblick punten belangrijkste samengevat overzicht hoop dit helpt riepilogo informazioni richieste essere stato utile avoir ik dat mam un une una uma een ein eine espère accord demandées aidé récapitulatif ter ajudado résume sintesi aiutato punti sich etwas je ti w möchten möchte folgendes kurze disent dicen dice dicono dizem dizer répondre reste votre disposition sirva fammi sapere serve coisa alguma ' +
    'eis конечно вот что говорится говорят сказано заметки заметках заметкам согласно вопрос вопросы если есть спрашивайте обращайтесь рад помочь ответ ' +
    'кратко основные факты итог надеюсь это поможет ответ краткий главное işte umarım yardımcı elbette tabii notlara notlarda göre özet özetle başka sorunuz varsa sorabilirsiniz yardımcı olabilirim oczywiście oto mówią notatki notatkach notatek ' +
    'razie pytań pytania mam nadzieję najważniejsze informacje pomaga chętnie pomogę podsumowanie بالتأكيد بالطبع وفقا للملاحظات الملاحظات هل تحتاج إلى شيء آخر سؤال أسئلة ملخص ' +
    'notizen dokument dokumente dokumenten unterlagen quelle quellen auszüge merkblatt anleitung protokoll fahrplan aushang rezept handbuch hinweise broschüre ' +
    'notice brochure dépliant compte rendu règlement recette affiche folleto aviso acta receta guía documento documentos notas volantino avviso ' +
    'manuale verbale ricetta guida documenti note aviso receita ata guia folder handleiding verslag recept documenten notities enligt dokumentet dokumenten texten källan anteckningarna zgodnie dokumentem dokumentami tekstem'
  )
    .concat(' ', DOCUMENTS)
    .split(' ')
    .map((word) => stemOf(foldWord(word))),
);
/** The same where words are not separated by spaces, or take endings: a text of these runs alone is talk. */
const TALK_RUNS =
  /알려|드(?:(?:리겠습|립|렸습)니다|릴게요)|질문하신|정리해|필요하신|것이|안내(?:문|서)?(?:에|에는)?|공지|설명서|회의록|수치(?:가|를|는|의|입니다)?|수준(?:으로|이)?|말로|설명(?:되어|합니다|이|은|을)?|다른|덧붙지|언급(?:하고|되어|됩니다)?|배경(?:도|이)?|다룹니다|제시(?:된|되어)?|제공된|주어진|적혀|나옵니다|나오는|표현(?:은|이|을)?|해당|시점(?:은)?|관한|대해|라는|라고|그리고|죄송(?:하지만|합니다만|합니다)?|안타깝게도|유감스럽게도|申し訳(?:ありません|ございません)が?|残念ながら|あいにく|抱歉|很遗憾|对不起|안녕하세요|감사합니다|고맙습니다|네|예|물론(?:입니다|이죠)?|좋은|질문(?:이|을|에|은|입니다)?|답변?(?:입니다|드리겠습니다|을|은)?|다음은|다음과|같습니다|아래(?:는|에|와)?|이하|요약(?:하면|입니다|하겠습니다|은)?|정리(?:하면|입니다|한)?|도움이?|되(?:었기를|셨기를|기를|셨길|길|면)?|바랍니다|추가로|더|궁금(?:하신|한)?|점(?:이|은)?|있으(?:시면|면)|언제든지?|말씀(?:해|드리겠습니다)?|주세요|필요(?:하시면|하면|한)?|문서(?:에|의|들?을|에서|에는)?|자료(?:에|의|를)?|노트(?:에|의)?|근거(?:에|로)?|내용(?:입니다|은|을)?|확인(?:된|한)|문서에서|따르면|따라|대한|관련(?:된)?|정보(?:입니다|는|를)?|알려|수|찾은|것|입니다|이|그|및|문의|물어보|보세요|はい|いいえ|こんにちは|ありがとうございます|もちろん(?:です)?|(?:以下|次|下記)(?:の通り|のとおり|は|に|が|の)?(?:です)?|通り?(?:です)?|どうぞ|他|気軽|回答(?:です|は|します)?|質問|ご質問|要約(?:すると|です)?|まとめ(?:ると|です|ます)?|お役に立て(?:れば|ば)|幸いです|お気軽に|お尋ね|お聞き|ください|他に|何か|さらに|詳しく|知りたい|場合は?|あれば|ございましたら|文書|資料|案内|お知らせ|説明書|議事録|メモ|本文|によると|によれば|情報(?:です|は)?|について(?:の)?|まとめました|します|です|は|の|に|が|を|と|こちら|以上|ご不明な|ほかに|お知らせ|が?必要(?:な|であれば)?|你好|您好|谢谢|感谢|好的|当然(?:可以)?|以下是?|下面是?|如下|整理(?:如下)?|若|如需|为您?|欢迎|继续|文|档|要点|以下为|综上(?:所述)?|总之|总结(?:如下)?|概述|回答|问题|您的?|你的?|希望(?:这|能)?|帮到您?|对|有所?|帮助|如果?|还有|其他|更多|任何|需要|想|了解|请|随时|告诉我?|提问|问我|联系|根据|文档|资料|文件|须知|通知|说明|公告|指南|手册|笔记|内容|信息|提供的?|中的?|关于|相关|的|是|我|这|里|在|和|与|如有|疑问/gu;
/** Words of a note about an order in a passage. */
const ORDER_TALK =
  /(?<!\p{L})(?:instruct\p{L}*|inject\p{L}*|prompts?|commands?|orders?|ignor\p{L}*|disregard\p{L}*|obey\p{L}*|overrid\p{L}*|embedded|hidden|malicious|suspicious|(?<=(?:not|n['’]t) )(?:follow|comply)|refused?|anweisung\p{L}*|ignorier\p{L}*|instrucci\p{L}*|consigne\p{L}*|istruzion\p{L}*)(?!\p{L})|지시|명령|무시|指示|命令|無視|指令|忽略/iu;

/** The words of a text that are more than talk about the answer, as written. */
export function wordsBeyondTalk(text: string): readonly string[] {
  const rest: string[] = [];
  for (const { text: word, kind } of scanWords(text.normalize('NFKC'))) {
    if (kind === 'cjk' || UNSPACED.test(word)) {
      const bare = word.replaceAll(TALK_RUNS, '');
      if (bare.length > 0) rest.push(bare);
      continue;
    }
    const folded = foldWord(word);
    if (/\p{L}|\p{N}/u.test(folded) && !isFunctionWord(folded) && !TALK.has(stemOf(folded))) rest.push(word);
  }
  return rest;
}

/** Whether a text is talk about the answer alone. */
export function isTalk(text: string): boolean {
  return wordsBeyondTalk(text).length === 0;
}

/** What is offered to the reader: help, another answer, and the hope that it was useful. */
const COURTESY =
  /(?<!\p{L})(?:questions?|help\p{L}*|hop(?:e|es|ing)|frag\p{L}*|hilf\p{L}*|helf\p{L}*|hoff\p{L}*|aid\p{L}+|esp[eéè]r\p{L}+|pregunt\p{L}*|ayud\p{L}*|necesit\p{L}*|domand\p{L}*|aiut\p{L}*|spero|pergunt\p{L}*|ajud\p{L}*|precis\p{L}+|vra(?:ag|gen)|hulp|hoop|pyta\p{L}+|pomo\p{L}+|nadziej\p{L}*|вопрос\p{L}*|помо\p{L}+|надеюсь|soru\p{L}*|yardım\p{L}*|umar\p{L}*|fråg\p{L}*|hjälp\p{L}*|hoppas|سؤال|أسئلة|مساعد\p{L}*|آمل|know|melden|wissen|disposi\p{L}+|dúvidas?|znać|yara\p{L}+|undra\p{L}*|veta|låt|något|mer)(?!\p{L})|질문|궁금|도움|質問|不明な点|役に立|参考|幸い|问题|提问|帮/giu;
/** Who is spoken to. */
const READER =
  /(?<!\p{L})(?:you|your|me|i|sie|ihnen|ihr|du|dir|ich|vous|votre|te|tu|le|usted|mig|estou|masz|les|ti|vi|lei|voi|você|lhe|je|jullie|u|ci|państw\p{L}*|pan[iu]?|вас|вам|вы|вами|siz\p{L}*|\p{L}+n[iı]z[ea]|başka|dig|du|er|لك|لديك)(?!\p{L})|necesitas|necesitáis|precisar|hai |n['’]hésitez|세요|시면|ください|您|你|幸い/giu;
/** Whether a text is nothing but an offer to the reader, such as `N'hésitez pas`: a word more may be a statement. */
export function isCourtesy(text: string): boolean {
  const rest = text.replaceAll(COURTESY, ' ');
  if (rest === text || text.search(READER) === -1 || /[\p{N}"“«「]/u.test(text)) return false;
  return wordsBeyondTalk(rest.replaceAll(READER, ' ')).every((word) => /^\p{Script=Latin}{1,2}$/u.test(word));
}

/** Who answers. */
const ANSWERER = /(?<!\p{L})(?:i|me|my|assistant|model|ai|ich|mi[rc]h?|je|moi|yo|io)(?!\p{L})/iu;

/** Whether each clause of a text speaks of an order that a passage gives, or of who answers. */
export function isAboutOrders(text: string): boolean {
  return (
    speaksOfOrders(text) &&
    text.split(/[;,.]|\sand\s/u).every((part) => speaksOfOrders(part) || ANSWERER.test(part) || isTalk(part))
  );
}

/** Whether a text speaks of an order that a passage gives. */
export function speaksOfOrders(text: string): boolean {
  return ORDER_TALK.test(text);
}
