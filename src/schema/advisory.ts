import { z } from 'zod/v3';
import { BACKUP_FAILURES } from '../domain/backups/failures.ts';
import { MEASUREMENT_TYPES } from '../domain/moisture/measurement.ts';
import { clockText, count, fact, id, instantMs, isoDay, quoted } from './advisory-values.ts';
import { alertAdvisories } from './alerts/alert-advisories.ts';
import { changeEffectsBody } from './changes/change.ts';
import { irrigationAdvisories } from './irrigation/irrigation-advisories.ts';
import { moistureAdvisories } from './moisture/moisture-advisories.ts';
import { SCOPES } from './scope.ts';
import { weatherAdvisories } from './weather/weather-advisories.ts';

/**
 * Facts for the summary that the body does not carry. They are rendered when an answer is read, in
 * the reader's language; stored answers and the REST header carry them as JSON.
 */
export const advisory = z.discriminatedUnion('kind', [
  fact('only_probe_of_parcel', { parcel: z.string(), probe: z.string() }),
  fact('name_understood', { text: quoted, name: z.string() }),
  /** `text` as sent, quoted; `clock` as interpreted. */
  fact('skipped_local_time', { text: quoted, clock: clockText }),
  fact('repeated_local_time', { text: quoted, clock: clockText }),

  /**
   * Added to a stored answer: `changeId` is the change that undid it since. Waterings that had begun
   * were left, and with them a new schedule. `isOfStored`: it changed what was stored before, and
   * added nothing.
   */
  fact('undone_since', {
    changeId: id,
    keptWaterings: count.default(0),
    isScheduleKept: z.boolean().default(false),
    isOfStored: z.boolean().default(false),
  }),
  /** Added to a stored answer: what was changed since of the rows that it wrote. */
  fact('changed_since', { effects: changeEffectsBody }),
  fact('sensors_with_readings_kept', {
    sensors: z.array(
      z.object({
        type: z.enum(MEASUREMENT_TYPES),
        depth: z.number().nullable(),
        label: z.string().nullable(),
      }),
    ),
  }),
  /** `earlierReadings`: how many it sent before, which are written now. */
  fact('device_assigned', {
    device: z.string(),
    depths: z.array(z.number()),
    earlierReadings: count,
  }),
  /**
   * `count`: earlier readings that are not those of the module. `withoutSensor`: what the device sends
   * and no sensor of the module measures.
   */
  fact('device_readings_left_out', { count, withoutSensor: z.array(z.string()) }),
  /**
   * `from` and `to`: of what a device has written to a module since its assignment, and an undo takes
   * back. `waitingCount`: how many of them wait for the next assignment of the device, or, if
   * `isAssigned` because the undo assigns it to what it measured before, for its next message.
   */
  fact('device_readings_taken_back', {
    device: z.string(),
    module: z.string(),
    isAssigned: z.boolean(),
    count,
    waitingCount: count,
    from: instantMs,
    to: instantMs,
  }),
  /** For a module whose device was assigned there until an undo. */
  fact('device_readings_stay', { module: z.string(), from: instantMs, to: instantMs }),
  /** For a module without a gateway; null if it never sent any. */
  fact('last_reading', { at: instantMs.nullable() }),
  fact('device_status', {
    device: z.string(),
    lastSeenAt: instantMs,
    batteryPercent: z.number().nullable(),
    batteryV: z.number().nullable(),
    rssi: z.number().nullable(),
    snr: z.number().nullable(),
  }),
  /** `newest`: the newest reading of each kind. `others`: how many more devices. */
  fact('unassigned_devices', {
    devices: z.array(
      z.object({
        device: z.string(),
        newest: z.array(z.object({ type: z.string(), value: z.number() })),
      }),
    ),
    others: count,
  }),
  /**
   * `reason`: why the newest message gave nothing, or, if `isReadInPart`, why a value in it was left
   * out. `others`: how many more senders.
   */
  fact('unread_messages', {
    sender: z.string(),
    reason: z.string(),
    isReadInPart: z.boolean().default(false),
    others: count,
  }),
  /** `problem`: why the last copy of the store failed, or where the copies are. */
  fact('backup_notice', {
    problem: z.enum([...BACKUP_FAILURES, 'same_disk']),
    copiedAt: instantMs.nullable(),
    isServed: z.boolean().default(true),
  }),
  /** Where such messages are in the list of unread ones. */
  fact('messages_read_in_part', { positions: z.array(count) }),
  /** Newest readings that no soil explains. `others`: how many more sensors. */
  fact('doubtful_temperatures', {
    sensors: z.array(
      z.object({ probe: z.string(), depth: z.number().nullable(), celsius: z.number() }),
    ),
    others: count,
  }),
  /** `scopes` are those that would show the rows of the change. */
  fact('rows_withheld', { scopes: z.array(z.enum(SCOPES)) }),
  /** After an undo. `waterings`: the first ones; without any, the key may not read waterings. */
  fact('begun_waterings_kept', {
    waterings: z.array(z.object({ id, probe: z.string().nullable(), startedAt: instantMs })),
    count,
    isScheduleKept: z.boolean(),
  }),
  fact('similar_name', { tool: z.enum(['set_parcel', 'set_module']), existing: z.string() }),
  fact('total', { count }),
  fact('roots_of_probes_differ', { count }),
  /** Of each probe of the parcel that has a root depth of its own. */
  fact('roots_of_earlier_crop', { rootDepthsCm: z.array(z.number()) }),
  fact('harvest_ahead', { day: isoDay }),

  ...moistureAdvisories,
  ...alertAdvisories,
  ...irrigationAdvisories,
  ...weatherAdvisories,
]);
export type Advisory = z.output<typeof advisory>;

/** False for a promise, which may no longer hold when a stored answer is repeated. */
export const holdsLater = (advisory: Advisory): boolean =>
  advisory.kind !== 'means_of_notice' || advisory.mail !== 'leaves';

/** Skips what is not an advisory, such as a kind that only another program knows. */
export function parseAdvisories(value: unknown): Advisory[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => advisory.safeParse(item).data ?? []);
}
