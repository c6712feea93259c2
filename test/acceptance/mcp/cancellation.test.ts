import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../stores/stores.ts';
import { bodyOf, refusalOf } from '../mcp-session.ts';
import { connectRaw, type RawServer } from '../raw-server.ts';
import { cancelCall, isAnswered, LONG_BACKTEST, LONG_SCHEDULE, sharedLongFarm } from './long-calls.ts';

const LONG_TIMEOUT_MS = 120_000;
const farm = sharedLongFarm();

/** How many rows the tables hold that the calls write to, read past every server. */
const writtenRows = (db: string): Promise<unknown[]> =>
  rowsOf(
    db,
    `select (select count(*) from waterings) as waterings, (select count(*) from schedules) as schedules,
       (select count(*) from idempotency) as calls`,
  );

/** Time from here to the answer of a call, in ms. */
async function timeCall(raw: RawServer, name: string, args: object): Promise<number> {
  const begun = performance.now();
  bodyOf((await raw.answer(raw.call(name, args))).result);
  return performance.now() - begun;
}

describe('a call that is cancelled', () => {
  it('while it writes leaves nothing written and gets no answer, and the next write goes ahead', {
    timeout: LONG_TIMEOUT_MS,
  }, async () => {
    const raw = await connectRaw(farm.db);
    const before = await writtenRows(farm.db);
    const id = raw.call('create_schedule', { ...LONG_SCHEDULE, idempotencyKey: 'cancelled' });
    await pause(300);
    expect(isAnswered(raw, id)).toBe(false);
    cancelCall(raw, id);
    // What is written takes turns: it could not be answered while the other went on.
    const placement = { module: 'Probe 1', emitterDistanceCm: 10 };
    bodyOf((await raw.answer(raw.call('set_module_placement', placement))).result);
    expect(await writtenRows(farm.db)).toEqual(before);
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
    expect(isAnswered(raw, id)).toBe(false);
    expect(await writtenRows(farm.db)).toEqual(before);
  });

  it('while it reads makes room for the next read long before it would have ended', {
    timeout: LONG_TIMEOUT_MS,
  }, async () => {
    const raw = await connectRaw(farm.db);
    await raw.answer(raw.call('get_company', {}));
    const whole = await timeCall(raw, 'morning_brief', {});
    const cancelled: number[] = [];
    const waited: number[] = [];
    // A busy machine makes some of them slow, a call that goes on makes all of them so.
    for (let n = 0; n < 3; n++) {
      const id = raw.call('morning_brief', {});
      await pause(whole / 4);
      cancelCall(raw, id);
      waited.push(await timeCall(raw, 'list_parcels', {}));
      cancelled.push(id);
    }
    expect(Math.min(...waited)).toBeLessThan(whole / 5);
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
    expect(cancelled.filter((id) => isAnswered(raw, id))).toEqual([]);
  });

  it('before its turn has come is not begun', { timeout: LONG_TIMEOUT_MS }, async () => {
    const raw = await connectRaw(farm.db);
    const before = await writtenRows(farm.db);
    const first = raw.call('morning_brief', {});
    const waiting = raw.call('create_schedule', LONG_SCHEDULE);
    const backtest = raw.call('backtest_alert', LONG_BACKTEST);
    for (const id of [waiting, backtest, first]) cancelCall(raw, id);
    bodyOf((await raw.answer(raw.call('list_parcels', {}))).result);
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
    expect([first, waiting, backtest].filter((id) => isAnswered(raw, id))).toEqual([]);
    expect(await writtenRows(farm.db)).toEqual(before);
  });

  it('is not told of as a failure, and one that follows it under its key is written', {
    timeout: LONG_TIMEOUT_MS,
  }, async () => {
    const raw = await connectRaw(farm.db);
    const sent = { ...LONG_SCHEDULE, startTimes: ['06:00'], idempotencyKey: 'again' };
    const id = raw.call('create_schedule', sent);
    cancelCall(raw, id);
    const { result } = await raw.answer(raw.call('create_schedule', sent));
    expect(bodyOf(result).startTimes).toEqual(['06:00']);
    expect(result._meta).toBeUndefined();
    const { id: scheduleId } = bodyOf(result);
    bodyOf((await raw.answer(raw.call('update_schedule', { scheduleId, isActive: false }))).result);
  });
});

it('the message that cancels what is answered already changes nothing', async () => {
  const raw = await connectRaw(farm.db);
  const id = raw.call('get_company', {});
  await raw.answer(id);
  cancelCall(raw, id);
  cancelCall(raw, 4711);
  expect(refusalOf((await raw.answer(raw.call('get_module', { module: 'none' }))).result).status).toBe(404);
});
