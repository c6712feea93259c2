import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, connectStdio, firstText, startStdioServer } from '../mcp-session.ts';
import { type Json, runProgram, waitUntil } from '../program.ts';
import { connectRaw } from '../raw-server.ts';
import { startRestService } from '../rest-service.ts';

// Waterings of a parcel that has no probe, through the built program.

const PARCEL = 'Terrace';
const AT = '2026-07-01T04:00:00.000Z';
const run = { startedAt: AT, inputMode: 'duration', durationMin: 60 };

type Call = (name: string, args?: Json) => Promise<Json>;

async function addParcel(call: Call): Promise<number> {
  const { parcel } = bodyOf(await call('set_parcel', { name: PARCEL }));
  // 6 mm/h.
  await call('set_parcel_installation', { parcel: PARCEL, system: 'sprinkler', flowMmPerH: 6 });
  return parcel.id;
}

/** What a person says of it, by the tools alone. */
async function expectConversation(call: Call): Promise<void> {
  const logged = await call('log_watering', { parcel: PARCEL, ...run });
  expect(firstText(logged)).toMatch(/^Logged 1 h of sprinkler on Terrace, .*6 mm over the whole/);
  const { ofParcel } = bodyOf(logged);
  const eventId = ofParcel.event.id;

  const corrected = await call('correct_watering', { eventId, durationMin: 90, note: 'twice' });
  expect(firstText(corrected)).toContain('The watering on Terrace');
  expect(bodyOf(corrected).event).toMatchObject({ id: eventId, waterMm: 9, note: 'twice' });
  // A time of day is read from the stored start.
  const moved = await call('correct_watering', { eventId, startedAt: '05:00' });
  expect(bodyOf(moved).event.startedAt).toBe('2026-07-01T03:00:00.000Z');

  const listed = await call('list_waterings', { parcel: PARCEL });
  expect(firstText(listed)).toContain('1 watering of a parcel without a probe');
  expect(bodyOf(listed)).toMatchObject({
    data: [],
    ofParcels: { data: [{ id: eventId }] },
  });

  await call('undo');
  const { ofParcels } = bodyOf(await call('list_waterings', { parcel: PARCEL }));
  expect(ofParcels.data[0]).toMatchObject({ startedAt: AT, waterMm: 9 });

  const unknown = await call('correct_watering', { eventId: 9999, status: 'skipped' });
  expect(firstText(unknown)).toContain('no such watering');

  const planned = await call('create_schedule', {
    parcel: PARCEL,
    freq: 'daily',
    startTimes: ['06:00'],
    durationMin: 30,
  });
  expect(firstText(planned)).toContain('waterings planned in the next 90 days');
}

describe('a watering of a parcel without a probe', () => {
  it('is asked about in the morning, gets its dose with the area, and is said beside others', async () => {
    const db = await newBaseFarm();
    const first = await connectStdio(db);
    await addParcel(first.call);
    const volume = {
      parcel: PARCEL,
      startedAt: AT,
      inputMode: 'volume_m3',
      inputVolumeM3: '30 m3',
    };
    expect(firstText(await first.call('log_watering', volume))).toContain('no dose yet');
    const sized = await first.call('set_parcel', { name: PARCEL, areaM2: '1 ha' });
    expect(firstText(sized)).toContain('1 missing dose was completed.');
    const { ofParcels } = bodyOf(await first.call('list_waterings', { parcel: PARCEL }));
    // 30,000 L on 10,000 m2.
    expect(ofParcels.data).toMatchObject([{ waterMm: 3 }]);

    const evening = { parcel: PARCEL, ...run, startedAt: '2026-07-01T18:00:00.000Z' };
    await first.call('log_watering', evening);
    await first.client.close();

    const { call } = await connectStdio(db, { clock: '2026-07-02T05:00:00.000Z' });
    const brief = await call('morning_brief');
    expect(firstText(brief)).toContain('Did the watering planned on Terrace yesterday 20:00 run?');
    const [asked] = bodyOf(brief).toConfirm;
    await call('correct_watering', { eventId: asked.eventId, status: 'done' });
    expect(bodyOf(await call('morning_brief')).toConfirm).toEqual([]);

    await call('set_module', { name: 'Terrace 1', parcel: PARCEL, sensors: ['humidity 20'] });
    const again = await call('log_watering', {
      module: 'Terrace 1',
      ...run,
      startedAt: '2026-07-01T18:30:00Z',
    });
    expect(firstText(again)).toContain('It overlaps another watering of Terrace');
    const { waterings } = bodyOf(await call('review_waterings', { module: 'Terrace 1' }));
    expect(waterings.map(({ eventId }: Json) => eventId)).toContain(asked.eventId);
  });

  it('is logged, corrected, listed and taken back by an assistant', async () => {
    const { client, call } = await connectStdio(await newBaseFarm());
    await client.listTools();
    await addParcel(call);
    await expectConversation(call);
  });

  it('is so with a service elsewhere too', async () => {
    const service = await startRestService();
    const key = await service.newKey();
    const { call } = await startStdioServer(['--remote', service.base], { ACEQUIA_API_KEY: key });
    await addParcel(call);
    await expectConversation(call);
  });

  it('is in no answer with events over REST', async () => {
    const { request, newKey, db } = await startRestService();
    const { call } = await connectStdio(db);
    const parcelId = await addParcel(call);
    const key = await newKey();
    const body = { ...run, startedAt: AT };
    const logged = await request('POST', `/parcels/${parcelId}/irrigation/events`, { key, body });
    expect(logged).toMatchObject({
      status: 201,
      body: {
        count: 0,
        waterings: [],
        ofParcel: { event: { parcelId, waterMm: 6, source: 'api' } },
      },
    });
    const { id } = logged.body.ofParcel.event;

    expect((await request('GET', '/irrigation/events', { key })).body.data).toEqual([]);
    for (const method of ['GET', 'PATCH'])
      expect(
        await request(
          method,
          `/irrigation/events/${id}`,
          method === 'GET' ? { key } : { key, body },
        ),
      ).toMatchObject({ status: 404, body: { code: 'EVENT_NOT_FOUND' } });

    const own = `/irrigation/parcel-events/${id}`;
    const moved = { ...body, durationMin: 30 };
    expect(await request('PATCH', own, { key, body: moved })).toMatchObject({
      status: 200,
      body: { event: { waterMm: 3 } },
    });
    expect((await request('GET', own, { key })).body.event).toMatchObject({ waterMm: 3 });
    expect((await request('GET', '/irrigation/parcel-events', { key })).body).toMatchObject({
      data: [{ id, parcelId }],
      next_cursor: null,
    });
  });

  it('is written by two processes at once, and the second is told of the first', async () => {
    const db = await newBaseFarm();
    const [one, two] = [await connectStdio(db), await connectStdio(db)];
    await addParcel(one.call);
    const texts = (
      await Promise.all(
        [one, two].map(({ call }) => call('log_watering', { parcel: PARCEL, ...run })),
      )
    ).map(firstText);
    const warned = texts.filter((text) => text.includes('overlaps another watering of Terrace'));
    expect(warned).toHaveLength(1);
    const { ofParcels } = bodyOf(await one.call('list_waterings', { parcel: PARCEL }));
    expect(ofParcels.data).toHaveLength(2);
  });

  it('goes along with an export and a copy', async () => {
    const db = await newBaseFarm();
    const { call, client } = await connectStdio(db);
    await addParcel(call);
    await call('log_watering', { parcel: PARCEL, ...run });
    const folder = await newFolder();
    const [exported, imported, copied] = ['farm', 'imported.db', 'copied.db'].map((name) =>
      join(folder, name),
    );
    await client.close();
    await runProgram('export', exported!, '--db', db);
    await runProgram('import', exported!, '--db', imported!);
    await runProgram('copy', '--to', copied!, '--db', db);
    for (const place of [imported!, copied!]) {
      const next = await connectStdio(place);
      const { ofParcels } = bodyOf(await next.call('list_waterings', { parcel: PARCEL }));
      expect(ofParcels.data).toMatchObject([{ waterMm: 6 }]);
      // Ids go on where they ended.
      const { event } = bodyOf(await next.call('log_watering', { module: 'North 1', ...run }));
      expect(event.id).toBeGreaterThan(ofParcels.data[0].id);
    }
  });

  it.each([1, 20])('is stored whole or not at all after a kill at %i answers', async (count) => {
    const db = await newBaseFarm();
    const first = await connectStdio(db);
    await addParcel(first.call);
    await first.client.close();

    const raw = await connectRaw(db);
    for (let n = 0; n < 100; n++)
      raw.call('log_watering', {
        parcel: PARCEL,
        ...run,
        startedAt: new Date(Date.parse(AT) - n * 86_400_000).toISOString(),
        detail: 'full',
      });
    const answers = (): Json[] =>
      raw.lines.map((line) => JSON.parse(line)).filter(({ id }) => id > 1);
    await waitUntil(() => answers().length >= count);
    raw.child.kill('SIGKILL');
    await raw.ended;

    const service = await connectStdio(db);
    const { ofParcels } = bodyOf(
      await service.call('list_waterings', { parcel: PARCEL, limit: 200, detail: 'full' }),
    );
    const stored = new Map(ofParcels.data.map((event: Json) => [event.id, event]));
    for (const { result } of answers()) {
      const { event } = bodyOf(result).ofParcel;
      expect(stored.get(event.id)).toEqual(event);
    }
    for (const event of stored.values())
      expect(event).toMatchObject({ waterMm: 6, configSnapshot: { flowMmPerH: 6 } });
  });
});
