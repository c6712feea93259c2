import {
  adviseMeasured,
  adviseParcel,
  type ParcelAdvice,
  type ParcelRequest,
} from '../../domain/advice/balance/balance-advice.ts';
import { MAX_BALANCE_DAYS } from '../../domain/advice/balance/balance-from-full.ts';
import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { compareUrgency } from '../../domain/advice/watering-decision.ts';
import { newTimeSlice } from '../../domain/event-loop.ts';
import type { ParcelFacts } from '../../domain/facts/parcel-facts.ts';
import { doneWaterings, onceEach, withThoseOfParcel } from '../../domain/facts/watering-facts.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { keepsRainOff } from '../../domain/moisture/mulch.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { say } from '../../domain/text/say.ts';
import { localDay } from '../../domain/text/times.ts';
import { namesOfParcelProbes } from '../../language/summary-context.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import { adviceOfBody } from '../../schema/advice/advice-body.ts';
import type { ParcelAdviceBody } from '../../schema/advice/parcel-advice.ts';
import { toBody } from '../../schema/advice/reasons-of-body.ts';
import { toTurnBody } from '../../schema/advice/turn-body.ts';
import { invalidInputError } from '../../schema/error.ts';
import { ExplainedChanges, probeSource } from './explained-changes.ts';
import { FactsOfParcel } from './facts-of-parcel.ts';
import { ProbeAdviser } from './probe-adviser.ts';
import { loadLongPast } from './probe-conditions.ts';

type ParcelSource = Pick<
  FactSource,
  | 'parcel'
  | 'module'
  | 'modules'
  | 'probes'
  | 'states'
  | 'waterings'
  | 'parcelWaterings'
  | 'rain'
  | 'weather'
>;

/** Advises by each probe that measures the parcel, or by a water balance if none does. */
export async function adviseParcelWatering(
  call: ComposedCall,
  facts: ParcelSource,
  parcelId: number,
  request: ParcelRequest,
): Promise<ParcelAdviceBody> {
  assertFilledLately(call, request);
  const parcel = await facts.parcel(parcelId);
  const probes = await FactsOfParcel.load(facts, parcelId);
  if (await isMeasured(call, probes)) {
    // What is said beside an advice would not say of which probe it is.
    const silentCall = { ...call, advise: () => undefined };
    const changes = new ExplainedChanges(probeSource(facts));
    const adviser = new ProbeAdviser(silentCall, probes, changes);
    const advices = await adviseEach(call, probes, adviser, request);
    return { ...toParcelAdviceBody(adviseMeasured(parcel)), probes: advices };
  }

  const silent = await namesOfParcelProbes(call.directory, parcelId);
  if (silent.length > 0) call.advise({ kind: 'silent_probes', probes: silent });

  const inputs = await balanceInputs(call.now, facts, {
    parcel,
    farm: await loadLongPast(call, facts),
    request,
  });
  const advice = adviseParcel(inputs);
  adviseOfAssumedWater(call, inputs, advice);
  if (request.expectedRainMm > 0 && keepsRainOff(parcel.settings))
    call.advise({ kind: 'rain_kept_off' });
  return toParcelAdviceBody(advice);
}

type BalanceInputs = Parameters<typeof adviseParcel>[0];

/** With all that the parcel got while a balance may cover it. */
export async function balanceInputs(
  now: number,
  facts: Pick<FactSource, 'waterings' | 'parcelWaterings'>,
  {
    parcel,
    farm,
    request,
  }: { readonly parcel: ParcelFacts } & Pick<BalanceInputs, 'farm' | 'request'>,
): Promise<BalanceInputs> {
  const { id: parcelId } = parcel;
  const period = {
    from: now - MAX_BALANCE_DAYS * DAY_MS,
    to: now + FORESEEABLE_DAYS * DAY_MS,
  };
  const onProbes = await facts.waterings({ targets: [{ parcelId }], ...period });
  const ofParcel = await facts.parcelWaterings(parcelId, period);
  const [first] = onProbes;
  const waterings = withThoseOfParcel(
    first === undefined ? [] : onceEach(onProbes, first.moduleId),
    ofParcel,
  );
  return { facts: parcel, waterings, farm, request };
}

/** No probe shows what nobody confirmed. */
function adviseOfAssumedWater(
  call: ComposedCall,
  inputs: BalanceInputs,
  { balance }: ParcelAdvice,
): void {
  if (balance === null) return;
  const assumed = doneWaterings(inputs.waterings, call.now).filter(
    ({ isConfirmed, startedAt }) =>
      !isConfirmed && LocalDay.at(startedAt, call.zone).iso >= balance.since,
  );
  if (assumed.length === 0) return;

  const waterings = inputs.waterings.filter((watering) => !assumed.includes(watering));
  const without = adviseParcel({ ...inputs, waterings }).balance;
  if (without !== null)
    call.advise({
      kind: 'balance_assumes',
      waterings: assumed.length,
      waterMm: assumed.reduce((sum, { waterMm }) => sum + (waterMm ?? 0), 0),
      deficitMm: without.deficitMm,
    });
}

function assertFilledLately({ now, zone }: ComposedCall, { filledOn }: ParcelRequest): void {
  if (filledOn === undefined) return;

  const today = LocalDay.at(now, zone);
  const earliest = today.plus(-MAX_BALANCE_DAYS).iso;
  if (filledOn >= earliest && filledOn <= today.iso) return;
  throw invalidInputError(
    'invalid_parameter',
    say`${localDay(filledOn)} is not one of the last ${MAX_BALANCE_DAYS} days.`,
    {
      hint: say`Give a day from ${localDay(earliest)} to ${localDay(today.iso)}.`,
      field: 'filledOn',
    },
  );
}

/** True if the readings of a probe tell more than a balance could. */
async function isMeasured({ now }: ComposedCall, probes: FactsOfParcel): Promise<boolean> {
  const since = now - MAX_BALANCE_DAYS * DAY_MS;
  for await (const { state } of probes.inGroups())
    if (state.at !== null && state.at >= since) return true;
  return false;
}

/**
 * Advice for probes that need water soonest comes first, and doubtful advice before that of those
 * that can wait.
 */
async function adviseEach(
  { yieldOrCancel }: ComposedCall,
  probes: FactsOfParcel,
  adviser: ProbeAdviser,
  { refillPercent, expectedRainMm }: ParcelRequest,
): Promise<AdviceBody[]> {
  const slice = newTimeSlice(yieldOrCancel);
  const advices: AdviceBody[] = [];
  for await (const probe of probes.inGroups()) {
    advices.push(await adviser.advise(probe, { refillPercent, expectedRainMm }));
    if (slice.isOver()) await slice.renew();
  }
  return advices
    .map((advice) => ({ advice, compared: adviceOfBody(advice) }))
    .sort((a, b) => compareUrgency(a.compared, b.compared))
    .map(({ advice }) => advice);
}

const toParcelAdviceBody = ({
  balance,
  balanceNeeds,
  reasons,
  turn,
  ...advice
}: ParcelAdvice): ParcelAdviceBody => ({
  ...advice,
  rest: null,
  turn: turn && toTurnBody(turn),
  ...toBody(reasons).body,
  basis: 'balance',
  balance: balance ?? undefined,
  ...(balanceNeeds.length > 0 ? { balanceNeeds: [...balanceNeeds] } : {}),
});

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

/** Keeps for each probe what an answer needs; the rest is in the advice for it alone. */
export const conciseParcelAdvice = ({ probes, ...advice }: ParcelAdviceBody): object =>
  probes === undefined
    ? advice
    : {
        parcelId: advice.parcelId,
        probes: probes.map((probe) =>
          Object.fromEntries(CONCISE_FIELDS.map((field) => [field, probe[field]])),
        ),
      };
