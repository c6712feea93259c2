import {
  flag,
  instant,
  integer,
  json,
  partOfText,
  real,
  referenceTo,
  sequence,
  text,
} from './column.ts';
import { table } from './table.ts';

export const ingestTables = {
  /** Devices that send readings under a name of their own, such as an EUI-64. */
  devices: table(
    {
      name: text,
      /** Null until the device is assigned. */
      module_id: referenceTo('modules').orNull,
      /** Array of depths in cm, from the top. */
      depths: json.orNull,
      /** The measurements that a person chose for its fields; null if none can be chosen. */
      fields: json.orNull,
      first_seen_at: instant,
    },
    {
      key: ['name'],
      changes: { kind: 'device', readScope: 'readings:read', about: 'module_id' },
    },
  ),
  /** The last status that a device reported. */
  device_status: table(
    {
      device: text,
      last_seen_at: instant,
      /** The device's last payload before it was assigned, shortened. */
      payload: text.orNull,
      battery_percent: real.orNull,
      battery_v: real.orNull,
      /** EUI-64 of the gateway with the best reception. */
      gateway: text.orNull,
      /** In dBm. */
      rssi: real.orNull,
      /** In dB. */
      snr: real.orNull,
      /** The key or command that first sent readings of the device; null if unknown. */
      sender: text.orNull,
      /**
       * The preset or network by whose messages it is known, and since its assignment the only one.
       * Null if unknown.
       */
      source: text.orNull,
      /** The network and model, where the network names it and no preset reads the device. */
      model: text.orNull,
      /**
       * When a list first showed the device to somebody, or a person assigned it; null if nobody
       * has seen it.
       */
      listed_at: instant.orNull,
      /** The running total of a rain gauge; null for a device without one. */
      rain_counter: json.orNull,
    },
    { key: ['device'], changes: null },
  ),
  /** Readings of unassigned devices. Lists of changes have the change of the device instead. */
  device_readings: table(
    {
      id: sequence.unrecorded,
      device: partOfText('devices'),
      at: instant,
      /** A measurement, "rain", or a measure of a weather station. */
      type: text,
      /** The index in the depths of the device; null if the reading names its depth, or has none. */
      position: integer.orNull,
      depth_cm: real.orNull,
      /** How long the rain fell; null for other readings, and where it is unknown. */
      minutes: real.orNull,
      /** Set for the rain since midnight. */
      is_day_total: flag,
      value: real,
    },
    {
      key: ['at', 'device', 'type', 'position', 'depth_cm', 'minutes', 'is_day_total'],
      changes: { kind: null, readScope: 'readings:read', about: 'farm' },
    },
  ),
  /** The fields that a person chose for a device, for the next one of its model. */
  device_models: table(
    { model: text, fields: json, depths: json },
    {
      key: ['model'],
      changes: { kind: null, readScope: 'readings:read', about: 'farm' },
    },
  ),
  /** The times in which an assigned device writes to a sensor (domain/ingest/device-periods.ts). */
  device_periods: table(
    {
      id: sequence,
      device: text,
      sensor_id: integer,
      /** When the device first wrote since its assignment. */
      started_at: instant,
      from_at: instant,
      first_at: instant,
      until_at: instant.orNull,
      early_at: instant.orNull,
      is_shared: flag,
      /** Set while the readings are being deleted, because the assignment was undone. */
      undone_assignment: json.orNull,
    },
    { isCounted: false, changes: null },
  ),
  /** The newest messages of each sender that gave nothing. */
  unread_messages: table(
    {
      /** The device where the message names one, else what the message came by. */
      sender: text,
      received_at: instant,
      /** The preset or map of a webhook, or a topic; null if unknown. */
      via: text.orNull,
      /** JSON of a code and a text; stores of earlier versions have the text alone. */
      reason: text,
      /** Shortened; null where it may hold a secret. */
      payload: text.orNull,
    },
    { key: ['sender', 'received_at'], changes: null },
  ),
  /**
   * The instant up to which the readings of a device were fetched from the cloud of its provider.
   */
  pull_marks: table(
    { provider: text, device: text, pulled_until: instant },
    { key: ['provider', 'device'], isCounted: false, changes: null },
  ),
};
