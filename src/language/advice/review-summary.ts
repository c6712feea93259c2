import { REVIEW_OUTCOMES } from '../../domain/advice/review/credited-watering.ts';
import { isOnDayOf } from '../../domain/advice/review/log-story.ts';
import { isImplausibleGain } from '../../domain/advice/watering-response.ts';
import { isUnseen } from '../../domain/advice/witness/witness.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import { estimate, exact } from '../../domain/text/figures.ts';
import { counted, list, noun, sameCallWith, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf, zone } from '../../domain/text/times.ts';
import type { ReviewBody, ReviewedWateringBody } from '../../schema/advice/review.ts';
import type { Advisory } from '../../schema/advisory.ts';
import {
  describeWitnesses,
  describeWitnessesOfSum,
  sumByWitness,
} from '../irrigation/witness-summary.ts';
import type { NameDirectory, SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';
import { coverOf } from '../words/farming-terms.ts';
import {
  describeEarly,
  describeExchange,
  describeLogShift,
  describeUnseen,
} from './response-summary.ts';
import { describeUnloggedWettingEvents } from './unlogged-wetting-summary.ts';
import { listStarts } from './watering-times.ts';

export async function summarizeReview(
  review: ReviewBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<Text> {
  const probe = await moduleText(context.directory, review.moduleId);
  const canRain = !(await isUnderRoof(context.directory, review.moduleId));
  return sentences([
    ...(await describeTotals(review, probe, context)),
    ...describeNewestResponse(review),
    ...describeImplausibleGains(review, context, { canRain, rainedIds: rainedIdsOf(advisories) }),
    ...describeUnloggedWettingEvents(review, canRain),
    ...describeOmitted(review),
  ]);
}

const rainedIdsOf = (advisories: readonly Advisory[]): number[] =>
  advisories.flatMap((each) =>
    each.kind === 'rain_around_waterings' ? each.rows.map(({ eventId }) => eventId) : [],
  );

/** In a greenhouse or tunnel, where no rain falls. */
async function isUnderRoof(directory: NameDirectory, moduleId: number): Promise<boolean> {
  const module = (await directory.modules()).find(({ id }) => id === moduleId);
  const parcel = (await directory.parcels()).find(({ id }) => id === module?.parcelId);
  return parcel !== undefined && coverOf(parcel) === 'roof';
}

type Response = ReviewedWateringBody['response'];

const RESPONSES: Readonly<Record<Response, Text>> = {
  reached: say`reached the root zone`,
  below_roots: say`reached below the roots`,
  no_response: say`showed no response`,
  full_soil: say`showed no response, as the soil was already full`,
  too_light: say`showed no response, as so little water may not reach the sensors`,
  other_water: say`cannot be told from rain or another watering`,
  too_early: say`too recent to judge`,
  no_data: say`without data`,
};

/** They go with "is" in a sentence. */
const RESPONSES_WITHOUT_VERB: readonly Response[] = ['too_early', 'no_data'];

function describeResponse(response: Response, count: number): Text {
  const verb = RESPONSES_WITHOUT_VERB.includes(response) ? say`${noun(count, 'is', 'are')} ` : null;
  return say`${count} ${verb}${RESPONSES[response]}`;
}

async function describeTotals(
  review: ReviewBody,
  probe: Text,
  context: SummaryContext,
): Promise<(Text | null)[]> {
  const { waterings, start, end } = review;
  const period = say`from ${timeOf(start)} to ${timeOf(end)} (${zone})`;
  if (waterings.length === 0) return [say`No watering is logged as done on ${probe} ${period}.`];

  const withResponse = (response: Response) =>
    waterings.filter((watering) => watering.response === response);
  const responses = REVIEW_OUTCOMES.flatMap((response) => {
    const count = withResponse(response).length;
    return count === 0 ? [] : [describeResponse(response, count)];
  });
  const doubted = [...startsOf(review.unseenWaterings), ...startsOf(review.earlyWaterings)];
  const unresponsive = withResponse('no_response').filter(
    ({ startedAt }) => !isOnDayOf(doubted, Date.parse(startedAt), context.zone),
  );
  const assumed = unresponsive.filter(({ witness }) => isUnseen(witness));
  const belowRoots = withResponse('below_roots');

  /** Null for no waterings. */
  const about = (
    rows: readonly ReviewedWateringBody[],
    describe: (times: Text) => Text,
  ): Text | null => (rows.length === 0 ? null : describe(listStarts(rows, context)));

  return [
    say`${counted(waterings.length, 'watering')} of ${probe} ${period}: ${list(responses)}.`,
    describeWitnessesOfReview(waterings),
    await describeDoubted(review, context),
    about(
      waterings.filter(({ groupOf }) => groupOf !== null),
      (times) => say`Assessed together, because they are at most 3 hours apart: those of ${times}.`,
    ),
    about(
      assumed,
      (times) =>
        say`Check whether ${noun(assumed.length, 'that', 'those')} of ${times} ran and reached the probe.`,
    ),
    about(
      unresponsive.filter(({ witness }) => !isUnseen(witness)),
      (times) => say`Check why the water of ${times} did not reach the probe.`,
    ),
    about(
      belowRoots,
      (times) =>
        say`The water of ${times} reached below the roots: if that happens often, give less at a time.`,
    ),
    about(
      waterings.filter(({ deeperFirst }) => deeperFirst === true),
      (times) =>
        say`The water of ${times} reached a deeper sensor before the uppermost one: it runs down cracks or along the probe, or arrives from the side. Look at the soil; where it is cracked, give less at a time and more often.`,
    ),
  ];
}

const startsOf = (of: { readonly startedAt: readonly string[] } | undefined): number[] =>
  (of?.startedAt ?? []).map(Date.parse);

/** In the words of the advice. */
async function describeDoubted(
  review: ReviewBody,
  { directory }: SummaryContext,
): Promise<Text | null> {
  const { unseenWaterings: unseen, earlyWaterings: early, exchangedWith } = review;
  if (exchangedWith !== undefined)
    return describeExchange(await moduleText(directory, exchangedWith));
  return sentences([
    unseen === undefined ? null : describeUnseenOrShifted(unseen),
    early === undefined ? null : describeEarly({ startedAt: startsOf(early), hours: early.hours }),
  ]);
}

function describeUnseenOrShifted(unseen: NonNullable<ReviewBody['unseenWaterings']>): Text {
  const startedAt = startsOf(unseen);
  return unseen.shiftDays === null
    ? describeUnseen({ startedAt, areScheduled: unseen.areScheduled })
    : describeLogShift({ startedAt, days: unseen.shiftDays });
}

/** Null where persons confirmed all. */
function describeWitnessesOfReview(waterings: ReviewBody['waterings']): Text | null {
  const sum = waterings.reduce((total, { waterMm }) => total + (waterMm ?? 0), 0);
  const totalMm = sum === 0 ? null : sum;
  const rows = waterings.map(({ witness, unseen, waterMm }) => ({
    witness: witness ?? ('confirmed' as const),
    unseen: unseen ?? undefined,
    waterMm,
  }));
  const seenBy = describeWitnesses(sumByWitness(rows), totalMm, rows);
  return seenBy && describeWitnessesOfSum(totalMm, seenBy);
}

function describeNewestResponse({ waterings }: ReviewBody): Text[] {
  const newest = waterings.find(hasReached);
  // Which sensor stands where may be in doubt.
  if (newest === undefined || newest.deepestCm === null) return [];

  const { gainMm, doseMm, hasLosses, isWholeArea } = gainAndDoseOf(newest, waterings);
  const isShown = gainMm !== null && !isImplausibleGain(gainMm, doseMm);
  const gained = isShown ? say`, and the soil gained ${estimate(gainMm, 'mm')}` : null;
  const where = isWholeArea ? null : say` in the wetted zone`;
  const applied =
    !isShown || doseMm === null
      ? null
      : say`; the watering gave ${estimate(doseMm, 'mm')}${where}${hasLosses ? say`, less losses` : null}`;
  const depth = exact(newest.deepestCm, 'cm');

  return [
    say`The newest with a visible effect, ${timeOf(newest.startedAt)}: down to ${depth}${gained}${applied}.`,
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

/** Another watering that nobody saw may have brought the rest of the water. */
const hasOtherWater = (
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
      ({ waterMm, waterMmWetted, netMmWetted }) =>
        netMmWetted != null && netMmWetted !== (waterMmWetted ?? waterMm),
    ),
  };
}

function describeImplausibleGains(
  { waterings }: ReviewBody,
  context: SummaryContext,
  { canRain, rainedIds }: { readonly canRain: boolean; readonly rainedIds: readonly number[] },
): Text[] {
  const implausible = waterings.filter((watering) => {
    const { gainMm, doseMm } = gainAndDoseOf(watering, waterings);
    return !hasOtherWater(watering, waterings) && isImplausibleGain(gainMm, doseMm);
  });
  const [withRain, dry] = [true, false].map((hasRain) =>
    implausible.filter(({ eventId }) => rainedIds.includes(eventId) === hasRain),
  );
  const describe = (
    rows: readonly ReviewedWateringBody[] = [],
    rain: keyof typeof RAIN_BESIDE_GAIN,
  ) =>
    rows.length === 0
      ? []
      : [
          say`The sensors show far more water than the ${noun(rows.length, 'watering')} of ${listStarts(rows, context)} gave${RAIN_BESIDE_GAIN[rain]}check application rate, wetted fraction and the placement of the probe.`,
        ];
  return [...describe(withRain, 'recorded'), ...describe(dry, canRain ? 'possible' : 'none')];
}

const RAIN_BESIDE_GAIN = {
  recorded: say`, and the rain recorded for then does not explain it: `,
  possible: say`: unless it rained, `,
  none: say`: `,
};

function describeOmitted({ leftOut: { waterings, unlogged } }: ReviewBody): Text[] {
  const omitted: Text[] = [];
  if (waterings > 0) omitted.push(counted(waterings, 'older watering'));
  if (unlogged > 0) omitted.push(counted(unlogged, 'older rise'));
  return omitted.length === 0
    ? []
    : [say`Left out: ${list(omitted)}.${sameCallWith('limit', 'end')}`];
}
