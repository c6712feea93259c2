import { Client } from './client.mjs';
import { median } from './figures.mjs';

const USUAL = { warmUp: 1500, calls: 1000 };

/**
 * Median of consecutive calls of a new server, in ms, once it has warmed up. Every round starts a new server, because
 * where the system places a process changes the figure.
 */
export async function typicalCall(argv, call, { warmUp, calls } = USUAL) {
  const client = await new Client(argv).open();
  for (let i = 0; i < warmUp; i++) await call(client, i);
  const times = [];
  for (let i = 0; i < calls; i++) {
    const begun = performance.now();
    await call(client, i);
    times.push(performance.now() - begun);
  }
  await client.kill();
  return median(times);
}
