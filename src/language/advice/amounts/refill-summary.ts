import type { WateringAdvice } from '../../../domain/advice/advice.ts';
import { type Reason, reasonOf } from '../../../domain/advice/reason.ts';
import { attributesOf } from '../../../domain/advice/reason-kinds.ts';
import { FORESEEABLE_DAYS } from '../../../domain/advice/watering-advice.ts';
import type { WateringDecision } from '../../../domain/advice/watering-decision.ts';
import { HOUR_MIN } from '../../../domain/periods.ts';
import { advisedMinutes, estimate, exact, minutes } from '../../../domain/text/figures.ts';
import { commaSeparated, say } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import { civilAt } from '../../../domain/time-zone.ts';
import type { ReasonContext } from '../reason-context.ts';
import { describeReasons } from '../reason-sentences.ts';

export function describeRefill(decision: WateringDecision | null, context: ReasonContext): Text[] {
  const { advice } = context;
  const { waterMm, reasons } = advice;
  const planned = reasonOf(reasons, 'PLANNED_TODAY');
  if (waterMm === null) return [];
  if (waterMm === 0 && planned !== undefined)
    return [say`What is planned for today is enough, if it runs.`];
  if (waterMm === 0)
    return [
      reasonOf(reasons, 'EXPECTED_RAIN') !== undefined
        ? say`The expected rain would be enough: nothing needs to be given now.`
        : say`The rain would be enough: nothing needs to be given now.`,
    ];

  const isLater = decision === 'wait' || decision === 'enough';
  return [
    describeAmount(waterMm, advice, { isDue: decision === 'water', isLater }),
    ...(isLater ? [] : describeDays(context)),
    // How to give the amount so that no water runs off, and what of it is already planned.
    ...describeReasons(reasons.filter(isOfAmount), context),
  ];
}

const isOfAmount = ({ kind }: Reason): boolean => attributesOf(kind).place === 'amount';

/**
 * "To refill it, give 2 h 45 min, 27 mm over the whole area, 274 m3, not counting losses or
 * leaching."
 */
function describeAmount(
  waterMm: number,
  advice: WateringAdvice,
  { isDue, isLater }: { readonly isDue: boolean; readonly isLater: boolean },
): Text {
  const { durationMin, volumeM3, settings, refillMm } = advice;
  const percent = settings?.refillPercent ?? 100;
  const aim = percent === 100 ? say`it` : say`${exact(percent, '%')} of it`;
  const losses = describeLosses(advice);
  const amounts = commaSeparated([
    durationMin === null ? null : advisedMinutes(durationMin),
    say`${estimate(waterMm, 'mm')} over the whole area`,
    volumeM3 === null ? null : estimate(volumeM3, 'm3'),
    // An amount for later is asked about again.
    losses ?? (isLater ? null : say`not counting losses or leaching`),
  ]);
  if (refillMm !== undefined) {
    const refill = say`to refill ${aim} would take ${estimate(refillMm, 'mm')}`;
    return isDue
      ? say`Give ${amounts}. That is all that can be given at a time: ${refill}.`
      : say`No more than ${amounts}, can be given at a time; ${refill}.`;
  }
  return say`To refill ${aim}${isDue ? say`, give` : say` would take`} ${amounts}.`;
}

/** Null if the whole dose is for the roots. */
function describeLosses({ netMm, waterMm, settings }: WateringAdvice): Text | null {
  if (!settings || netMm === null || netMm === waterMm) return null;

  const { efficiencyPercent, leachingPercent } = settings;
  const forRoots = say`of which ${estimate(netMm, 'mm')} for the roots`;
  // The rest is that of a least dose.
  if (efficiencyPercent === 100 && leachingPercent === 0) return forRoots;
  const efficiency =
    efficiencyPercent === 100 ? say`no losses` : say`efficiency ${exact(efficiencyPercent, '%')}`;
  const leaching =
    leachingPercent === 0 ? say`no leaching` : say`leaching ${exact(leachingPercent, '%')}`;
  return say`${forRoots}: ${efficiency}, ${leaching}`;
}

const NOON = 12;
/** A watering that takes longer does not fit into a night. */
const NIGHT_MIN = 12 * HOUR_MIN;

function describeDays({ advice: { daily, settings }, now, zone }: ReasonContext): Text[] {
  if (!settings || !daily || daily.days === 1) return [];

  const { hoursPerDay } = settings;
  const limit =
    hoursPerDay === 24
      ? say`That is more than a day`
      : say`At most ${minutes(HOUR_MIN * hoursPerDay)} a day`;
  const isToday = civilAt(now, zone).hour < NOON || daily.minutesPerDay > NIGHT_MIN;
  const each = say`${advisedMinutes(daily.minutesPerDay)}`;
  const first = say`${each} ${isToday ? say`today` : say`tonight`}`;
  return [
    say`${limit}: ${first}, ${describeFurtherDays(each, daily.days - 1)}; from the second day on, check again first.`,
  ];
}

function describeFurtherDays(each: Text, days: number): Text {
  if (days === 1) return say`${each} tomorrow`;
  return days >= FORESEEABLE_DAYS
    ? say`then ${each} a day for more than two weeks`
    : say`then ${each} a day for ${days} more days`;
}
