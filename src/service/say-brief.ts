import { capital } from '../domain/capital.ts';
import { ageOf } from '../domain/coverage.ts';
import { rounded } from '../domain/decimal.ts';
import type { Lang } from '../domain/lang.ts';
import { DAY_MIN } from '../domain/watering-advice.ts';
import type { Saying } from '../operation/call.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { BriefBody } from '../schema/brief.ts';
import type { BriefWords } from './brief-words.ts';
import { englishBriefs } from './brief-words-en.ts';
import { frenchBriefs } from './brief-words-fr.ts';
import { sayAmount, sayNumber } from './say-figures.ts';

const WORDS: Record<Lang, BriefWords> = { en: englishBriefs, fr: frenchBriefs };

interface Named {
  readonly moduleId: number;
  readonly name: string | null;
}

const nameOf = ({ name, moduleId }: Named): string => name ?? `module ${moduleId}`;

const sayAt = (time: string, { zone, now, lang }: Saying): string => sayInstant(Date.parse(time), zone, now, lang);
const atOrNull = (time: string | null, call: Saying): string | null => (time === null ? null : sayAt(time, call));

/** The morning in a few sentences, the most urgent first; in one where there is nothing to do. */
export function sayBrief(brief: BriefBody, call: Saying): string {
  const words = WORDS[call.lang];
  if (brief.modules === 0) return words.noProbe;
  const sentences = [
    ...sayNeeds(brief, call),
    ...sayChecks(brief, call),
    ...sayAlerts(brief, call),
    ...saySilent(brief, call),
    ...sayToConfirm(brief, call),
    ...sayMissing(brief, call),
    ...sayUnjudged(brief, call),
  ];
  const ahead = sayAhead(brief, call);
  if (sentences.length === 0) return words.quiet(call.zone, ahead);
  const dry = brief.needsWater.length + brief.checkFirst.length > 0 ? [] : [words.noNeed];
  return [...dry, ...sentences, `${capital(ahead)} (${call.zone}).`].join(' ');
}

/** All rows of a list of at most so many, else all but one of these, and how many more there are. */
function some<T>(
  rows: readonly T[],
  { leftOut, most, lang }: { leftOut: number; most: number; lang: Lang },
  say: (row: T) => string,
): string {
  const all = rows.length + leftOut;
  const said = rows.slice(0, all <= most ? most : most - 1).map(say);
  return WORDS[lang].list(said, all - said.length);
}

function sayNeeds({ needsWater, checkFirst, leftOut }: BriefBody, { lang }: Saying): string[] {
  if (needsWater.length === 0) return [];
  const { needs, need } = WORDS[lang];
  const list = some(needsWater, { leftOut: leftOut.needsWater, most: checkFirst.length > 0 ? 2 : 3, lang }, (row) => {
    const { plannedMm, daysToStress: days } = row;
    const { minutes, mm } = beyondPlanned(row);
    return need({
      name: nameOf(row),
      minutes: minutes === null ? null : { said: sayNumber(minutes, lang), isOverDay: minutes > DAY_MIN },
      mm: mm === null ? null : sayAmount(mm, lang),
      planned: plannedMm === 0 ? null : { mm: plannedMm === null ? null : sayAmount(plannedMm, lang) },
      days: { count: days!, said: sayNumber(days!, lang) },
    });
  });
  return [needs(list)];
}

/** What is advised less what is planned for it today. */
function beyondPlanned({ waterMm, durationMin, plannedMm }: BriefBody['needsWater'][number]) {
  if (waterMm === null || !plannedMm) return { minutes: durationMin, mm: waterMm };
  const rest = waterMm - plannedMm;
  return { minutes: durationMin === null ? null : rounded((durationMin * rest) / waterMm, 1), mm: rest };
}

function sayChecks({ checkFirst: rows, leftOut }: BriefBody, { lang }: Saying): string[] {
  if (rows.length === 0) return [];
  const { checkFirst, check } = WORDS[lang];
  const list = some(rows, { leftOut: leftOut.checkFirst, most: 2, lang }, (row) =>
    check({ name: nameOf(row), reason: row.reason }),
  );
  return [checkFirst(list)];
}

function sayAlerts({ alerts, leftOut }: BriefBody, call: Saying): string[] {
  if (alerts.length === 0) return [];
  const { lang, now } = call;
  const { firing, alert } = WORDS[lang];
  const list = some(alerts, { leftOut: leftOut.alerts, most: 2, lang }, (row) => {
    const { value_vwc: value, time, since, threshold } = row;
    const isOld = time !== null && !ageOf(Date.parse(time), now).isFresh;
    return alert({
      name: nameOf(row),
      value: value === null ? null : sayNumber(value, lang),
      oldAt: isOld ? sayAt(time, call) : null,
      threshold: sayNumber(threshold, lang),
      since: atOrNull(since, call),
    });
  });
  return [firing(list)];
}

function saySilent({ silent: { gateways, modules }, leftOut }: BriefBody, call: Saying): string[] {
  const { lang } = call;
  const words = WORDS[lang];
  const carrying = (each: BriefBody['silent']['gateways'][number]): string =>
    words.gateway(each.imei, each.modules, atOrNull(each.lastSeen, call));
  const probe = (each: BriefBody['silent']['modules'][number]): string =>
    words.probe(nameOf(each), atOrNull(each.lastAt, call));
  const [offAir, mute] = [leftOut.silentGateways, leftOut.silentModules];
  return [
    ...(gateways.length === 0
      ? []
      : [words.silentGateways(some(gateways, { leftOut: offAir, most: 2, lang }, carrying))]),
    ...(modules.length === 0 ? [] : [words.silentProbes(some(modules, { leftOut: mute, most: 2, lang }, probe))]),
  ];
}

function sayToConfirm({ toConfirm, leftOut }: BriefBody, call: Saying): string[] {
  const [newest] = toConfirm;
  if (!newest) return [];
  const all = toConfirm.length + leftOut.toConfirm;
  return [WORDS[call.lang].toConfirm(all, sayAt(newest.startedAt, call), nameOf(newest))];
}

function sayMissing({ missingDoses, leftOut }: BriefBody, { lang }: Saying): string[] {
  if (missingDoses.length === 0) return [];
  const words = WORDS[lang];
  const each = (row: BriefBody['missingDoses'][number]): string =>
    words.missingDoses(row.count, nameOf(row), row.missing);
  return [words.missing(some(missingDoses, { leftOut: leftOut.missingDoses, most: 2, lang }, each))];
}

function sayUnjudged({ unjudged, leftOut }: BriefBody, { lang }: Saying): string[] {
  if (unjudged.length === 0) return [];
  return [WORDS[lang].unjudged(some(unjudged, { leftOut: leftOut.unjudged, most: 2, lang }, nameOf))];
}

function sayAhead({ schedule, leftOut }: BriefBody, call: Saying): string {
  const words = WORDS[call.lang];
  const [next] = schedule;
  if (!next) return words.nothingAhead;
  const all = schedule.length + leftOut.schedule;
  const mm = next.waterMm === null ? null : sayAmount(next.waterMm, call.lang);
  return words.ahead(all, sayAt(next.startedAt, call), nameOf(next), mm);
}
