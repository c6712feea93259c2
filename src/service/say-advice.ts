import { rounded } from '../domain/decimal.ts';
import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { AdviceBody, AdviceReason } from '../schema/advice.ts';
import type { AdviceWords } from './advice-words.ts';
import { englishAdvice } from './advice-words-en.ts';
import { frenchAdvice } from './advice-words-fr.ts';
import { sayAmount, sayNumber } from './say-figures.ts';
import { sayAge } from './say-series.ts';

const WORDS: Record<Lang, AdviceWords> = { en: englishAdvice, fr: frenchAdvice };

export const adviceWords = ({ lang }: Pick<Saying, 'lang'>): AdviceWords => WORDS[lang];

/** What a grower hears: stale data first, the need in minutes and cubic metres, when stress comes, and what it rests on. */
export async function sayAdvice(
  advice: AdviceBody,
  call: Saying,
  { refillPercent }: { refillPercent: number },
): Promise<string> {
  const name = await moduleName(call.directory, advice.moduleId);
  return [
    ...sayFirst(advice, call),
    ...sayNeed(advice, name, refillPercent, call),
    ...sayStress(advice, call),
    ...sayPlanned(advice, call),
    ...sayReasons(advice, call),
    ...call.remarks,
  ].join(' ');
}

/** The last digit of many sensors, over half a metre of soil, in mm: no reason to open a valve. */
const LEAST_MM = 0.5;
/** A reading as old as this, in ms, is told to be so. */
const AGED_MS = 6 * 3_600_000;

const NOTHING_SAID = { isKnown: false, hours: '' };

/** Whoever waters before that is known may water twice, or for nothing. */
const FIRST: readonly AdviceReason[] = ['UNCONFIRMED_WATERING', 'RECENT_WATERING', 'TOO_DRY_FOR_SOIL'];

const sayFirst = ({ reasons }: AdviceBody, call: Saying): string[] =>
  FIRST.filter((reason) => reasons.includes(reason)).map((reason) => adviceWords(call).reasons[reason](NOTHING_SAID));

function sayReasons({ reasons, deficitMm, durationMin }: AdviceBody, call: Saying): string[] {
  const said = {
    isKnown: deficitMm !== null,
    hours: durationMin === null ? '' : sayAmount(durationMin / 60, call.lang),
  };
  return reasons.filter((reason) => !FIRST.includes(reason)).map((reason) => adviceWords(call).reasons[reason](said));
}

function sayNeed(advice: AdviceBody, name: string, refillPercent: number, call: Saying): string[] {
  const { time, deficitMm, waterMm, reasons } = advice;
  const words = adviceWords(call);
  const at = time === null ? '' : `${sayInstant(Date.parse(time), call.zone, call.now, call.lang)} (${call.zone})`;
  if (time !== null && reasons.includes('STALE_DATA'))
    return [words.old(name, sayAge(Math.floor((call.now - Date.parse(time)) / 60_000), call), at)];
  if (deficitMm === null) return [words.unknown(name)];
  if (deficitMm === 0) return [words.noNeed(name, at)];
  if (deficitMm < LEAST_MM) return [words.hardlyLacks(name, sayAmount(deficitMm, call.lang), at)];
  const ageMs = call.now - Date.parse(time!);
  const need = [
    words.lacks(name, sayAmount(deficitMm, call.lang), at),
    ...(ageMs < AGED_MS ? [] : [words.aged(sayAge(Math.floor(ageMs / 60_000), call))]),
  ];
  if (waterMm === null) return need;
  return [
    ...need,
    words.give(refillPercent === 100 ? null : sayNumber(refillPercent, call.lang), sayGift(advice, call)),
  ];
}

/** "164.6 min (2 h 45 min), 27.4 mm over the whole area, 274 m3". */
function sayGift({ waterMm, durationMin, volumeM3 }: AdviceBody, call: Saying): string {
  return [
    ...(durationMin === null ? [] : [sayMinutes(durationMin, call)]),
    adviceWords(call).wholeArea(sayAmount(waterMm!, call.lang)),
    ...(volumeM3 === null ? [] : [`${sayAmount(volumeM3, call.lang)} m3`]),
  ].join(', ');
}

function sayMinutes(minutes: number, { lang }: Saying): string {
  const said = `${sayNumber(minutes, lang)} min`;
  if (minutes < 90) return said;
  const whole = Math.round(minutes);
  return `${said} (${Math.floor(whole / 60)} h ${whole % 60} min)`;
}

function sayStress({ daysToStress: days }: AdviceBody, call: Saying): string[] {
  const { inStress, stressIn } = adviceWords(call);
  if (days === null) return [];
  return [days === 0 ? inStress : stressIn(days, sayNumber(rounded(days, 1), call.lang))];
}

function sayPlanned({ planned, reasons, waterMm: advised }: AdviceBody, call: Saying): string[] {
  if (reasons.includes('NO_SOIL_MOISTURE')) return [];
  const words = adviceWords(call);
  const { until, count, waterMm, nextAt } = planned;
  const at = (time: string): string => sayInstant(Date.parse(time), call.zone, call.now, call.lang);
  if (nextAt === null) return [words.nothingPlanned(at(until))];
  const amount = waterMm === null ? null : sayAmount(waterMm, call.lang);
  const next = { at: at(nextAt), isUnderWay: Date.parse(nextAt) <= call.now };
  const isCovered = advised !== null && advised > 0 && waterMm !== null && waterMm >= advised;
  return [words.planned(at(until), count, amount, next, call.zone), ...(isCovered ? [words.covered] : [])];
}
