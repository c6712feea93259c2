/**
 * What the longest reads of one key do to others, with ten years of six depths at 15 minutes in the store: how long one
 * such read holds the event loop, and how long `/health` and a small read of another key take at p99 while the first key
 * repeats it on 20 connections.
 */
import { join } from 'node:path';
import { figureLongReads } from './http/long-reads.mjs';
import { inFolder } from './program.mjs';
import { bringYears } from './year-of-depths.mjs';

await inFolder(async (folder) => {
  const db = join(folder, 'ten-years.db');
  await bringYears(db, 10, [10, 20, 30, 45, 60, 90]);
  await figureLongReads(db);
});
