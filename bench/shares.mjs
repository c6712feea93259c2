/** A row for each scarce thing and each way to take all of it: see shares/measure-shares.mjs. */
import { title, withDatabases } from './databases.mjs';
import { importFarm } from './program.mjs';
import { ATTACKS } from './shares/attacks.mjs';
import { FARMS, measureShares, P99_MS, STEP_MS } from './shares/measure-shares.mjs';

const ms = (value) => `${value.toFixed(0)} ms`;

await withDatabases(async ({ empty }) => {
  const db = await empty();
  for (const farm of FARMS) await importFarm(db, farm, { options: ['--new-company'] });

  const things = process.argv.slice(2).filter((name) => name in ATTACKS);
  for await (const measured of measureShares(db, things)) {
    if (process.argv.includes('--raw')) {
      console.log(JSON.stringify(measured));
      continue;
    }

    const { thing, way, idle, attacked } = measured;
    const row = (name, target) =>
      console.log(
        JSON.stringify({
          what: `${title}${thing}, taken the ${way} way: ${name}`,
          against: 'the same call while nobody else calls',
          baseline: ms(idle[name]),
          measured: ms(attacked[name]),
          ratio: Number((attacked[name] / idle[name]).toFixed(1)),
          target,
        }),
      );
    row('p50', `at most 3x and ${STEP_MS} ms`);
    row('p99', `at most 3x or ${P99_MS} ms`);
  }
});
