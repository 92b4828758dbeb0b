import type { TextRange } from '@kebab/core';
import { MAX_STATEMENT } from './content-words.ts';
import { isUnspacedScript } from './polarity.ts';

/** A word of a text for a period or a vague amount that passages must have, too. */
export interface HardWord extends TextRange {
  readonly means: string;
  readonly kind: 'unit' | 'number';
}

/** Names of periods after `per`, `a` or `/`, by what they mean; stems, which inflection follows. */
const PERIODS: Readonly<Record<string, string>> = {
  second:
    'seconds?|sec|s|sekunden?|secondes?|segundos?|secondi|seconden|sekund\\p{L}*|секунд\\p{L}*|saniye\\p{L}*|الثانية|ثانية|ثانیه',
  minute: 'minutes?|min|minuten?|minutos?|minut[oi]|minut\\p{L}*|минут\\p{L}*|dakika\\p{L}*|الدقيقة|دقيقة|دقیقه',
  hour: 'hours?|hr|h|stunden?|heures?|horas?|or[ae]|uur|godzin\\p{L}*|час\\p{L}*|saat\\p{L}*|الساعة|ساعة|ساعت',
  day: 'days?|tag(?:e[sn]?)?|jours?|días?|giorn[oi]|dias?|dag(?:en)?|dzień|dni(?:a)?|день|дня|дней|gün\\p{L}*|اليوم|يوم|روز',
  week: 'weeks?|woche[n]?|semaines?|semanas?|settiman[ae]|we(?:ek|ken)|tydzień|tygodni\\p{L}*|недел\\p{L}*|hafta\\p{L}*|الأسبوع|أسبوع|هفته',
  month:
    'months?|mo|monat\\p{L}*|mois|mes(?:es)?|mes[ei]|mês|meses|maand(?:en)?|miesiąc\\p{L}*|miesięcy|месяц\\p{L}*|ay(?:da|lık)?|الشهر|شهر|ماه',
  quarter: 'quarters?|quartal\\p{L}*|trimestre\\p{L}*|kwarta\\p{L}*|квартал\\p{L}*',
  year: 'years?|yr|annum|jahr\\p{L}*|ans?|années?|años?|ann[oi]|anos?|jaar|rok\\p{L}*|lat|год\\p{L}*|лет|yıl\\p{L}*|السنة|سنة|العام|عام|سال',
};
const PER =
  "(?:per|each|every|pro|jede[nrsm]?|par|chaque|por|cada|al|alla|all['’]|ogni|à l['’]|elke?|iedere?|в|за|каждый|каждую|каждые|na|co|her|في|كل|در هر|هر)\\s+";
/** What stands before a number of periods. */
const EVERY = '(?<!\\p{L})(?:every|each|alle|tous les|toutes les|cada|ogni|elke|om de|co|каждые)\\s';
/** The adverb or adjective of a period, and its forms in scripts without spaces. */
const ADVERBS: Readonly<Record<string, string>> = {
  second: '초당|매초|毎秒|每秒|秒速|秒あたり',
  minute: '분당|매분|毎分|每分钟?|分钟每|分あたり|per minute',
  hour: 'hourly|stündlich\\p{L}*|horaires?|시간당|매시간?|毎時|每小时|時間あたり|почасов\\p{L}*',
  day: 'daily|nightly|täglich\\p{L}*|quotidien\\p{L}*|diari\\p{L}*|giornalier\\p{L}*|dagelijks\\p{L}*|dzienn\\p{L}*|codzienn\\p{L}*|ежедневн\\p{L}*|günlük|يوميا|يومي|روزانه|매일|하루|일일|毎日|日々|一日|每天|每日|日均',
  weekday:
    '매주(?=\\s?[월화수목금토일]요일)|毎週(?=[月火水木金土日]曜)|每[周週](?=[一二三四五六日天])|每星期(?=[一二三四五六日天])',
  week: 'weekly|wöchentlich\\p{L}*|hebdomadaire\\p{L}*|semanal\\p{L}*|settimanal\\p{L}*|wekelijks\\p{L}*|tygodniow\\p{L}*|cotygodniow\\p{L}*|еженедельн\\p{L}*|haftalık|أسبوعيا|هفتگی|매주|주간|주당|일주일에|1주일에|毎週|週に|週間|每周|每週|每星期',
  month:
    'monthly|monatlich\\p{L}*|mensuel\\p{L}*|mensual\\p{L}*|mensil\\p{L}*|mensal\\p{L}*|maandelijks\\p{L}*|miesięczn\\p{L}*|ежемесячн\\p{L}*|aylık|شهريا|ماهانه|매월|매달|월간|월회비|(?<!\\d)월 (?=\\p{L})|(?<![\\d가-힣])월 ?(?=\\d)|(?<![\\d\\p{Script=Han}])月(?=\\d)|한 달|달마다|월당|月謝|月会費|月费|月租|毎月|月間|月額|月に|ひと月|每月|每个月|月度',
  quarter: 'quarterly|vierteljährlich\\p{L}*|trimestriel\\p{L}*|trimestral\\p{L}*|trimestral\\p{L}*|분기|四半期|季度',
  year: 'yearly|annual(?:ly)?|jährlich\\p{L}*|annuel\\p{L}*|anual\\p{L}*|annual\\p{L}*|annu[ao]|jaarlijks\\p{L}*|roczn\\p{L}*|corocznie|ежегодн\\p{L}*|годов\\p{L}*|yıllık|سنويا|سنوي|سالانه|매년|연간|연회비|(?<![\\d가-힣])연 ?(?=\\d)|(?<![\\d\\p{Script=Han}])年(?=\\d)|1년에|일 년에|년당|年会費|年费|年租|해마다|毎年|年間|年額|年に|每年|年度|全年|p\\.?\\s?a\\.',
  working:
    'working days?|business days?|workdays?|weekdays?|werktag\\p{L}*|arbeitstag\\p{L}*|jours? ouvr\\p{L}*|días? (?:hábil\\p{L}*|laborab\\p{L}*)|giorn[oi] (?:lavorativ\\p{L}*|ferial\\p{L}*)|dias? út\\p{L}*|werkdag\\p{L}*|dni robocz\\p{L}*|рабочи\\p{L}* дн\\p{L}*|영업일|근무일|평일|営業日|平日|工作日',
};
const AMOUNTS: Readonly<Record<string, string>> = {
  half: 'half(?!\\s(?:past|an?\\s))|halv(?:ed|es|ing|e|ering)|hälfte|halbier\\p{L}*|moitié|mitad|metà|metade|helft|gehalveerd|połow\\p{L}*|половин\\p{L}*|вдвое|yarı\\p{L}*|نصف|نیم\\p{L}*|절반|반으로|半分|半減|一半|减半|減半',
  double:
    'doubl\\p{L}+|twice(?=\\s(?:as|the))|twofold|verdoppel\\p{L}*|doppelt\\p{L}*|dobl\\p{L}+|duplic\\p{L}*|doppi\\p{L}+|raddoppi\\p{L}*|dobr\\p{L}+|verdubbel\\p{L}*|podw\\p{L}+|удво\\p{L}*|두 배|2배|倍増|二倍|2倍|翻倍|翻番|两倍|加倍',
  triple: 'tripl\\p{L}+|treble[ds]?|threefold|verdreifach\\p{L}*|dreifach\\p{L}*|세 배|3배|三倍|3倍',
  dozens:
    'dozens|dutzende\\p{L}*|douzaines|docenas|dozzine|dúzias|tientallen|dziesiąt\\p{L}*|десятк\\p{L}*|onlarca|عشرات|ده‌ها|수십|何十|数十|几十|數十',
  hundreds:
    'hundreds|hunderte\\p{L}*|centaines|cientos|centinaia|centenas|honderden|setki|сотн\\p{L}*|yüzlerce|مئات|صدها|수백|何百|数百|几百|上百|數百',
  thousands:
    'thousands|tausende\\p{L}*|milliers|miles(?=\\s+de)|migliaia|milhares|duizenden|tysiące|тысяч\\p{L}*|binlerce|آلاف|هزاران|수천|何千|数千|几千|上千|成千|數千',
  millions: 'millions|수백만|数百万|何百万|數百萬',
  quarter: '(?:a|one|three) quarters?(?= of)|ein viertel|drei viertel|un quart|un cuarto|4분의 1|四分の一|四分之一',
  third:
    '(?:a|one|two)[ -]thirds?(?!\\s+(?:time|party|floor|day))|ein drittel|un tiers|un tercio|3분의 1|三分の一|三分之一',
};
/** Alternatives as whole words, where their script separates words. */
function bounded(pattern: string): string {
  const alternatives = pattern.split(/\|(?![^(]*\))/);
  const words = alternatives.filter((each) => !isUnspacedScript(each));
  const whole = words.length === 0 ? [] : [`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`];
  return [...whole, ...alternatives.filter(isUnspacedScript)].join('|');
}

/** Alternatives of each meaning as a group of its name: one pass over a text reads all of them. */
function grouped(table: Readonly<Record<string, string>>): string {
  const groups = Object.entries(table).map(([means, names]) => `(?<${means}>${names})`);
  return `(?:${groups.join('|')})`;
}

function boundedEach(table: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(table).map(([means, forms]) => [means, bounded(forms)]));
}

/** What stands before `a` in a rate: an amount or a count. */
const COUNT =
  '(?:[\\d$€£]|(?<!\\p{L})(?:once|twice|thrice|times|two|three|four|five|six|seven|eight|nine|ten|einmal|zweimal|dreimal|fois|veces|vez|volte|volta|vezes|keer|razy|раза?|kez|kere))';
const RATES = [
  `(?<!\\p{L})${PER}${grouped(PERIODS)}(?!\\p{L})`,
  `(?<=\\p{L}|\\d|²|³)\\s?/\\s?${grouped(PERIODS)}(?!\\p{L})`,
  `(?<!\\p{L})(?:an?|la|le|the|im|am|in der|die)\\s${grouped(PERIODS)}(?![\\p{L}-])(?!\\s(?:of|ago|later|before|after|pump|floor|time))(?<=${COUNT}[^.;\\n]{0,60})`,
].map((source) => new RegExp(source, 'giu'));
const ADVERB = new RegExp(grouped(boundedEach(ADVERBS)), 'giu');
const AMOUNT = new RegExp(grouped(boundedEach(AMOUNTS)), 'giu');
/** What a passage may have for an amount in words. */
const AMOUNT_IN: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(AMOUNTS).map(([means, forms]) => [means, new RegExp(bounded(forms), 'iu')]),
);
/** How scripts without spaces mention a period that is no part of a date or a time. */
const UNSPACED_MENTIONS: Readonly<Record<string, string>> = {
  second: '초|秒',
  minute: '분간|분당|분마다|分間|分鐘|分钟|分あたり',
  hour: '시간|時間|小时|小時',
  day: '일마다|일간|하루|日間|日ごと|日に|天',
  weekday: '요일|曜|[周週][一二三四五六日天]|星期',
  week: '주마다|주일|주에|週|周',
  month: '개월|달(?!러)|月謝|月会費|月费|月租|か月|ヶ月|カ月|个月|個月|ひと月',
  quarter: '분기|四半期|季度',
  year: '1년|일 년|해마다|1年|一年|年額|年会費|年费|年費',
};
/** Any mention of a period, as passages have it. */
const MENTIONS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(ADVERBS).map(([means, forms]) => {
    const names =
      PERIODS[means] === undefined ? '' : `|(?<!\\p{L}|${EVERY}\\S{1,12}\\s)(?:${PERIODS[means]})(?!\\p{L})`;
    const unspaced = UNSPACED_MENTIONS[means];
    return [means, new RegExp(bounded(forms) + names + (unspaced === undefined ? '' : `|${unspaced}`), 'iu')];
  }),
);

/** The words of a text for a rate or a vague amount: `per minute`, `monthly`, `working days`, `dozens`, `halved`. */
export function hardWords(text: string): readonly HardWord[] {
  if (text.length > MAX_STATEMENT) return [];
  const read = (pattern: RegExp, kind: HardWord['kind']): readonly HardWord[] =>
    [...text.matchAll(pattern)].map(({ 0: all, index, groups = {} }) => ({
      means: Object.keys(groups).find((means) => groups[means] !== undefined) ?? '',
      kind,
      start: index,
      end: index + all.length,
    }));
  return [...RATES.flatMap((rate) => read(rate, 'unit')), ...read(ADVERB, 'unit'), ...read(AMOUNT, 'number')].toSorted(
    (a, b) => a.start - b.start,
  );
}

/** `Monday to Friday` are the working days. */
const WORKING_WEEK =
  /monday\P{L}+(?:\p{L}+\P{L}+)?friday|montag\P{L}+(?:\p{L}+\P{L}+)?freitag|lundi\P{L}+(?:\p{L}+\P{L}+)?vendredi|lunes\P{L}+(?:\p{L}+\P{L}+)?viernes|luned[iì]\P{L}+(?:\p{L}+\P{L}+)?venerd|segunda.{1,12}sexta|maandag\P{L}+(?:\p{L}+\P{L}+)?vrijdag|poniedzia.{1,12}piąt|понедельник.{1,6}пятниц|월요일.{1,4}금요일|月曜.{1,4}金曜|周一.{1,2}周五|星期一.{1,2}星期五/iu;

/** Whether a text of a passage has what a rate or a vague amount means, in any form. */
export function mentions(text: string, { means, kind }: HardWord): boolean {
  if (kind === 'number') return AMOUNT_IN.get(means)?.test(text) === true;
  return MENTIONS.get(means)?.test(text) === true || (means === 'working' && WORKING_WEEK.test(text));
}

/** Whether a text names any period. */
export function mentionsPeriod(text: string): boolean {
  return [...MENTIONS.values()].some((names) => names.test(text));
}
