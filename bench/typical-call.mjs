import { Client } from './client.mjs';
import { median } from './figures.mjs';

const USUAL = { warmUp: 1500, calls: 1000 };

/**
 * Median of the calls of a new server, one after the other, in ms, once it has warmed up. Every round of a benchmark takes
 * a new server: how the system places a process stays with it for life and changes the figure.
 */
export async function typicalCall(argv, call, { warmUp, calls } = USUAL) {
  const client = await new Client(argv).open();
  for (let i = 0; i < warmUp; i++) await call(client, i);
  const taken = [];
  for (let i = 0; i < calls; i++) {
    const begun = performance.now();
    await call(client, i);
    taken.push(performance.now() - begun);
  }
  await client.kill();
  return median(taken);
}
