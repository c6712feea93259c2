import { moduleFields, parcelFields } from '../company/company.ts';
import { seasonFields } from '../company/season.ts';
import { ROLES } from '../scope.ts';
import {
  flag,
  instant,
  integer,
  json,
  oneOf,
  real,
  referenceTo,
  sequence,
  text,
} from './column.ts';
import { columnsOf } from './resource-columns.ts';
import { table } from './table.ts';

export const farmTables = {
  users: table(
    { id: sequence, email: text, name: text, role: oneOf(ROLES) },
    {
      isErased: true,
      changes: { kind: 'user', readScope: 'company:read', about: 'farm' },
    },
  ),
  parcels: table(
    {
      ...columnsOf(parcelFields),
      /**
       * JSON: the installation as the last farm file declared it. The same declaration again
       * changes nothing.
       */
      farm_installation: text.orNull,
    },
    {
      describesProbes: true,
      changes: { kind: 'parcel', readScope: 'parcels:read', about: 'farm' },
    },
  ),
  /** The crops of a parcel; the newest counts. */
  seasons: table(
    {
      id: sequence,
      parcel_id: referenceTo('parcels'),
      set_at: instant,
      ...columnsOf(seasonFields),
    },
    { changes: { kind: 'season', readScope: 'parcels:read', about: 'farm' } },
  ),
  /** Canals, wells and pumps that several parcels share. */
  water_sources: table(
    {
      name: text,
      set_at: instant,
      /** Array of SourceVersion, oldest first. */
      versions: json,
    },
    {
      key: ['name'],
      describesProbes: true,
      changes: { kind: 'water_source', readScope: 'readings:read', about: 'farm' },
    },
  ),
  gateways: table(
    {
      id: sequence,
      imei: text,
      serial_hex: text.orNull,
      firmware: text.orNull,
      assigned_at: instant,
      last_seen_at: instant.orNull,
      battery_mv: real.orNull,
      level: integer.orNull,
      lat: real.orNull,
      lon: real.orNull,
    },
    { changes: null },
  ),
  modules: table(
    {
      ...columnsOf(moduleFields),
      parcel_id: referenceTo('parcels').orNull,
      gateway_id: referenceTo('gateways').orNull,
      commissioning_is_assumed: flag.orDefault(1),
      moved_at: instant.orNull,
      farm_installation: text.orNull,
      /**
       * Set while its planned waterings are being deleted in steps. A company's handle does not see
       * such a row.
       */
      removed_at: instant.orNull.unrecorded,
    },
    { describesProbes: true, changes: { kind: 'module', readScope: 'readings:read', about: 'id' } },
  ),
};
