import { expect, it } from 'vitest';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { bodyOf, connectStdio, startStdioServer } from '../mcp-session.ts';
import { CLOCK, type Json } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';

const NOTE = 'the gate was left open';

it('a key that may not read waterings sees that one was logged, over every surface', async () => {
  const db = await newBaseFarm();
  const { call } = await connectStdio(db);
  await call('log_watering', { ...WATERING, note: NOTE });
  const service = await serveStoreForTest(db, '--clock', CLOCK);
  const { key: reader } = await createTestKey(db, '--scopes', 'company:read');
  const env = { ACEQUIA_API_KEY: reader };

  const local = await startStdioServer(['--db', db, '--clock', CLOCK], env);
  const remote = await startStdioServer(['--remote', service.base], env);
  const answers = [
    bodyOf(await local.call('list_changes')),
    bodyOf(await remote.call('list_changes')),
    (await service.request('GET', '/changes', { key: reader })).body,
  ];
  for (const answer of answers) {
    expect(answer.data[0]).toMatchObject({ operation: 'log_watering', effects: { rows: [] } });
    expect(answer.data[0].effects.counts).toEqual({ 'watering added': 1 });
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${NOTE}|North 1`));
  }
  const fromTools = answers.slice(0, 2).map(({ summary, next }: Json) => ({ summary, next }));
  const says = {
    summary: expect.stringContaining('Some changed values are not shown'),
    next: expect.stringContaining('readings:read'),
  };
  expect(fromTools).toEqual([says, says]);

  const { key: all } = await createTestKey(db);
  const whole = await service.request('GET', '/changes', { key: all });
  expect(JSON.stringify(whole.body)).toContain(NOTE);
});
