import { MAX_BALANCE_DAYS } from '../../domain/advice/balance/balance-from-full.ts';
import {
  adviseMeasured,
  adviseParcel,
  type ParcelAdvice,
  type ParcelRequest,
} from '../../domain/advice/balance/parcel-advice.ts';
import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { addCivilDays, formatIsoDate } from '../../domain/calendar.ts';
import { onceEach } from '../../domain/facts/watering-facts.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { isProbe } from '../../language/summary-context.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { ParcelAdviceBody } from '../../schema/advice/parcel-advice.ts';
import { invalidInputError, nullIfNotFound } from '../../schema/error.ts';
import { loadLongPast } from './farm-conditions.ts';

type ParcelSource = Pick<
  FactSource,
  'parcel' | 'modules' | 'state' | 'waterings' | 'rain' | 'weather'
>;

/** The advice for a parcel that no probe measures. */
export async function adviseParcelWatering(
  call: ComposedCall,
  facts: ParcelSource,
  parcelId: number,
  request: ParcelRequest,
): Promise<ParcelAdviceBody> {
  assertFilledLately(call, request);
  const parcel = await facts.parcel(parcelId);
  const probes = await measuringProbes(call, facts, parcelId);
  if (probes.length > 0) return { ...toParcelAdviceBody(adviseMeasured(parcel)), probes };

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

/** Those whose readings tell more than a balance could. */
async function measuringProbes(
  { now }: ComposedCall,
  facts: Pick<FactSource, 'modules' | 'state'>,
  parcelId: number,
): Promise<number[]> {
  const measuring: number[] = [];
  for (const module of await facts.modules()) {
    if (module.parcelId !== parcelId || !isProbe(module)) continue;
    const state = await nullIfNotFound(() => facts.state(module.id));
    if (state !== null && state.at !== null && state.at >= now - MAX_BALANCE_DAYS * DAY_MS)
      measuring.push(module.id);
  }
  return measuring;
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
