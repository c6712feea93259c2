import { mostCommonReason } from '../../domain/advice/brief.ts';
import { type MissingDoseReason, missingDoseReason } from '../../domain/irrigation/dose.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody } from '../../schema/advice.ts';
import type { ListedModuleBody } from '../../schema/company.ts';
import type { IrrigationConfigurationBody } from '../../schema/installation.ts';
import { toIso } from '../wire-format.ts';
import { nullIfNotFound, resultPages } from './operation-reads.ts';
import type { PerformedOperations } from './performed-operations.ts';

type ProbeOperations = Pick<
  PerformedOperations,
  'adviseWatering' | 'getIrrigationSetup' | 'getMoistureSeries' | 'listWaterings'
>;

/** A module in service, as its single operations tell of it. */
export interface ProbeOverview {
  readonly id: number;
  /** Null for what measures no soil moisture. */
  readonly advice: AdviceBody | null;
  readonly setup: IrrigationConfigurationBody;
  /** Newest reading, ISO 8601. */
  readonly lastAt: string | null;
  /** Nothing came for over 25 hours, or since ever. */
  readonly isSilent: boolean;
}

/** Modules that are looked at side by side: a far service need not be waited for one by one. */
const CONCURRENCY = 4;

/** Looks at every module in service, in their order. */
export async function loadProbes(
  call: ComposedCall,
  operations: ProbeOperations,
  modules: readonly ListedModuleBody[],
): Promise<ProbeOverview[]> {
  const probes: (ProbeOverview | null)[] = modules.map(() => null);
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (next < modules.length) {
      const index = next++;
      // Calls that came in meanwhile get their turn.
      await new Promise((resolve) => setImmediate(resolve));
      probes[index] = await nullIfNotFound(() => loadProbe(call.now, operations, modules[index]!));
      call.onStep?.(++done, modules.length);
    }
  };
  // Each lane ends before a failure is told: none may go on asking once the call is over.
  const settled = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  for (const result of settled) if (result.status === 'rejected') throw result.reason;
  return probes.filter((each) => each !== null);
}

async function loadProbe(
  now: number,
  operations: ProbeOperations,
  { id, category }: ListedModuleBody,
): Promise<ProbeOverview> {
  const isOfSoil = category !== 'WEATHER_STATION' && category !== 'TENSIOMETER';
  const soilAdvice = isOfSoil ? await operations.adviseWatering({ moduleId: id }) : null;
  const advice = soilAdvice?.reasons.includes('NO_SOIL_MOISTURE') ? null : soilAdvice;
  const setup = await operations.getIrrigationSetup({ moduleId: id });
  return {
    id,
    advice,
    setup,
    ...(advice === null ? await lastReadingOfSeries(now, operations, id) : lastReadingOfAdvice(advice)),
  };
}

const lastReadingOfAdvice = ({ time, reasons }: AdviceBody) => ({
  lastAt: time,
  isSilent: reasons.includes('STALE_DATA') || reasons.includes('NO_DATA'),
});

/** When a station or a tensiometer was last heard of: a short stretch of its series tells. */
async function lastReadingOfSeries(now: number, { getMoistureSeries }: ProbeOperations, moduleId: number) {
  const args = { moduleId, start: toIso(now - MINUTE_MS), maxPoints: 1 };
  const { freshness } = await getMoistureSeries(args);
  return { lastAt: freshness.time, isSilent: !freshness.isFresh };
}

/** What most of the missing doses of a probe lack, by the equipment that was in force when each was given. */
export async function commonestMissingInput(
  { listWaterings }: ProbeOperations,
  setup: IrrigationConfigurationBody,
): Promise<MissingDoseReason> {
  const { count, withoutInstallation } = setup.missingDoses;
  if (2 * withoutInstallation >= count) return 'NO_INSTALLATION';
  const lacks: MissingDoseReason[] = [];
  for await (const page of resultPages((page) => listWaterings({ moduleId: setup.moduleId, ...page }))) {
    const missing = page.filter(({ waterMm, status }) => waterMm === null && status !== 'skipped');
    lacks.push(
      ...missing.map(({ inputMode, startedAt }) => missingDoseReason(inputMode, hasSetupAt(setup, startedAt))),
    );
    if (lacks.length >= count) break;
  }
  return mostCommonReason(lacks);
}

const hasSetupAt = ({ versions }: IrrigationConfigurationBody, at: string): boolean =>
  versions.some(({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo));
