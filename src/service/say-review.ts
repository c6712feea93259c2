import { sumOfDoses } from '../domain/dose.ts';
import type { Lang } from '../domain/lang.ts';
import { RESPONSES } from '../domain/watering-response.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { ReviewBody } from '../schema/advice.ts';
import type { ReviewWords, SaidResponse } from './review-words.ts';
import { englishReviews } from './review-words-en.ts';
import { frenchReviews } from './review-words-fr.ts';
import { sayAmount } from './say-figures.ts';

const WORDS: Record<Lang, ReviewWords> = { en: englishReviews, fr: frenchReviews };

export const reviewWords = ({ lang }: Pick<Saying, 'lang'>): ReviewWords => WORDS[lang];

/** What a grower hears of a period: what went wrong first, the newest watering, and what nobody wrote down. */
export async function sayReview(review: ReviewBody, call: Saying): Promise<string> {
  const name = await moduleName(call.directory, review.moduleId);
  return [
    ...saySum(review, name, call),
    ...sayNewest(review, call),
    ...sayUnlogged(review, call),
    ...sayLeftOut(review, call),
    ...call.remarks,
  ].join(' ');
}

const sayAt = (time: string, { zone, now, lang }: Saying): string => sayInstant(Date.parse(time), zone, now, lang);

function saySum({ waterings, start, end }: ReviewBody, name: string, call: Saying): string[] {
  const words = reviewWords(call);
  const period = words.period(sayAt(start, call), sayAt(end, call), call.zone);
  if (waterings.length === 0) return [words.none(name, period)];
  const idsOf = (response: SaidResponse): number[] =>
    waterings.filter((each) => each.response === response).map(({ eventId }) => eventId);
  const counts = RESPONSES.map((response) => [response, idsOf(response).length] as const).filter(
    ([, count]) => count > 0,
  );
  const [unseen, lost] = [idsOf('no_response'), idsOf('below_roots')];
  const pulses = waterings.filter(({ groupOf }) => groupOf !== null).map(({ eventId }) => eventId);
  return [
    words.sum(name, period, waterings.length, counts),
    ...(pulses.length === 0 ? [] : [words.pulses(pulses)]),
    ...(unseen.length === 0 ? [] : [words.checkRan(unseen)]),
    ...(lost.length === 0 ? [] : [words.lostBelow(lost)]),
  ];
}

const mmOrNull = (mm: number | null, { lang }: Saying): string | null => (mm === null ? null : sayAmount(mm, lang));

function sayNewest({ waterings }: ReviewBody, call: Saying): string[] {
  const newest = waterings.find(({ response }) => response === 'reached' || response === 'below_roots');
  if (newest === undefined) return [];
  const { startedAt, deepestCm, eventId, groupOf } = newest;
  const group = waterings.filter((each) => (groupOf === null ? each.eventId === eventId : each.groupOf === groupOf));
  const first = group.find((each) => each.eventId === (groupOf ?? eventId));
  const gainedMm = mmOrNull(first?.riseMm ?? null, call);
  const givenMm = mmOrNull(sumOfDoses(group.map(({ waterMm, waterMmWetted }) => waterMmWetted ?? waterMm)), call);
  return [reviewWords(call).newest({ at: sayAt(startedAt, call), deepestCm, gainedMm, givenMm })];
}

function sayUnlogged({ unlogged }: ReviewBody, call: Saying): string[] {
  const newest = unlogged[0];
  if (newest === undefined) return [];
  const { start, waterMm, riseMm, likely, plannedEventId } = newest;
  const mm = mmOrNull(waterMm ?? riseMm, call);
  const amount = mm === null ? null : { mm, isOverall: waterMm !== null };
  return [reviewWords(call).unlogged(unlogged.length, { at: sayAt(start, call), amount, likely, plannedEventId })];
}

function sayLeftOut({ leftOut: { waterings, unlogged } }: ReviewBody, call: Saying): string[] {
  return waterings + unlogged === 0 ? [] : [reviewWords(call).leftOut(waterings, unlogged)];
}
