import { isImplausibleGain, WATERING_OUTCOMES } from '../../domain/advice/watering-response.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import type { ReviewBody, ReviewedWateringBody } from '../../schema/advice/advice.ts';
import { languageOf } from '../index.ts';
import { formatEstimate, formatEstimateOrNull } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTime } from '../time.ts';

export async function summarizeReview(
  review: ReviewBody,
  context: SummaryContext,
): Promise<string> {
  const name = await moduleName(context.directory, review.moduleId);
  return [
    ...describeTotals(review, name, context),
    ...describeNewestResponse(review, context),
    ...describeImplausibleGains(review, context),
    ...describeUnloggedRises(review, context),
    ...describeOmitted(review, context),
  ].join(' ');
}

function describeTotals(
  { waterings, start, end }: ReviewBody,
  name: string,
  context: SummaryContext,
): string[] {
  const { review: phrases, format } = languageOf(context.lang);
  const period = phrases.period(formatTime(start, context), formatTime(end, context), context.zone);
  if (waterings.length === 0) return [phrases.noWaterings(name, period)];

  const idsOf = (response: ReviewedWateringBody['response']): number[] =>
    waterings.filter((each) => each.response === response).map(({ eventId }) => eventId);

  const responses = WATERING_OUTCOMES.flatMap((response) => {
    const count = idsOf(response).length;
    return count === 0 ? [] : [phrases.response(response, count)];
  });
  const [unseen, belowRoots] = [idsOf('no_response'), idsOf('below_roots')];
  const pulses = waterings.filter(({ groupOf }) => groupOf !== null).map(({ eventId }) => eventId);

  return [
    phrases.totals(name, period, waterings.length, format.list(responses)),
    ...(pulses.length === 0 ? [] : [phrases.assessedTogether(format.list(pulses))]),
    ...(unseen.length === 0 ? [] : [phrases.checkRan(format.list(unseen), unseen.length)]),
    ...(belowRoots.length === 0
      ? []
      : [phrases.reachedBelow(format.list(belowRoots), belowRoots.length)]),
  ];
}

function describeNewestResponse({ waterings }: ReviewBody, context: SummaryContext): string[] {
  const newest = waterings.find(
    ({ response }) => response === 'reached' || response === 'below_roots',
  );
  if (newest === undefined) return [];

  const { gainMm, doseMm, hasLosses } = gainAndDoseOf(newest, waterings);
  const shownGainMm = isImplausibleGain(gainMm, doseMm) ? null : gainMm;
  const { newestResponse } = languageOf(context.lang).review;

  return [
    newestResponse({
      at: formatTime(newest.startedAt, context),
      deepestCm: newest.deepestCm,
      gainedMm: formatEstimateOrNull(shownGainMm, context.lang),
      appliedMm: formatEstimateOrNull(doseMm, context.lang),
      hasLosses,
    }),
  ];
}

/** The gain and dose of the watering, or of all waterings in its group. */
function gainAndDoseOf(
  { eventId, groupOf }: ReviewedWateringBody,
  waterings: readonly ReviewedWateringBody[],
) {
  const group = waterings.filter((each) =>
    groupOf === null ? each.eventId === eventId : each.groupOf === groupOf,
  );
  const first = group.find((each) => each.eventId === (groupOf ?? eventId));

  return {
    gainMm: first?.riseMm ?? null,
    doseMm: sumDoses(
      group.map(
        ({ waterMm, waterMmWetted, netMmWetted }) => netMmWetted ?? waterMmWetted ?? waterMm,
      ),
    ),
    hasLosses: group.some(
      ({ waterMmWetted, netMmWetted }) => netMmWetted != null && netMmWetted !== waterMmWetted,
    ),
  };
}

function describeImplausibleGains({ waterings }: ReviewBody, { lang }: SummaryContext): string[] {
  const ids = waterings.flatMap((each) => {
    const { gainMm, doseMm } = gainAndDoseOf(each, waterings);
    return isImplausibleGain(gainMm, doseMm) ? [each.eventId] : [];
  });
  const { review: phrases, format } = languageOf(lang);
  return ids.length === 0 ? [] : [phrases.implausibleGain(format.list(ids), ids.length)];
}

function describeUnloggedRises({ unlogged }: ReviewBody, context: SummaryContext): string[] {
  const byRain = unlogged.filter(({ likely }) => likely === 'rain');
  const others = unlogged.filter((rise): rise is UnexplainedRise => rise.likely !== 'rain');
  return [...describeRainRises(byRain, context), ...describeOtherRises(others, context)];
}

type Rise = ReviewBody['unlogged'][number];
type UnexplainedRise = Rise & { readonly likely: Exclude<Rise['likely'], 'rain'> };

function describeRainRises(rises: readonly Rise[], context: SummaryContext): string[] {
  const [newest] = rises;
  if (newest === undefined) return [];
  const mm = formatEstimate(newest.rainMm!, context.lang);
  return [
    languageOf(context.lang).review.rainRises(rises.length, formatTime(newest.start, context), mm),
  ];
}

function describeOtherRises(
  unlogged: readonly UnexplainedRise[],
  context: SummaryContext,
): string[] {
  const newest = unlogged[0];
  if (newest === undefined) return [];

  const { rainMm = null } = newest;
  const { start, waterMm, riseMm, likely, roseElsewhere, plannedEventId } = newest;
  const phrases = languageOf(context.lang).review;
  const mm = formatEstimateOrNull(waterMm ?? riseMm, context.lang);
  const isOverall = waterMm !== null;
  const amount = mm === null ? '' : phrases.riseAmount(mm, isOverall);
  const condition = isOverall && likely === 'unknown' ? phrases.ifIrrigation : '';
  const source =
    likely === 'unknown' && roseElsewhere ? phrases.roseElsewhere : phrases.likely[likely];

  return [
    phrases.unloggedRises(
      unlogged.length,
      `${formatTime(start, context)}${amount}${condition}, ${source}`,
    ),
    ...(plannedEventId === null ? [] : [phrases.plannedThen(plannedEventId)]),
    ...(likely === 'unknown' && rainMm !== null && plannedEventId !== null
      ? []
      : [phrases.askFirst(formatEstimateOrNull(rainMm, context.lang))]),
  ];
}

function describeOmitted(
  { leftOut: { waterings, unlogged } }: ReviewBody,
  { lang }: SummaryContext,
): string[] {
  const { review: phrases, format } = languageOf(lang);
  const omitted = [
    ...(waterings === 0 ? [] : [phrases.olderWaterings(waterings)]),
    ...(unlogged === 0 ? [] : [phrases.olderRises(unlogged)]),
  ];
  return omitted.length === 0 ? [] : [phrases.omitted(format.list(omitted))];
}
