import { MAX_BALANCE_DAYS } from '../../domain/advice/balance/balance-from-full.ts';
import {
  adviseMeasured,
  adviseParcel,
  type ParcelAdvice,
  type ParcelRequest,
} from '../../domain/advice/balance/parcel-advice.ts';
import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { compareUrgency } from '../../domain/advice/watering-decision.ts';
import { addCivilDays, formatIsoDate } from '../../domain/calendar.ts';
import { onceEach } from '../../domain/facts/watering-facts.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { isProbe } from '../../language/summary-context.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { ParcelAdviceBody } from '../../schema/advice/parcel-advice.ts';
import { invalidInputError, nullIfNotFound } from '../../schema/error.ts';
import { loadLongPast } from './farm-conditions.ts';
import { adviseWatering } from './probe-advice.ts';

type ParcelSource = Pick<
  FactSource,
  'parcel' | 'module' | 'modules' | 'probes' | 'state' | 'waterings' | 'rain' | 'weather'
>;

/** By each probe that measures the parcel, or by a water balance if none does. */
export async function adviseParcelWatering(
  call: ComposedCall,
  facts: ParcelSource,
  parcelId: number,
  request: ParcelRequest,
): Promise<ParcelAdviceBody> {
  assertFilledLately(call, request);
  const parcel = await facts.parcel(parcelId);
  const probes = await probesOfMeasuredParcel(call, facts, parcelId);
  if (probes.length > 0) {
    const advices = await adviseEach(call, facts, probes, request);
    return { ...toParcelAdviceBody(adviseMeasured(parcel)), probes: advices };
  }

  const { now } = call;
  const waterings = await facts.waterings({
    targets: [{ parcelId }],
    from: now - MAX_BALANCE_DAYS * DAY_MS,
    to: now + FORESEEABLE_DAYS * DAY_MS,
  });
  const [first] = waterings;
  const advice = adviseParcel({
    facts: parcel,
    waterings: first === undefined ? [] : onceEach(waterings, first.moduleId),
    farm: await loadLongPast(call, facts),
    request,
  });
  return toParcelAdviceBody(advice);
}

function assertFilledLately({ now, zone }: ComposedCall, { filledOn }: ParcelRequest): void {
  if (filledOn === undefined) return;

  const today = civilAt(now, zone);
  const earliest = formatIsoDate(addCivilDays(today, -MAX_BALANCE_DAYS));
  if (filledOn >= earliest && filledOn <= formatIsoDate(today)) return;
  throw invalidInputError(
    'invalid_parameter',
    `${filledOn} is not one of the last ${MAX_BALANCE_DAYS} days.`,
    {
      hint: `Give a day from ${earliest} to ${formatIsoDate(today)}.`,
      field: 'filledOn',
    },
  );
}

/** None unless the readings of one tell more than a balance could. */
async function probesOfMeasuredParcel(
  { now }: ComposedCall,
  facts: Pick<FactSource, 'modules' | 'state'>,
  parcelId: number,
): Promise<number[]> {
  const modules = await facts.modules();
  const probes = modules.filter((module) => module.parcelId === parcelId && isProbe(module));
  const states = await Promise.all(probes.map(({ id }) => nullIfNotFound(() => facts.state(id))));
  const since = now - MAX_BALANCE_DAYS * DAY_MS;
  const isMeasured = states.some((state) => state?.at != null && state.at >= since);
  return isMeasured ? probes.map(({ id }) => id) : [];
}

/** Those first that need water soonest, and those in doubt before those that can wait. */
async function adviseEach(
  call: ComposedCall,
  facts: ParcelSource,
  probes: readonly number[],
  { refillPercent, expectedRainMm }: ParcelRequest,
): Promise<AdviceBody[]> {
  // What is said beside an advice would not say of which probe it is.
  const silentCall = { ...call, advise: () => undefined };
  const advices: AdviceBody[] = [];
  for (const id of probes)
    advices.push(await adviseWatering(silentCall, facts, id, { refillPercent, expectedRainMm }));
  return advices.sort(compareUrgency);
}

function toParcelAdviceBody({
  balance,
  balanceNeeds,
  reasons,
  ...advice
}: ParcelAdvice): ParcelAdviceBody {
  return {
    ...advice,
    reasons: [...reasons],
    basis: 'balance',
    ...(balance !== null && { balance }),
    ...(balanceNeeds.length > 0 && { balanceNeeds: [...balanceNeeds] }),
  };
}

const CONCISE_FIELDS = [
  'moduleId',
  'time',
  'deficitMm',
  'waterMm',
  'durationMin',
  'daysToStress',
  'confidence',
  'reasons',
] as const;

/** Of each probe what an answer needs; the rest is in the advice for it alone. */
export const conciseParcelAdvice = ({ probes, ...advice }: ParcelAdviceBody): object =>
  probes === undefined
    ? advice
    : {
        parcelId: advice.parcelId,
        probes: probes.map((probe) =>
          Object.fromEntries(CONCISE_FIELDS.map((field) => [field, probe[field]])),
        ),
      };
