import { mostCommonReason } from '../../domain/advice/farm/brief-lists.ts';
import { needsWaterToday } from '../../domain/advice/farm/water-need.ts';
import { CHECK_REASONS } from '../../domain/advice/probe-advice.ts';
import { type MissingDoseReason, missingDoseReason } from '../../domain/irrigation/dose.ts';
import { readPages } from '../../domain/list-pages.ts';
import { QUALITY_FLAGS } from '../../domain/moisture/suspect-readings.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { type ComposedCall, isLocalCall } from '../../operation/call.ts';
import { PROBES_AT_ONCE } from '../../operation/parts.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { ListedModuleBody } from '../../schema/company/company.ts';
import type { IrrigationConfigurationBody } from '../../schema/irrigation/installation.ts';
import { toIso } from '../wire-format.ts';
import { nullIfNotFound, type PartReads } from './operation-reads.ts';
import type { PlannedWaterings } from './planned-waterings.ts';

type ProbeOperations = Pick<
  PartReads,
  | 'adviseWatering'
  | 'getAgronomicState'
  | 'getIrrigationSetup'
  | 'getMoistureSeries'
  | 'listWaterings'
>;

/** A remote service may be far away, so a few requests run at once. */
const REMOTE_CONCURRENCY = 4;

export async function mapModules<T>(
  call: ComposedCall,
  modules: readonly ListedModuleBody[],
  load: (module: ListedModuleBody) => Promise<T>,
): Promise<T[]> {
  const groupSize = isLocalCall(call) ? PROBES_AT_ONCE : REMOTE_CONCURRENCY;
  const results: T[] = [];
  let doneCount = 0;
  for (let start = 0; start < modules.length; start += groupSize) {
    const running = modules.slice(start, start + groupSize).map(async (module) => {
      const result = await load(module);
      doneCount++;
      call.onProgress?.(doneCount, modules.length);
      return result;
    });
    // Wait for all before throwing, so that none continues after the call.
    for (const result of await Promise.allSettled(running)) {
      if (result.status === 'rejected') throw result.reason;
      results.push(result.value);
    }
  }

  return results;
}

export async function loadProbe(
  now: number,
  operations: Omit<ProbeOperations, 'listWaterings'>,
  { id, category }: ListedModuleBody,
) {
  // A weather station gets no advice, although it may have a humidity sensor or a tensiometer.
  const moduleAdvice =
    category === 'WEATHER_STATION'
      ? null
      : await nullIfNotFound(() => operations.adviseWatering({ moduleId: id }));
  const measuresWater =
    moduleAdvice?.tension !== undefined ||
    (category !== 'TENSIOMETER' && !moduleAdvice?.reasons.includes('NO_SOIL_MOISTURE'));
  const advice = measuresWater ? moduleAdvice : null;
  const setup = await operations.getIrrigationSetup({ moduleId: id });
  const lastReading =
    advice === null ? await lastReadingOfSeries(now, operations, id) : lastReadingOfAdvice(advice);

  return {
    id,
    advice,
    daysToStress: moduleAdvice?.daysToStress ?? null,
    state: moduleAdvice && (await operations.getAgronomicState({ moduleId: id })),
    setup,
    ...lastReading,
  };
}

export type LoadedProbe = Awaited<ReturnType<typeof loadProbe>>;

/** A probe is silent if it has had no reading for more than 25 hours, or never. */
const lastReadingOfAdvice = ({ time, reasons }: AdviceBody) => ({
  lastAt: time,
  isSilent: reasons.includes('STALE_DATA') || reasons.includes('NO_DATA'),
});

/** Freshness is the same for any period, so a short one is requested. */
async function lastReadingOfSeries(
  now: number,
  { getMoistureSeries }: Pick<ProbeOperations, 'getMoistureSeries'>,
  moduleId: number,
) {
  const args = { moduleId, start: toIso(now - MINUTE_MS), maxPoints: 1 };
  const freshness = (await nullIfNotFound(() => getMoistureSeries(args)))?.freshness;
  return { lastAt: freshness?.time ?? null, isSilent: !freshness?.isFresh };
}

export async function mostCommonMissingDoseReason(
  { listWaterings }: Pick<ProbeOperations, 'listWaterings'>,
  setup: IrrigationConfigurationBody,
): Promise<MissingDoseReason> {
  const { count, withoutInstallation } = setup.missingDoses;
  if (2 * withoutInstallation >= count) return 'NO_INSTALLATION';

  const reasons: MissingDoseReason[] = [];
  const filter = { moduleId: setup.moduleId, totals: 'none' } as const;
  for await (const rows of readPages((page) => listWaterings({ ...filter, ...page }))) {
    const missing = rows.filter(({ waterMm, status }) => waterMm === null && status !== 'skipped');
    reasons.push(
      ...missing.map(({ inputMode, startedAt }) =>
        missingDoseReason(inputMode, hasEquipmentAt(setup, startedAt)),
      ),
    );
    if (reasons.length >= count) break;
  }

  return mostCommonReason(reasons);
}

const hasEquipmentAt = ({ versions }: IrrigationConfigurationBody, at: string): boolean =>
  versions.some(({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo));

export interface ProbeNeedingWater {
  readonly probe: LoadedProbe;
  readonly advice: AdviceBody;
  /** The doses planned for today in mm, null for an unknown one. */
  readonly doses: readonly (number | null)[];
}

/** `modules` are those of the whole farm, also if only some of its probes are asked for. */
export function probesNeedingWater(
  probes: readonly LoadedProbe[],
  dosesToday: PlannedWaterings['dosesToday'],
  modules: readonly ListedModuleBody[],
): ProbeNeedingWater[] {
  // A tensiometer cannot tell how much is enough: any watering of its parcel today will do.
  const wateredParcels = new Set(
    modules.flatMap(({ id, parcelId }) => (dosesToday.has(id) ? (parcelId ?? []) : [])),
  );

  return probes.flatMap((probe) => {
    const { id, advice, setup } = probe;
    if (advice === null) return [];
    if (advice.tension && setup.parcelId !== null && wateredParcels.has(setup.parcelId)) return [];
    const doses = dosesToday.get(id) ?? [];
    return needsWaterToday(advice, doses, daysOfWatering(advice)) ? [{ probe, advice, doses }] : [];
  });
}

export const daysOfWatering = ({ daily }: AdviceBody): number => daily?.days ?? 1;

/** A doubtful sensor is also checked if the probe seems to need no water: it may hide the need. */
export function checkBeforeWatering({ advice }: Pick<LoadedProbe, 'advice'>, needsWater: boolean) {
  const checks = needsWater ? CHECK_REASONS : QUALITY_FLAGS;
  return checks.find((check) => advice?.reasons.includes(check)) ?? null;
}

/** No level tells whether the reading is dry, or the drawn ones contradict each other. */
const UNJUDGED_REASONS = ['NO_STRESS_POINT', 'THRESHOLDS_CROSSED', 'NO_DRY_LEVEL'] as const;

export const isUnjudged = ({ advice, isSilent }: LoadedProbe): boolean =>
  advice !== null &&
  !isSilent &&
  advice.daysToStress === null &&
  UNJUDGED_REASONS.some((reason) => advice.reasons.includes(reason));
