import { describe, expect, it } from 'vitest';
import { callTold, longFarm, progressIn, SCHEDULE } from './long-calls.ts';
import { bodyOf, type Raw, wired } from './program.ts';

const PATIENT = 120_000;
const farm = longFarm();

/** Every message of progress came before the answer, and told of more than the one before. */
function expectRising(raw: Raw, id: number): void {
  const messages = raw.lines.map((line) => JSON.parse(line));
  const answered = messages.findIndex((message) => message.id === id);
  expect(messages.findLastIndex(({ method }) => method === 'notifications/progress')).toBeLessThan(answered);
  const told = progressIn(raw).map(({ progress }) => progress);
  expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
}

describe('a call that lasts', () => {
  it('tells how many probes a brief has looked at, of how many', { timeout: PATIENT }, async () => {
    const raw = await wired(farm.db);
    await raw.answer(raw.call('get_company', {}));
    const begun = performance.now();
    const id = callTold(raw, 'morning_brief', {});
    bodyOf((await raw.answer(id)).result);
    const told = progressIn(raw);
    // A machine on which it takes less tells nothing, rightly.
    if (performance.now() - begun > 2_500)
      expect(told.filter(({ total }) => total !== undefined).length).toBeGreaterThan(0);
    for (const { progressToken, progress, total } of told) {
      expect(progressToken).toBe('of morning_brief');
      if (total !== undefined) expect(progress).toBeLessThanOrEqual(total);
    }
    expectRising(raw, id);
  });

  it('tells that it goes on where it has no steps', { timeout: PATIENT }, async () => {
    const raw = await wired(farm.db);
    const id = callTold(raw, 'create_schedule', SCHEDULE);
    bodyOf((await raw.answer(id)).result);
    expect(progressIn(raw)[0]).toMatchObject({ progressToken: 'of create_schedule', progress: 1 });
    expectRising(raw, id);
  });

  it('tells nothing to who did not ask', { timeout: PATIENT }, async () => {
    const raw = await wired(farm.db);
    bodyOf((await raw.answer(raw.call('morning_brief', {}))).result);
    expect(progressIn(raw)).toEqual([]);
  });
});

it('a call that is answered at once tells nothing', async () => {
  const raw = await wired(farm.db);
  await raw.answer(raw.call('get_company', {}));
  await raw.answer(callTold(raw, 'get_company', {}));
  expect(progressIn(raw)).toEqual([]);
});
