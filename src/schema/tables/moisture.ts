import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { settingFields } from '../moisture/setting-fields.ts';
import {
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
import { columnsOf } from './resource-columns.ts';
import { table } from './table.ts';

/**
 * Sums per hour or day, which starts at `bucket_at`, in UTC. Always computed from the readings, never
 * incremented.
 */
const readingSums = table(
  { sensor_id: partOf('sensors'), bucket_at: instant, count: integer, sum: real },
  { key: ['sensor_id', 'bucket_at'], isStandalone: true, changes: null },
);

export const moistureTables = {
  probe_settings: table(
    {
      module_id: referenceTo('modules'),
      valid_from: instant,
      set_at: instant,
      ...columnsOf(settingFields),
    },
    {
      key: ['module_id', 'valid_from'],
      describesProbes: true,
      changes: { kind: 'settings', readScope: 'readings:read', about: 'module_id' },
    },
  ),
  /** They hold for the probes of the parcel that have none of their own. */
  parcel_settings: table(
    {
      parcel_id: referenceTo('parcels'),
      valid_from: instant,
      set_at: instant,
      ...columnsOf(settingFields),
    },
    {
      key: ['parcel_id', 'valid_from'],
      describesProbes: true,
      changes: { kind: 'settings', readScope: 'readings:read', about: 'farm' },
    },
  ),
  sensors: table(
    {
      id: sequence,
      module_id: referenceTo('modules'),
      type: oneOf(MEASUREMENT_TYPES),
      /** In cm; 0 is the surface. */
      depth: real.orNull,
      label: text.orNull,
      /** Array of Calibration, oldest first; null: it shows what it reads. */
      calibration: json.orNull,
    },
    {
      describesProbes: true,
      changes: { kind: 'sensor', readScope: 'readings:read', about: 'module_id' },
    },
  ),
  soil_layers: table(
    {
      id: sequence,
      parcel_id: referenceTo('parcels'),
      soil_horizon_id: integer,
      depth_top_cm: integer,
      depth_bottom_cm: integer,
      started_at: instant,
      ended_at: instant.orNull,
    },
    {
      describesProbes: true,
      changes: { kind: 'soil_layer', readScope: 'agronomy:read', about: 'farm' },
    },
  ),
  readings: table(
    { sensor_id: referenceTo('sensors'), at: instant, value: real },
    { key: ['sensor_id', 'at'], isStandalone: true, changes: null },
  ),
  /**
   * From when on single readings are kept, one row for a company that has let earlier ones go: of
   * those only the sums of their hours and days are left. It begins with a day of the company's zone.
   */
  reading_retention: table(
    {
      kept_from: instant,
      /** The zone of the company then; null once there were two. */
      day_zone: text.orNull,
    },
    { key: [], keepsCompany: false, describesProbes: true, changes: null },
  ),
  reading_hours: readingSums,
  reading_days: readingSums,
  /** Days of the company's zone, which may have 23 or 25 hours. */
  reading_local_days: readingSums,
  /** New with each change of the readings of a module. */
  reading_versions: table(
    { module_id: integer, version: text },
    { key: ['module_id'], isStandalone: true, keepsCompany: false, changes: null },
  ),
  /** The zone of `reading_local_days`, one row for each company. */
  local_day_zones: table(
    {
      zone: text,
      /** The sums of sensors from this id on may still be in an earlier zone; null: none are. */
      next_sensor_id: integer.orNull,
    },
    { key: [], keepsCompany: false, changes: null },
  ),
};
