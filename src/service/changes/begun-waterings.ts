import { visibleDirectory } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import { mayReadRow } from '../../operation/replay/change-bodies.ts';
import {
  type ScheduledWatering,
  wateringsOfSchedulesSince,
} from '../../store/changes/later-uses.ts';
import { scheduleById } from '../../store/irrigation/schedules.ts';
import type { ChangedRow } from '../../store/scope/recorded-rows.ts';
import { bringUpToDate } from '../irrigation/planning/schedule-progress.ts';
import { changesOccurrences, type RecordedChange } from './undo-conflicts.ts';

const MAX_NAMED = 3;

/**
 * Waterings of a schedule that began since the change stay: water has run. A schedule that the
 * change added then stays too, stopped, because they refer to it. Tells what stays.
 */
export async function withBegunWateringsKept(
  call: Call,
  change: RecordedChange,
): Promise<RecordedChange> {
  const rows: ChangedRow[] = [];
  const kept: ScheduledWatering[] = [];
  let isScheduleKept = false;

  for (const row of change.rows) {
    const begun = row.table === 'schedules' ? await begunWaterings(call, change, row) : [];
    const isKept = row.before === null && row.after !== null && begun.length > 0;
    rows.push(isKept ? { ...row, before: { ...row.after, is_active: 0 } } : row);
    kept.push(...begun);
    isScheduleKept ||= isKept;
  }

  if (kept.length > 0) await adviseOfKept(call, kept, isScheduleKept);
  return { ...change, rows };
}

async function begunWaterings(
  call: Call,
  change: RecordedChange,
  row: ChangedRow,
): Promise<ScheduledWatering[]> {
  const isAdded = row.before === null;
  const schedule = await scheduleById(call.db, Number(row.key));
  if (!schedule || !(isAdded || changesOccurrences(row))) return [];

  await bringUpToDate(call, schedule);
  const since = isAdded ? Number.MIN_SAFE_INTEGER : change.at;
  const waterings = await wateringsOfSchedulesSince(call.db, [schedule.id], since, call.now);
  return waterings.filter(({ startedAt }) => startedAt <= call.now);
}

async function adviseOfKept(
  call: Call,
  kept: readonly ScheduledWatering[],
  isScheduleKept: boolean,
): Promise<void> {
  const named = mayReadRow(call.caller, { table: 'waterings' })
    ? kept.toSorted((a, b) => a.startedAt - b.startedAt || a.id - b.id).slice(0, MAX_NAMED)
    : [];
  const directory = visibleDirectory(call.directory);
  const modules = await directory.modules();
  const parcels = await directory.parcels();
  const nameOf = ({ moduleId, parcelId }: ScheduledWatering): string | null =>
    moduleId === null
      ? (parcels.find(({ id }) => id === parcelId)?.name ?? null)
      : (modules.find(({ id }) => id === moduleId)?.name ?? null);
  call.advise({
    kind: 'begun_waterings_kept',
    waterings: named.map((watering) => ({
      id: watering.id,
      probe: nameOf(watering),
      startedAt: watering.startedAt,
    })),
    count: kept.length,
    isScheduleKept,
  });
}
