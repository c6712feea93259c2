import { IRRIGATION_SYSTEMS } from '../../domain/irrigation/dose.ts';
import { INPUT_MODES } from '../../domain/irrigation/watering-amount.ts';
import { CONFIRMATION_POLICIES, SCHEDULE_FREQS } from '../irrigation/schedule.ts';
import { EQUIPMENT_SCOPES, WATERING_SOURCES, WATERING_STATUSES } from '../irrigation/watering.ts';
import {
  dose,
  flag,
  instant,
  integer,
  json,
  oneOf,
  partOf,
  real,
  referenceTo,
  sequence,
  text,
} from './column.ts';
import { table } from './table.ts';

export const irrigationTables = {
  installation_versions: table(
    {
      id: sequence,
      scope: oneOf(EQUIPMENT_SCOPES),
      module_id: referenceTo('modules').orNull,
      parcel_id: referenceTo('parcels').orNull,
      system: oneOf(IRRIGATION_SYSTEMS),
      flow_mm_per_h: real.orNull,
      emitter_flow_lph: real.orNull,
      emitters_per_m2: real.orNull,
      fraction_wetted: real,
      fraction_wetted_is_default: flag,
      irrigated_area_m2: real.orNull,
      valid_from: instant,
      valid_to: instant.orNull,
      set_at: instant,
      notes: text.orNull,
    },
    { changes: { kind: 'installation', readScope: 'readings:read', about: 'module_id' } },
  ),
  placements: table(
    {
      module_id: referenceTo('modules'),
      emitter_distance_cm: integer.orNull,
      notes: text.orNull,
      set_at: instant,
    },
    {
      key: ['module_id'],
      changes: { kind: 'placement', readScope: 'readings:read', about: 'module_id' },
    },
  ),
  schedules: table(
    {
      id: sequence,
      target_module_id: referenceTo('modules').orNull,
      target_parcel_id: referenceTo('parcels').orNull,
      label: text.orNull,
      freq: oneOf(SCHEDULE_FREQS),
      interval_days: integer.orNull,
      /** Array of numbers, 1 = Monday. */
      weekdays: json.orNull,
      /** Array of local times HH:MM. */
      start_times: json,
      timezone: text,
      input_mode: oneOf(INPUT_MODES),
      duration_min: integer.orNull,
      input_depth_mm: real.orNull,
      input_volume_m3: real.orNull,
      starts_on: text,
      ends_on: text.orNull,
      confirmation_policy: oneOf(CONFIRMATION_POLICIES),
      /**
       * Past occurrences from this instant on become done without confirmation; null if each waits
       * for its confirmation.
       */
      auto_confirm_from: instant.orNull,
      is_active: flag,
      materialized_until: instant.orNull.unrecorded,
      created_by: integer.orNull,
      created_at: instant,
      /** Set while its planned waterings are being deleted, as in `modules`. */
      removed_at: instant.orNull.unrecorded,
    },
    { changes: { kind: 'schedule', readScope: 'readings:read', about: 'target_module_id' } },
  ),
  waterings: table(
    {
      id: sequence,
      module_id: referenceTo('modules'),
      schedule_id: referenceTo('schedules').orNull,
      is_detached: flag,
      started_at: instant,
      duration_min: integer.orNull,
      input_mode: oneOf(INPUT_MODES),
      input_depth_mm: real.orNull,
      input_volume_m3: real.orNull,
      water_mm: dose.orNull,
      water_mm_wetted: dose.orNull,
      /** The dose's snapshot of the setup; none if `dose_computed_at` is null. */
      dose_installation_id: integer.orNull,
      dose_scope: oneOf(EQUIPMENT_SCOPES).orNull,
      dose_system: oneOf(IRRIGATION_SYSTEMS).orNull,
      dose_flow_mm_per_h: real.orNull,
      dose_fraction_wetted: real.orNull,
      dose_fraction_wetted_is_default: flag,
      dose_irrigated_area_m2: real.orNull,
      dose_computed_at: instant.orNull,
      status: oneOf(WATERING_STATUSES),
      source: oneOf(WATERING_SOURCES),
      verified_at: instant.orNull,
      note: text.orNull,
      created_by: integer.orNull,
      created_at: instant,
      /**
       * Local time of an occurrence ("2026-07-01T06:00"), unique within schedule and probe; null
       * for other waterings.
       */
      scheduled_start: text.orNull.unrecorded,
      /**
       * Shared by the waterings of one irrigation of a whole parcel: the id of the first of them.
       * Null for others.
       */
      irrigation_id: integer.orNull,
      /** Null without a duration. */
      ended_at: instant.orNull.computed,
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
      is_removal: flag.orDefault,
    },
    { key: ['schedule_id', 'module_id'], changes: null },
  ),
};
