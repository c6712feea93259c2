import type { ProbeAdvice, WateringAdvice } from '../../domain/advice/advice.ts';
import { reasonOf } from '../../domain/advice/reason.ts';
import { isOfSensor } from '../../domain/advice/reason-kinds.ts';
import type { WateringDecision } from '../../domain/advice/watering-decision.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { age, daysUntil, estimate } from '../../domain/text/figures.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeWithZone } from '../../domain/text/times.ts';
import { countsOnForecast } from './amounts/decision-summary.ts';
import { describeRefill } from './amounts/refill-summary.ts';
import { lacks, missingForBalance, NEGLIGIBLE_DEFICIT_MM } from './deficit-summary.ts';
import type { ProbeContext } from './reason-context.ts';
import { describeReasons } from './reason-sentences.ts';

/** From this age on (ms) a summary mentions how old the reading is. */
const MENTION_AGE_FROM_MS = 6 * HOUR_MS;

/** The need of a probe, after the decision, which may have named it. */
export function describeNeed(decision: WateringDecision | null, context: ProbeContext): Text[] {
  const { target, advice } = context;
  const { at, deficitMm, reasons, fractionWetted } = advice;
  const byBalance = describeByBalance(context);
  if (at === null) return byBalance ?? [needUnknown(target), ...describeBalanceNeeds(advice)];

  const time = timeWithZone(at);
  const ageMs = context.now - at;
  const readingAge = age(Math.floor(ageMs / MINUTE_MS));
  if (reasonOf(reasons, 'STALE_DATA') !== undefined)
    return byBalance === null
      ? [
          say`Old data, so there is no advice: the newest moisture of ${target} is ${readingAge} old, from ${time}.`,
          ...describeBalanceNeeds(advice),
        ]
      : [say`The newest moisture of ${target} is ${readingAge} old, from ${time}.`, ...byBalance];

  if (deficitMm === null) return [needUnknown(target)];
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM && reasons.some(isOfSensor))
    return [
      say`${target} lacks no water at the depths that can be trusted, ${time}; whether it does at the others is unknown.`,
    ];
  if (deficitMm === 0)
    return [say`${target} needs no water: it is at or above field capacity, ${time}.`];
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM)
    return [
      say`${target} needs no water: it lacks ${estimate(deficitMm, 'mm')} to reach field capacity, less than its readings can tell, ${time}.`,
    ];

  const subject = decision === null ? target : say`It`;
  return [
    say`${subject} ${lacks(deficitMm, fractionWetted)}, ${time}.`,
    ...(ageMs < MENTION_AGE_FROM_MS
      ? []
      : [say`That is based on a reading that is ${readingAge} old.`]),
    ...describeRefill(decision, context),
  ];
}

const needUnknown = (name: Text): Text => say`How much water ${name} needs is unknown.`;

/** Null where no balance stands in for the probe. */
function describeByBalance(context: ProbeContext): Text[] | null {
  const { deficitMm, reasons } = context.advice;
  const balance = reasonOf(reasons, 'BY_BALANCE');
  if (balance?.since === undefined || deficitMm === null) return null;

  const refill = deficitMm < NEGLIGIBLE_DEFICIT_MM ? [] : describeRefill(null, context);
  return [...describeReasons([balance], context), ...refill];
}

function describeBalanceNeeds({ reasons }: ProbeAdvice): Text[] {
  const silence = reasonOf(reasons, 'STALE_DATA') ?? reasonOf(reasons, 'NO_DATA');
  const needs = silence?.balanceNeeds ?? [];
  return needs.length === 0
    ? []
    : [
        say`While it is silent, the balance of rain, waterings and evapotranspiration could tell how much water it needs. ${missingForBalance(needs)}`,
      ];
}

export function describeStress({ daysToStress, reasons }: WateringAdvice): Text[] {
  if (daysToStress === null) return [];
  if (daysToStress === 0) return [say`It is already at or below the stress point.`];

  const pace = countsOnForecast(reasons)
    ? say`In the expected weather`
    : say`As fast as it dries now`;
  return [say`${pace}, it reaches the stress point in ${daysUntil(daysToStress)}.`];
}
