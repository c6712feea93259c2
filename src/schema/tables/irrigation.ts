import { placementFields, versionFields } from '../irrigation/installation.ts';
import { scheduleFields } from '../irrigation/schedule.ts';
import { wateringFields } from '../irrigation/watering.ts';
import {
  flag,
  instant,
  integer,
  json,
  oneOf,
  partOf,
  referenceTo,
  sequence,
  text,
} from './column.ts';
import { columnsOf } from './resource-columns.ts';
import { table } from './table.ts';

/**
 * `recorded`: all but planned occurrences after the change, whose doses follow from their schedule.
 * `of_parcel`: those that share the volume of a whole parcel.
 */
const PENDING_WATERINGS = ['recorded', 'all', 'of_parcel'] as const;
export type PendingWaterings = (typeof PENDING_WATERINGS)[number];

export const irrigationTables = {
  installation_versions: table(
    {
      ...columnsOf(versionFields),
      module_id: referenceTo('modules').orNull,
      parcel_id: referenceTo('parcels').orNull,
    },
    { changes: { kind: 'installation', readScope: 'readings:read', about: 'module_id' } },
  ),
  placements: table(
    { module_id: referenceTo('modules'), ...columnsOf(placementFields) },
    {
      key: ['module_id'],
      changes: { kind: 'placement', readScope: 'readings:read', about: 'module_id' },
    },
  ),
  schedules: table(
    {
      ...columnsOf(scheduleFields),
      target_module_id: referenceTo('modules').orNull,
      target_parcel_id: referenceTo('parcels').orNull,
      materialized_until: instant.orNull.unrecorded,
      /** Set while its planned waterings are being deleted, as in `modules`. */
      removed_at: instant.orNull.unrecorded,
    },
    { changes: { kind: 'schedule', readScope: 'readings:read', about: 'target_module_id' } },
  ),
  /**
   * The note of an irrigation of a whole parcel, to which its waterings refer. It stays when these
   * are deleted: the record of changes refers to it too.
   */
  irrigation_notes: table(
    { id: sequence, note: text },
    { isAppendOnly: true, keepsCompany: false, changes: null },
  ),
  waterings: table(
    {
      ...columnsOf(wateringFields),
      /** Either the module or the parcel is null. */
      module_id: referenceTo('modules').orNull,
      parcel_id: referenceTo('parcels').orNull.unenforced,
      schedule_id: referenceTo('schedules').orNull.unenforced,
      scheduled_start: text.orNull.unrecorded,
      note_id: referenceTo('irrigation_notes').orNull.unenforced,
      /**
       * Of a watering of two hours or more that was not skipped: its node in the interval tree
       * (store/irrigation/overlapping-waterings.ts). Null for others.
       */
      interval_node: instant.orNull.computed,
    },
    { changes: { kind: 'watering', readScope: 'readings:read', about: 'module_id' } },
  ),
  /**
   * Pending regenerations: changes of a schedule that its occurrences on a module do not have yet.
   */
  pending_plans: table(
    {
      schedule_id: partOf('schedules'),
      module_id: partOf('modules'),
      changed_at: instant,
      /** Start of the first occurrence that may be added; null if only doses change. */
      regenerate_from: instant.orNull,
      /** Array of pairs of local times HH:MM: before and after the change. */
      moved_start_times: json,
      /** All waterings of the schedule on the module are to be deleted. */
      is_removal: flag.orDefault(0),
    },
    { key: ['schedule_id', 'module_id'], changes: null },
  ),
  /** Probes with past waterings that changed equipment gives a dose, and that do not have it yet. */
  pending_doses: table(
    {
      module_id: partOf('modules'),
      /** The change to which the doses belong; null for an import, which records none. */
      change_id: integer.orNull,
      changed_at: instant,
      waterings: oneOf(PENDING_WATERINGS),
      /** The last watering that was read. */
      after_started_at: instant.orNull,
      after_id: integer.orNull,
    },
    { key: ['module_id'], changes: null },
  ),
};
