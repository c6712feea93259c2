import { describe, expect, it } from 'vitest';
import { bodyOf } from '../mcp-session.ts';
import { connectRaw, type RawServer } from '../raw-server.ts';
import { callWithProgress, LONG_SCHEDULE, progressNotices, sharedLongFarm } from './long-calls.ts';

const LONG_TIMEOUT_MS = 120_000;
const farm = sharedLongFarm();

/** Every message of progress came before the answer, and told of more than the one before. */
function expectRising(raw: RawServer, id: number): void {
  const messages = raw.lines.map((line) => JSON.parse(line));
  const answered = messages.findIndex((message) => message.id === id);
  expect(messages.findLastIndex(({ method }) => method === 'notifications/progress')).toBeLessThan(answered);
  const told = progressNotices(raw).map(({ progress }) => progress);
  expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
}

describe('a call that lasts', () => {
  it('tells how many probes a brief has looked at, of how many', { timeout: LONG_TIMEOUT_MS }, async () => {
    const raw = await connectRaw(farm.db);
    await raw.answer(raw.call('get_company', {}));
    const begun = performance.now();
    const id = callWithProgress(raw, 'morning_brief', {});
    bodyOf((await raw.answer(id)).result);
    const told = progressNotices(raw);
    // A machine on which it takes less tells nothing, rightly.
    if (performance.now() - begun > 2_500)
      expect(told.filter(({ total }) => total !== undefined).length).toBeGreaterThan(0);
    for (const { progressToken, progress, total } of told) {
      expect(progressToken).toBe('of morning_brief');
      if (total !== undefined) expect(progress).toBeLessThanOrEqual(total);
    }
    expectRising(raw, id);
  });

  it('tells that it goes on where it has no steps', { timeout: LONG_TIMEOUT_MS }, async () => {
    const raw = await connectRaw(farm.db);
    const id = callWithProgress(raw, 'create_schedule', LONG_SCHEDULE);
    bodyOf((await raw.answer(id)).result);
    expect(progressNotices(raw)[0]).toMatchObject({ progressToken: 'of create_schedule', progress: 1 });
    expectRising(raw, id);
  });

  it('tells nothing to who did not ask', { timeout: LONG_TIMEOUT_MS }, async () => {
    const raw = await connectRaw(farm.db);
    bodyOf((await raw.answer(raw.call('morning_brief', {}))).result);
    expect(progressNotices(raw)).toEqual([]);
  });
});

it('a call that is answered at once tells nothing', async () => {
  const raw = await connectRaw(farm.db);
  await raw.answer(raw.call('get_company', {}));
  await raw.answer(callWithProgress(raw, 'get_company', {}));
  expect(progressNotices(raw)).toEqual([]);
});
