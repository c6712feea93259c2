import { contradictingRunTime } from '../../domain/irrigation/dose.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import type { OverlappingWatering, Watering } from '../../store/irrigation/waterings.ts';
import { roundAmount } from '../wire-format.ts';

/** The waterings of one call: of one probe, or of a parcel, of which the first that is concerned is described. */
interface Overlap {
  readonly watering: Watering;
  readonly overlapping: readonly OverlappingWatering[];
}

/** The specification refuses inconsistent data only, so an overlapping watering is written. */
export async function noteOverlaps(call: Call, overlaps: readonly Overlap[]): Promise<void> {
  const concerned = overlaps.filter(
    ({ watering, overlapping }) => watering.status !== 'skipped' && overlapping.length > 0,
  );
  const [first] = concerned;
  if (first === undefined) return;
  const [{ id, moduleId, startedAt, durationMin, status }] = first.overlapping as [OverlappingWatering];
  call.note({
    kind: 'overlapping_watering',
    id: first.watering.id,
    other: { id, startedAt, endedAt: durationMin === null ? null : startedAt + durationMin * MINUTE_MS, status },
    probe: await moduleName(call.directory, moduleId),
    others: concerned.reduce((count, { overlapping }) => count + overlapping.length, 0) - 1,
    probes: overlaps.length,
  });
}

/** A volume or depth that the run time contradicts is recorded as entered. */
export async function noteRunTimes(call: Call, waterings: readonly Watering[]): Promise<void> {
  const contradicted = waterings.flatMap((watering) => {
    const run = watering.status === 'skipped' ? null : contradictingRunTime(watering, watering);
    return run === null ? [] : [{ watering, run }];
  });
  const [first] = contradicted;
  if (first === undefined) return;
  const { amount, durationMin, waterMm, moduleId } = first.watering;
  call.note({
    kind: 'run_time_contradicts',
    ...{ amount, durationMin: durationMin!, waterMm: roundAmount(waterMm!) },
    runMm: roundAmount(first.run.waterMm),
    runM3: first.run.volumeM3 === null ? null : roundAmount(first.run.volumeM3),
    probe: await moduleName(call.directory, moduleId),
    others: contradicted.length - 1,
  });
}
