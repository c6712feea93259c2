import { compareProbes } from '../../../domain/advice/farm/compared-probes.ts';
import { type FarmPlan, farmPlan, planPeriod } from '../../../domain/advice/farm/farm-plan.ts';
import { type FarmProbe, farmProbe } from '../../../domain/advice/farm/farm-probe.ts';
import { newTimeSlice } from '../../../domain/event-loop.ts';
import type { ModuleFacts } from '../../../domain/facts/probe-facts.ts';
import type { ParcelWateringFacts } from '../../../domain/facts/watering-facts.ts';
import { chunksOf } from '../../../domain/groups.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import type { RecordedRain } from '../../../domain/weather/rain.ts';
import type { ComposedCall } from '../../../operation/call.ts';
import type { FactSource } from '../../../operation/fact-source.ts';
import type { WateringTarget } from '../../../store/irrigation/watering-target.ts';
import { ExchangedProbes, exchangeSource } from '../exchanged-probes.ts';
import { ExplainedChanges, probeSource } from '../explained-changes.ts';
import { LearnedUse, useSource } from '../learned-use.ts';
import { ConditionsOfProbes } from '../probe-conditions.ts';

/** Limits the memory for readings: those of two weeks are loaded for this many probes at a time. */
export const PROBES_AT_ONCE = 250;

/** Keeps the order of the modules. */
export async function loadFarmProbes(
  call: ComposedCall,
  facts: FactSource,
  modules: readonly ModuleFacts[],
): Promise<FarmProbe[]> {
  const conditions = new ConditionsOfProbes(call, facts);
  const changes = new ExplainedChanges(probeSource(facts));
  const exchanges = new ExchangedProbes(exchangeSource(facts));
  const uses = new LearnedUse(useSource(facts), conditions, call);
  const slice = newTimeSlice(() => call.yieldOrCancel());
  const probes: FarmProbe[] = [];

  for (const group of chunksOf(modules, PROBES_AT_ONCE)) {
    const doneBefore = probes.length;
    const measured = await facts.probes(
      group.map(({ id }) => id),
      (done) => call.onProgress?.(doneBefore + done, modules.length),
    );
    changes.remember(measured.values());

    for (const module of group) {
      const found = measured.get(module.id);
      const changed = found && (await changes.removeFrom(found));
      const farm = await conditions.of(changed);
      const probe = changed && (await exchanges.markIn(changed, farm));
      const byTables = farmProbe(module, probe, farm);
      const learned =
        probe && byTables.advice && (await uses.addTo(probe, byTables.advice.reasons));
      probes.push(learned ? farmProbe(module, learned, farm) : byTables);
      if (slice.isOver()) await slice.renew();
    }
  }

  return compareProbes(probes, call.now);
}

export async function loadFarmPlan(
  { now, zone }: ComposedCall,
  facts: FactSource,
  /** Default: the whole farm. */
  targets?: readonly WateringTarget[],
): Promise<FarmPlan> {
  const planned = await facts.waterings({ targets, ...planPeriod(now), status: 'planned' });
  return farmPlan(planned, await facts.schedules(), { now, zone });
}

/** Local days, today included. */
export function loadRainOfLastDays(
  { now, zone }: Pick<ComposedCall, 'now' | 'zone'>,
  facts: Pick<FactSource, 'rain'>,
  days: number,
): Promise<RecordedRain> {
  const from = LocalDay.at(now, zone)
    .plus(1 - days)
    .startIn(zone);
  return facts.rain({ from, to: now + 1 });
}

/** The waterings that are planned on parcels without a probe. */
export async function loadPlanOfParcels(
  { now, zone }: ComposedCall,
  facts: Pick<FactSource, 'parcelWaterings' | 'schedules'>,
): Promise<FarmPlan<ParcelWateringFacts>> {
  const planned = await facts.parcelWaterings(null, { ...planPeriod(now), status: 'planned' });
  const schedules = planned.length === 0 ? new Map() : await facts.schedules();
  return farmPlan(planned, schedules, { now, zone });
}
