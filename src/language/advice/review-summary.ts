import { WATERING_OUTCOMES } from '../../domain/advice/watering-response.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import type { ReviewBody } from '../../schema/advice.ts';
import { languageOf } from '../index.ts';
import { formatAmount } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTime } from '../time.ts';
import type { ResponseKind } from './advice-facts.ts';

export async function summarizeReview(review: ReviewBody, context: SummaryContext): Promise<string> {
  const name = await moduleName(context.directory, review.moduleId);
  return [
    ...describeTotals(review, name, context),
    ...describeNewestResponse(review, context),
    ...describeUnloggedRises(review, context),
    ...describeOmitted(review, context),
  ].join(' ');
}

function describeTotals({ waterings, start, end }: ReviewBody, name: string, context: SummaryContext): string[] {
  const phrases = languageOf(context.lang).review;
  const period = phrases.period(formatTime(start, context), formatTime(end, context), context.zone);
  if (waterings.length === 0) return [phrases.noWaterings(name, period)];
  const idsOf = (response: ResponseKind): number[] =>
    waterings.filter((each) => each.response === response).map(({ eventId }) => eventId);
  const counts = WATERING_OUTCOMES.map((response) => [response, idsOf(response).length] as const).filter(
    ([, count]) => count > 0,
  );
  const [unseen, lost] = [idsOf('no_response'), idsOf('below_roots')];
  const pulses = waterings.filter(({ groupOf }) => groupOf !== null).map(({ eventId }) => eventId);
  return [
    phrases.totals(name, period, waterings.length, counts),
    ...(pulses.length === 0 ? [] : [phrases.judgedTogether(pulses)]),
    ...(unseen.length === 0 ? [] : [phrases.checkRan(unseen)]),
    ...(lost.length === 0 ? [] : [phrases.lostBelow(lost)]),
  ];
}

const formatMmOrNull = (mm: number | null, { lang }: SummaryContext): string | null =>
  mm === null ? null : formatAmount(mm, lang);

function describeNewestResponse({ waterings }: ReviewBody, context: SummaryContext): string[] {
  const newest = waterings.find(({ response }) => response === 'reached' || response === 'below_roots');
  if (newest === undefined) return [];
  const { startedAt, deepestCm, eventId, groupOf } = newest;
  const group = waterings.filter((each) => (groupOf === null ? each.eventId === eventId : each.groupOf === groupOf));
  const first = group.find((each) => each.eventId === (groupOf ?? eventId));
  const gainedMm = formatMmOrNull(first?.riseMm ?? null, context);
  const appliedMm = formatMmOrNull(
    sumDoses(group.map(({ waterMm, waterMmWetted }) => waterMmWetted ?? waterMm)),
    context,
  );
  return [
    languageOf(context.lang).review.newestResponse({
      at: formatTime(startedAt, context),
      deepestCm,
      gainedMm,
      appliedMm,
    }),
  ];
}

function describeUnloggedRises({ unlogged }: ReviewBody, context: SummaryContext): string[] {
  const newest = unlogged[0];
  if (newest === undefined) return [];
  const { start, waterMm, riseMm, likely, plannedEventId } = newest;
  const mm = formatMmOrNull(waterMm ?? riseMm, context);
  const amount = mm === null ? null : { mm, isOverall: waterMm !== null };
  return [
    languageOf(context.lang).review.unloggedRises(unlogged.length, {
      at: formatTime(start, context),
      amount,
      likely,
      plannedEventId,
    }),
  ];
}

function describeOmitted({ leftOut: { waterings, unlogged } }: ReviewBody, context: SummaryContext): string[] {
  return waterings + unlogged === 0 ? [] : [languageOf(context.lang).review.omitted(waterings, unlogged)];
}
