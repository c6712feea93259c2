import type { WateringBody } from '../../../src/schema/irrigation/watering.ts';
import { importBaseFarm } from '../../base-farm.ts';
import { rowsOf } from '../../stores/stores.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import { iso } from '../../time.ts';
import { bodyOf, connectStdio, type McpSession } from '../mcp-session.ts';
import { type CommandResult, type Json, runCommand } from '../program.ts';

/** A Tuesday, 10:00 in Europe/Paris. The clocks go forward on 2026-03-29. */
export const SCHEDULE_NOW = Date.UTC(2026, 2, 10, 9);

export function scheduleFarmWith(
  fill: (session: McpSession) => Promise<unknown>,
): () => Promise<string> {
  const filled = templateStore(async (db) => {
    await importBaseFarm(db);
    const session = await connectStdio(db, { clock: iso(SCHEDULE_NOW) });
    await fill(session);
    await session.client.close();
  });
  return async () => copyOfStore(await filled());
}

export const createDailySchedule = async (
  { call }: McpSession,
  fields: Record<string, unknown> = {},
): Promise<Json> =>
  bodyOf(
    await call('create_schedule', {
      module: 'North 1',
      freq: 'daily',
      startTimes: ['06:00'],
      timezone: 'Europe/Paris',
      startsOn: '2026-03-11',
      inputMode: 'duration',
      durationMin: 30,
      ...fields,
    }),
  );

export async function firstOccurrences(
  { call }: McpSession,
  scheduleId: number,
): Promise<WateringBody[]> {
  const to = iso(SCHEDULE_NOW + 3 * 86_400_000);
  return bodyOf(await call('list_waterings', { scheduleId, to, limit: 200 })).data.reverse();
}

export const occurrenceRows = async (db: string): Promise<string[]> =>
  (
    await rowsOf(
      db,
      `select schedule_id, module_id, scheduled_start, started_at, duration_min, input_mode, input_depth_mm, water_mm, water_mm_wetted,
         dose_installation_id, status, is_detached, source, verified_at, note
       from waterings where schedule_id is not null order by schedule_id, module_id, scheduled_start, started_at`,
    )
  ).map((row) => JSON.stringify(row));

export const tick = (db: string, now: number, ...options: string[]): Promise<CommandResult> =>
  runCommand(['tick', '--db', db, '--clock', iso(now), ...options]);

/** Occurrences added, occurrences done, idempotency records removed. */
export const figuresOf = ({ stdout }: CommandResult): number[] =>
  [...stdout.matchAll(/\d+/g)].map(Number);

export const leases = (db: string): Promise<unknown[]> => rowsOf(db, 'select * from leases');
