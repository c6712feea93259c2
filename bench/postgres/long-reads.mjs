/** The longest reads of one key on PostgreSQL, as in bench/long-reads.mjs. */
import { figureLongReads } from '../http/long-reads.mjs';
import { bringYears } from '../year-of-depths.mjs';
import { withServer } from './server.mjs';

await withServer(async ({ empty }) => {
  const db = await empty();
  await bringYears(db, 10, [10, 20, 30, 45, 60, 90]);
  await figureLongReads(db, 'PostgreSQL: ');
});
