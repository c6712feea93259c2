import type { PendingWork } from '../../operation/call.ts';
import type { ChangedRow } from '../../store/scope/recorded-rows.ts';
import {
  type FindAffected,
  ofAll,
  ofCompany,
  ofSchedule,
  ofTarget,
  pendingWaterings,
} from '../irrigation/planning/pending-waterings.ts';

/**
 * The pending waterings on which an undo of these rows depends: those of their schedules and of the
 * probes of their equipment. A probe that is moved or removed may change the doses of others.
 */
export function affectedWaterings(rows: readonly ChangedRow[]): readonly PendingWork[] {
  if (rows.some(({ table }) => table === 'modules')) return [pendingWaterings(ofCompany)];

  const finds = new Map<string, FindAffected>();
  for (const { table, key, before, after } of rows) {
    const { schedule_id, module_id, parcel_id } = (after ?? before)!;
    if (table === 'schedules' || (table === 'waterings' && schedule_id != null)) {
      const id = Number(table === 'schedules' ? key : schedule_id);
      finds.set(`schedule ${id}`, ofSchedule(id));
    }
    if (table === 'installation_versions') {
      const target = { moduleId: numberOrNull(module_id), parcelId: numberOrNull(parcel_id) };
      finds.set(JSON.stringify(target), ofTarget(target));
    }
  }
  if (finds.size > 1) return [pendingWaterings(ofAll([...finds.values()]))];
  return [...finds.values()].map(pendingWaterings);
}

const numberOrNull = (value: unknown): number | null => (value == null ? null : Number(value));
