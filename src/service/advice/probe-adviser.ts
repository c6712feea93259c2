import type { AdviceRequest, AdviceResult, ProbeAdvice } from '../../domain/advice/advice.ts';
import { withDiffering } from '../../domain/advice/farm/compared-probes.ts';
import { meanwhileOf } from '../../domain/advice/meanwhile.ts';
import type { FarmConditions } from '../../domain/advice/probe/farm-conditions.ts';
import { withoutPlannedToday } from '../../domain/advice/probe/planned-today.ts';
import { adviseProbe } from '../../domain/advice/probe/probe-advice.ts';
import { withRunoff } from '../../domain/advice/probe/runoff-advice.ts';
import { reasonOf } from '../../domain/advice/reason.ts';
import { withholdsAmount } from '../../domain/advice/reason-kinds.ts';
import { assumedSince, withoutWaterings } from '../../domain/advice/witness/assumed-water.ts';
import type { ProbeFacts } from '../../domain/facts/probe-facts.ts';
import type { WeatherFacts } from '../../domain/facts/weather-facts.ts';
import { entryOf } from '../../domain/items.ts';
import { keepsRainOff } from '../../domain/moisture/mulch.ts';
import type { RainContribution } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import { toAdviceBody } from '../../schema/advice/advice-body.ts';
import { toBody } from '../../schema/advice/reasons-of-body.ts';
import { ExchangedProbes, exchangeSource } from './exchanged-probes.ts';
import { ExplainedChanges, probeSource } from './explained-changes.ts';
import { LearnedUse, useSource } from './learned-use.ts';
import { ConditionsOfProbes } from './probe-conditions.ts';
import {
  advicesOnValve,
  differingOnValve,
  probesOfParcel,
  probesOnValve,
  reasonsOnValve,
} from './same-valve.ts';
import { adviseOfDemandRatio, adviseOfForecastRain } from './weather-advice.ts';

export type AdviceSource = Pick<
  FactSource,
  'module' | 'modules' | 'probes' | 'states' | 'waterings' | 'parcelWaterings' | 'rain' | 'weather'
>;

export async function adviseWatering(
  call: ComposedCall,
  facts: AdviceSource,
  moduleId: number,
  request: AdviceRequest,
): Promise<AdviceBody> {
  await facts.module(moduleId);
  const probe = entryOf(await facts.probes([moduleId]), moduleId);
  const changes = new ExplainedChanges(probeSource(facts));
  return new ProbeAdviser(call, facts, changes).advise(probe, request);
}

/** Advises probes, and loads once what they share. */
export class ProbeAdviser {
  readonly #call: ComposedCall;
  readonly #facts: AdviceSource;
  readonly #conditions: ConditionsOfProbes;
  readonly #changes: ExplainedChanges;
  readonly #exchanges: ExchangedProbes;
  readonly #uses: LearnedUse;

  constructor(call: ComposedCall, facts: AdviceSource, changes: ExplainedChanges) {
    this.#call = call;
    this.#facts = facts;
    this.#conditions = new ConditionsOfProbes(call, facts);
    this.#changes = changes;
    this.#exchanges = new ExchangedProbes(exchangeSource(facts));
    this.#uses = new LearnedUse(useSource(facts), this.#conditions, call);
  }

  async advise(measured: ProbeFacts, request: AdviceRequest): Promise<AdviceBody> {
    const call = this.#call;
    const changed = await this.#changes.removeFrom(measured);
    const farm = await this.#conditions.of(changed);
    const marked = await this.#exchanges.markIn(changed, farm);
    const byTables = adviseProbe(marked, farm, request);
    const learned = await this.#uses.addTo(marked, byTables.advice.reasons);
    const result = learned === null ? byTables : adviseProbe(learned, farm, request);
    const probe = learned ?? marked;
    const compared = await compareOnValve(call, this.#facts, probe, {
      advice: result.advice,
      farm,
    });
    const advice = withRunoff(withoutPlannedToday(compared, probe.waterings, call), probe);
    for (const advisory of toBody(advice.reasons).advisories) call.advise(advisory);
    adviseOfPlan(call, compared, advice, probe);
    adviseOfAssumedWater(call, advice, probe, { farm, request });
    adviseOfResult(
      call,
      { ...result, advice },
      {
        weather: farm.weather,
        rain: isGaugeDoubtful(advice) ? [] : farm.rainOn(probe.module.parcelId),
        expectsRain: request.expectedRainMm > 0,
        isKeptOff: keepsRainOff(probe.setup.settings),
      },
    );
    return toAdviceBody(advice);
  }
}

const isGaugeDoubtful = ({ reasons }: ProbeAdvice): boolean =>
  reasonOf(reasons, 'GAUGE_DOUBTFUL') !== undefined;

/** The watering planned for today is all that it needs. */
function adviseOfPlan(
  call: ComposedCall,
  { waterMm, durationMin }: ProbeAdvice,
  remaining: ProbeAdvice,
  { waterings }: ProbeFacts,
): void {
  const isLess = reasonOf(remaining.reasons, 'PLANNED_TODAY') !== undefined;
  if (!isLess || remaining.waterMm !== 0 || waterMm === null) return;
  const next = waterings.find(
    ({ status, startedAt }) => status !== 'skipped' && startedAt > call.now,
  );
  if (next !== undefined)
    call.advise({
      kind: 'enough_if_it_runs',
      neededMm: waterMm,
      neededMin: durationMin,
      at: next.startedAt,
      durationMin: next.durationMin,
    });
}

/** Advises of the waterings that a balance in place of a silent probe assumes. */
function adviseOfAssumedWater(
  call: ComposedCall,
  { reasons }: ProbeAdvice,
  probe: ProbeFacts,
  { farm, request }: { readonly farm: FarmConditions; readonly request: AdviceRequest },
): void {
  const since = reasonOf(reasons, 'BY_BALANCE')?.since;
  if (since === undefined) return;
  const assumed = assumedSince(since, probe, farm);
  if (assumed.length === 0) return;

  const { advice } = adviseProbe(withoutWaterings(probe, assumed), farm, request);
  const without = reasonOf(advice.reasons, 'BY_BALANCE');
  if (without?.deficitMm !== undefined)
    call.advise({
      kind: 'balance_assumes',
      waterings: assumed.length,
      waterMm: assumed.reduce((sum, { waterMm }) => sum + (waterMm ?? 0), 0),
      deficitMm: without.deficitMm,
    });
}

/** Adds what the other probes on the same valve show. */
async function compareOnValve(
  { now }: ComposedCall,
  facts: AdviceSource,
  probe: ProbeFacts,
  { advice, farm }: { readonly advice: ProbeAdvice; readonly farm: FarmConditions },
): Promise<ProbeAdvice> {
  const others = await probesOfParcel(facts, probe);
  const differing = await differingOnValve(facts, probe, others, farm);
  const onValve = advice.reasons.some(withholdsAmount) ? await probesOnValve(facts, others) : [];
  const known = { ...advice, reasons: reasonsOnValve(advice.reasons, onValve, farm) };
  const unseen = reasonOf(known.reasons, 'NO_RESPONSE');
  return {
    ...withDiffering(known, differing),
    meanwhile: meanwhileOf(known, {
      sameValve: advicesOnValve(onValve, farm),
      balance: advice.meanwhile,
      // Nobody knows whether those ran that no depth showed.
      waterings: unseen?.areScheduled ? [] : probe.waterings,
      now,
    }),
  };
}

interface Expectations {
  readonly weather: WeatherFacts;
  /** Recorded on the parcel. */
  readonly rain: readonly RainContribution[];
  /** The advice counts on rain that the caller expects. */
  readonly expectsRain: boolean;
  /** No rain gets into the soil. */
  readonly isKeptOff: boolean;
}

function adviseOfResult(
  call: ComposedCall,
  { advice, rain: { recent, inReadings }, deficit, stress }: AdviceResult,
  { weather, rain, expectsRain, isKeptOff }: Expectations,
): void {
  if (isKeptOff && expectsRain) call.advise({ kind: 'rain_kept_off' });
  if (stress === null && !isKeptOff) adviseOfForecastRain(call, weather, rain, expectsRain);
  if (inReadings !== null) call.advise({ kind: 'rain_in_readings', ...inReadings });
  if (recent !== null) call.advise({ kind: 'recent_rain', ...recent });
  // Withheld amounts have none.
  adviseOfDeficit(call, advice.deficitMm === null ? null : deficit);
  if (stress === null) return;

  if (stress.dryingRate !== null) {
    const { perDay, basis, count } = stress.dryingRate;
    const { residual } = stress;
    call.advise({ kind: 'drying_rate', basis, pointsPerDay: -perDay, count, residual });
  }
  if (stress.weatherDemand !== null) adviseOfDemandRatio(call, stress.weatherDemand);
  if (!isKeptOff && (advice.deficitMm === null || advice.deficitMm > 0))
    adviseOfForecastRain(call, weather, rain, expectsRain);
}

function adviseOfDeficit(call: ComposedCall, deficit: AdviceResult['deficit']): void {
  if (deficit === null) return;
  const { bottomCm, withoutValue, inDoubt, frozen, withoutLayer } = deficit;
  call.advise({ kind: 'deficit_depth', bottomCm });
  if (withoutValue.length > 0)
    call.advise({ kind: 'slices_without_value', slices: [...withoutValue] });
  if (inDoubt.length > 0) call.advise({ kind: 'slices_in_doubt', slices: [...inDoubt] });
  if (frozen.length > 0) call.advise({ kind: 'frozen_slices', slices: [...frozen] });
  if (withoutLayer.length > 0)
    call.advise({ kind: 'slices_without_layer', slices: [...withoutLayer] });
}
