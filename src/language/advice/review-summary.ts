import { REVIEW_OUTCOMES } from '../../domain/advice/review/credited-watering.ts';
import { isImplausibleGain } from '../../domain/advice/watering-response.ts';
import { isUnseen } from '../../domain/advice/witness/witness.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import { withoutNulls } from '../../domain/items.ts';
import type { ReviewBody, ReviewedWateringBody } from '../../schema/advice/review.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { englishFormat } from '../en/grammar.ts';
import {
  describeWitnesses,
  describeWitnessesOfSum,
  sumByWitness,
} from '../irrigation/witness-summary.ts';
import { formatEstimate, formatEstimateOrNull } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, type NameDirectory, type SummaryContext } from '../summary-context.ts';
import { written } from '../text/render.ts';
import { formatTime } from '../time.ts';
import { isUnderCover } from '../words/farming-terms.ts';
import { reviewPhrases } from './review-phrases.ts';
import { listStarts } from './watering-times.ts';

export async function summarizeReview(
  review: ReviewBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<string> {
  const name = await moduleName(context.directory, review.moduleId);
  const canRain = !(await isCovered(context.directory, review.moduleId));
  return joinSentences([
    ...describeTotals(review, name, context),
    ...describeNewestResponse(review, context),
    ...describeImplausibleGains(review, context, { canRain, rainedIds: rainedIdsOf(advisories) }),
    ...describeUnloggedWettingEvents(review, context, canRain),
    ...describeOmitted(review),
  ]);
}

const rainedIdsOf = (advisories: readonly Advisory[]): number[] =>
  advisories.flatMap((each) =>
    each.kind === 'rain_around_waterings' ? each.rows.map(({ eventId }) => eventId) : [],
  );

/** In a greenhouse or tunnel, where no rain falls. */
async function isCovered(directory: NameDirectory, moduleId: number): Promise<boolean> {
  const module = (await directory.modules()).find(({ id }) => id === moduleId);
  const parcel = (await directory.parcels()).find(({ id }) => id === module?.parcelId);
  return parcel !== undefined && (isUnderCover(parcel.name) || isUnderCover(parcel.type ?? ''));
}

function describeTotals(
  { waterings, start, end }: ReviewBody,
  name: string,
  context: SummaryContext,
): string[] {
  const period = reviewPhrases.period(
    formatTime(start, context),
    formatTime(end, context),
    context.zone,
  );
  if (waterings.length === 0) return [reviewPhrases.noWaterings(name, period)];

  const withResponse = (response: ReviewedWateringBody['response']) =>
    waterings.filter((watering) => watering.response === response);

  const responses = REVIEW_OUTCOMES.flatMap((response) => {
    const count = withResponse(response).length;
    return count === 0 ? [] : [reviewPhrases.response(response, count)];
  });
  const unresponsive = withResponse('no_response');
  const assumed = unresponsive.filter(({ witness }) => isUnseen(witness));
  const seen = unresponsive.filter(({ witness }) => !isUnseen(witness));
  const belowRoots = withResponse('below_roots');
  const deeperFirst = waterings.filter((watering) => watering.deeperFirst === true);
  const pulses = waterings.filter(({ groupOf }) => groupOf !== null);
  const timesOf = (rows: readonly ReviewedWateringBody[]): string =>
    written(listStarts(rows, context), context);

  return withoutNulls([
    reviewPhrases.totals(name, period, waterings.length, englishFormat.list(responses)),
    describeWitnessesOfReview(waterings, context),
    pulses.length === 0 ? null : reviewPhrases.assessedTogether(timesOf(pulses)),
    assumed.length === 0 ? null : reviewPhrases.checkRan(timesOf(assumed), assumed.length),
    seen.length === 0 ? null : reviewPhrases.checkReached(timesOf(seen)),
    belowRoots.length === 0 ? null : reviewPhrases.reachedBelow(timesOf(belowRoots)),
    deeperFirst.length === 0 ? null : reviewPhrases.deeperFirst(timesOf(deeperFirst)),
  ]);
}

/** Null where persons confirmed all. */
function describeWitnessesOfReview(
  waterings: ReviewBody['waterings'],
  context: SummaryContext,
): string | null {
  const sum = waterings.reduce((total, { waterMm }) => total + (waterMm ?? 0), 0);
  const totalMm = sum === 0 ? null : sum;
  const rows = waterings.map(({ witness, unseen, waterMm }) => ({
    witness: witness ?? ('confirmed' as const),
    unseen: unseen ?? undefined,
    waterMm,
  }));
  const seenBy = describeWitnesses(sumByWitness(rows), totalMm, rows);
  return seenBy && written(describeWitnessesOfSum(totalMm, seenBy), context);
}

function describeNewestResponse({ waterings }: ReviewBody, context: SummaryContext): string[] {
  const newest = waterings.find(hasReached);
  if (newest === undefined) return [];

  const { gainMm, doseMm, hasLosses, isWholeArea } = gainAndDoseOf(newest, waterings);
  const shownGainMm = isImplausibleGain(gainMm, doseMm) ? null : gainMm;
  const { newestResponse } = reviewPhrases;

  return [
    newestResponse({
      at: formatTime(newest.startedAt, context),
      deepestCm: newest.deepestCm,
      gainedMm: formatEstimateOrNull(shownGainMm),
      appliedMm: formatEstimateOrNull(doseMm),
      hasLosses,
      isWholeArea,
    }),
  ];
}

const hasReached = ({ response }: ReviewedWateringBody): boolean =>
  response === 'reached' || response === 'below_roots';

const groupOfWatering = (
  { eventId, groupOf }: ReviewedWateringBody,
  waterings: readonly ReviewedWateringBody[],
): ReviewedWateringBody[] =>
  waterings.filter((watering) =>
    groupOf === null ? watering.eventId === eventId : watering.groupOf === groupOf,
  );

/** One that nobody saw may have given the rest of the water. */
const isBesideOther = (
  watering: ReviewedWateringBody,
  waterings: readonly ReviewedWateringBody[],
): boolean =>
  groupOfWatering(watering, waterings).some(({ response }) => response === 'other_water');

/** The gain and dose of the watering, or of all waterings in its group that the rise shows. */
function gainAndDoseOf(watering: ReviewedWateringBody, waterings: readonly ReviewedWateringBody[]) {
  const group = groupOfWatering(watering, waterings).filter(hasReached);

  return {
    gainMm: group.find(({ riseMm }) => riseMm !== null)?.riseMm ?? null,
    doseMm: sumDoses(
      group.map(
        ({ waterMm, waterMmWetted, netMmWetted }) => netMmWetted ?? waterMmWetted ?? waterMm,
      ),
    ),
    isWholeArea: group.every(({ waterMmWetted }) => waterMmWetted === null),
    hasLosses: group.some(
      ({ waterMmWetted, netMmWetted }) => netMmWetted != null && netMmWetted !== waterMmWetted,
    ),
  };
}

function describeImplausibleGains(
  { waterings }: ReviewBody,
  context: SummaryContext,
  { canRain, rainedIds }: { readonly canRain: boolean; readonly rainedIds: readonly number[] },
): string[] {
  const implausible = waterings.filter((watering) => {
    const { gainMm, doseMm } = gainAndDoseOf(watering, waterings);
    return !isBesideOther(watering, waterings) && isImplausibleGain(gainMm, doseMm);
  });
  const [withRain, dry] = [true, false].map((hasRain) =>
    implausible.filter(({ eventId }) => rainedIds.includes(eventId) === hasRain),
  );
  const describe = (
    rows: readonly ReviewedWateringBody[] = [],
    rain: 'recorded' | 'possible' | 'none',
  ) =>
    rows.length === 0
      ? []
      : [
          reviewPhrases.implausibleGain(
            written(listStarts(rows, context), context),
            rows.length,
            rain,
          ),
        ];
  return [...describe(withRain, 'recorded'), ...describe(dry, canRain ? 'possible' : 'none')];
}

function describeUnloggedWettingEvents(
  { unlogged }: ReviewBody,
  context: SummaryContext,
  canRain: boolean,
): string[] {
  const byRain = unlogged.filter(
    (rise): rise is RainWettingEvent => rise.likely === 'rain' && rise.rainMm != null,
  );
  const others = unlogged.filter((rise): rise is UnexplainedWettingEvent => rise.likely !== 'rain');
  return [...describeRainRises(byRain, context), ...describeOtherRises(others, context, canRain)];
}

type WettingEvent = ReviewBody['unlogged'][number];
type RainWettingEvent = WettingEvent & { readonly rainMm: number };
type UnexplainedWettingEvent = WettingEvent & {
  readonly likely: Exclude<WettingEvent['likely'], 'rain'>;
};

function describeRainRises(rises: readonly RainWettingEvent[], context: SummaryContext): string[] {
  const [newest] = rises;
  if (newest === undefined) return [];
  const mm = formatEstimate(newest.rainMm);
  return [reviewPhrases.rainRises(rises.length, formatTime(newest.start, context), mm)];
}

function describeOtherRises(
  unlogged: readonly UnexplainedWettingEvent[],
  context: SummaryContext,
  canRain: boolean,
): string[] {
  const newest = unlogged[0];
  if (newest === undefined) return [];

  const { rainMm = null } = newest;
  const { start, waterMm, riseMm, likely, roseElsewhere, plannedEventId } = newest;
  const mm = formatEstimateOrNull(waterMm ?? riseMm);
  const isOverall = waterMm !== null;
  const amount = mm === null ? '' : reviewPhrases.riseAmount(mm, isOverall);
  const isOpen = likely === 'unknown' && canRain;
  const condition = isOverall && isOpen ? reviewPhrases.ifIrrigation : '';
  const likelySource = canRain ? likely : 'underCover';
  const source =
    isOpen && roseElsewhere ? reviewPhrases.roseElsewhere : reviewPhrases.likely[likelySource];

  return withoutNulls([
    reviewPhrases.unloggedWettingEvents(
      unlogged.length,
      `${formatTime(start, context)}${amount}${condition}, ${source}`,
    ),
    plannedEventId === null ? null : reviewPhrases.plannedThen(plannedEventId),
    likely === 'unknown' && rainMm !== null && plannedEventId !== null
      ? null
      : askFirst(rainMm, canRain),
  ]);
}

const askFirst = (rainMm: number | null, canRain: boolean): string =>
  canRain ? reviewPhrases.askFirst(formatEstimateOrNull(rainMm)) : reviewPhrases.askUnderCover;

function describeOmitted({ leftOut: { waterings, unlogged } }: ReviewBody): string[] {
  const omitted = withoutNulls([
    waterings === 0 ? null : reviewPhrases.olderWaterings(waterings),
    unlogged === 0 ? null : reviewPhrases.olderEvents(unlogged),
  ]);
  return omitted.length === 0 ? [] : [reviewPhrases.omitted(englishFormat.list(omitted))];
}
