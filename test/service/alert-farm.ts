import type { AlertStateBody, ToldAlertBody, WatchedAlertBody } from '../../src/schema/alert.ts';
import { recordReadings } from '../../src/store/readings.ts';
import type { Answer, Asking, Farm } from '../farm.ts';
import type { Probe } from './series-farm.ts';

/** Readings of one sending, by sensor: an instant and a value each. */
export type Sending = readonly (readonly [sensor: number, at: number, value: number])[];

/** Writes readings of a probe in one transaction. */
export const send = (farm: Farm, probe: Probe, readings: Sending): Promise<void> =>
  farm.write((db) =>
    recordReadings(db, {
      sensorIds: readings.map(([sensor]) => probe.sensorIds[sensor]!),
      at: readings.map(([, at]) => at),
      values: readings.map(([, , value]) => value),
      length: readings.length,
    }),
  );

/** The same value from every sensor at an instant. */
export const alike = (probe: Probe, at: number, value: number): Sending =>
  probe.sensorIds.map((_, sensor) => [sensor, at, value] as const);

/** Sends the same value from every sensor, with the farm's clock at that instant, and has the housekeeping come by. */
export async function live(farm: Farm, probe: Probe, at: number, value: number): Promise<void> {
  farm.now = at;
  await send(farm, probe, alike(probe, at, value));
  await farm.tick();
}

/** Watches the probe "Oak" below 20 %, until 25 %, but for what the test says. */
export const arm = (farm: Farm, fields: object = {}, asking?: Asking): Promise<Answer<ToldAlertBody>> =>
  farm.tool('create_alert', { module: 'Oak', threshold: 20, ...fields }, asking);

export const change = (farm: Farm, { id }: { id: string }, fields: object): Promise<Answer<WatchedAlertBody>> =>
  farm.tool('update_alert', { alertId: id, ...fields });

export const listed = (farm: Farm, args: Record<string, unknown> = {}) =>
  farm.tool<{ data: WatchedAlertBody[]; next_cursor: string | null }>('list_alerts', args);

/** How the only alert stands. */
export const standing = async (farm: Farm): Promise<AlertStateBody | null> => (await listed(farm)).data[0]!.state;

/** What the recipients were told, in order. */
export const told = (farm: Farm): Promise<string[]> =>
  farm.write(async (db) =>
    (await db.selectFrom('outbox').select('kind').orderBy('seq').execute()).map(({ kind }) => kind),
  );

/** The record: start, end and lowest of each episode, in order. */
export const episodes = (farm: Farm) =>
  farm.write(async (db) =>
    (await db.selectFrom('alert_episodes').select(['start_at', 'end_at', 'lowest']).orderBy('start_at').execute()).map(
      ({ start_at, end_at, lowest }) => [start_at, end_at, lowest] as const,
    ),
  );
