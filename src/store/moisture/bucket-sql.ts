import { type RawBuilder, sql } from 'kysely';

/** The start of the bucket that contains a column's instant, aligned to 1970 UTC. Before 1970 a remainder is negative. */
export function bucketStartSql(column: 'at' | 'bucket_at', bucketMs: number | RawBuilder<number>): RawBuilder<number> {
  const at = sql.ref<number>(column);
  return sql<number>`${at} - (${at} % ${bucketMs} + ${bucketMs}) % ${bucketMs}`;
}
