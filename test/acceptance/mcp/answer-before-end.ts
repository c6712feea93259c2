import { expect } from 'vitest';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { bodyOf } from '../mcp-session.ts';
import { connectRaw } from '../raw-server.ts';
import { countWaterings } from '../rest/raw-requests.ts';

export async function expectAnswerBeforeEnd(signal: NodeJS.Signals): Promise<void> {
  const db = await newBaseFarm();
  const raw = await connectRaw(db);
  await raw.answer(raw.call('get_company', {}));
  const id = raw.call('log_watering', WATERING);
  // A later request is answered before the signal, so the call has been read.
  await raw.answer(raw.send('ping'));
  raw.child.kill(signal);
  expect(bodyOf((await raw.answer(id)).result).event.waterMm).toBe(2.4);
  expect(await raw.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(await countWaterings(db)).toBe(1);
}
