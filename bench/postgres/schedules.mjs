/**
 * Creation of a schedule of 54,000 waterings with their doses on PostgreSQL, by create_schedule of the built server,
 * against inserts of the same rows, a thousand per statement, in one transaction on tables of the same shape.
 */
import { figure, inTurn, rounds } from '../figures.mjs';
import { bringIn } from '../program.mjs';
import { EVENTS, farm, secondsToCreate } from '../schedule-of-parcel.mjs';
import { insertOnce, insertsOf } from './rows.mjs';
import { withServer } from './server.mjs';

await withServer(async ({ empty, copy, drop }) => {
  const stock = await empty();
  await bringIn(stock, farm);
  const database = await copy(stock);
  await secondsToCreate(database);
  const statements = await insertsOf(database, EVENTS);
  const durations = await inTurn(rounds(10), {
    baseline: () => insertOnce(database, statements),
    measured: async () => {
      const db = await copy(stock);
      const seconds = await secondsToCreate(db);
      await drop(db);
      return seconds;
    },
  });
  figure({
    what: 'PostgreSQL: 12 daily start times on a parcel of 50 probes, 90 days (54,000 events), doses included',
    against: 'inserts of the same rows, 1,000 a statement, in one transaction on the same server',
    unit: 's',
    digits: 2,
    ...durations,
    reach: 3,
  });
});
