import type { PendingWork } from '../../operation/call.ts';
import type { ChangedRow } from '../../store/scope/recorded-rows.ts';
import {
  ofCompany,
  ofSchedule,
  ofTarget,
  pendingWaterings,
} from '../irrigation/planning/pending-waterings.ts';

/**
 * The waterings that follow from these rows, whose schedules are brought up to date before an undo.
 */
export function affectedWaterings(rows: readonly ChangedRow[]): readonly PendingWork[] {
  if (rows.some(({ table }) => table === 'modules')) return [pendingWaterings(ofCompany)];

  const works = new Map<string, PendingWork>();
  for (const { table, key, before, after } of rows) {
    const { schedule_id, module_id, parcel_id } = (after ?? before)!;
    if (table === 'schedules' || (table === 'waterings' && schedule_id != null)) {
      const id = Number(table === 'schedules' ? key : schedule_id);
      works.set(`schedule ${id}`, pendingWaterings(ofSchedule(id)));
    }
    if (table === 'installation_versions') {
      const target = { moduleId: numberOrNull(module_id), parcelId: numberOrNull(parcel_id) };
      works.set(JSON.stringify(target), pendingWaterings(ofTarget(target)));
    }
  }
  // A call begins again after each of its works that was pending, and only so many times.
  return works.size > 1 ? [pendingWaterings(ofCompany)] : [...works.values()];
}

const numberOrNull = (value: unknown): number | null => (value == null ? null : Number(value));
