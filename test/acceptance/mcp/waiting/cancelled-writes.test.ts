import { describe, expect, it } from 'vitest';
import { isDeepRun } from '../../../property-runs.ts';
import { withSecondStore } from '../../../stores/stores.ts';
import { bodyOf } from '../../mcp-session.ts';
import type { Json } from '../../program.ts';
import { sharedRestService } from '../../rest-service.ts';
import { CONNECTION_KINDS, type Connection, sharedConnection } from '../eras/connections.ts';

const service = sharedRestService();

/** So many that the planned waterings are stored in several transactions. */
const PROBES = 16;
const START_TIMES = Array.from(
  { length: 12 },
  (_, index) => `${String(index + 6).padStart(2, '0')}:15`,
);

async function largeParcel(call: Connection['call'], parcel: string): Promise<number> {
  const { parcel: stored } = bodyOf(await call('set_parcel', { name: parcel }));
  const sensors = ['humidity 20'];
  for (let number = 1; number <= PROBES; number++)
    bodyOf(await call('set_module', { name: `${parcel} ${number}`, parcel, sensors }));
  return stored.id;
}

/** Counts what is stored of a parcel, as another process sees it. */
const storedOf = (parcelId: number): Promise<{ schedules: number; waterings: number }> =>
  withSecondStore(service().db, (store) =>
    store.readAll(async (all) => {
      const schedules = await all
        .selectFrom('schedules')
        .select('id')
        .where('target_parcel_id', '=', parcelId)
        .execute();
      const waterings = await all
        .selectFrom('waterings')
        .innerJoin('modules', 'modules.id', 'waterings.module_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('modules.parcel_id', '=', parcelId)
        .executeTakeFirstOrThrow();
      return { schedules: schedules.length, waterings: Number(waterings.count) };
    }),
  );

/** Each transport and each era at least once; deep runs have every pair. */
const KINDS = isDeepRun
  ? CONNECTION_KINDS
  : CONNECTION_KINDS.filter(
      ({ transport, revision }) => (transport === 'HTTP') === (revision === '2026-07-28'),
    );

describe.each(KINDS)('a long write over $transport in $revision', (kind) => {
  const connection = sharedConnection(service, kind);

  it('leaves nothing if it is cancelled after its first commit, and runs again with its key', async () => {
    const { client, call } = connection;
    const parcel = `Long ${kind.transport} ${kind.revision}`;
    const parcelId = await largeParcel(call, parcel);
    const schedule = {
      parcel,
      freq: 'daily',
      startTimes: START_TIMES,
      inputMode: 'depth_mm',
      inputDepthMm: 1,
      idempotencyKey: parcel,
    };
    const controller = new AbortController();
    const cancelled = client
      .callTool({ name: 'create_schedule', arguments: schedule }, { signal: controller.signal })
      .then(
        (result: Json) => result,
        (error) => error,
      );
    await expect.poll(() => storedOf(parcelId), { interval: 20 }).toMatchObject({ schedules: 1 });
    controller.abort();
    expect(await cancelled).toBeInstanceOf(Error);
    await expect
      .poll(() => storedOf(parcelId), { timeout: 20_000 })
      .toEqual({ schedules: 0, waterings: 0 });
    const { data } = bodyOf(await call('list_changes', { limit: 2 }));
    expect(data.map(({ operation }: Json) => operation)).toEqual(['undo', 'create_schedule']);

    const again = await call('create_schedule', { ...schedule, startTimes: ['06:15'] });
    expect(bodyOf(again).startTimes).toEqual(['06:15']);
    expect((await storedOf(parcelId)).schedules).toBe(1);
  });
});
