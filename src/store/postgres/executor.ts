import { DefaultQueryExecutor, type Kysely, PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import { databaseOn } from '../dialect.ts';
import { BULK_READINGS, type BulkReadings } from '../reading-batch.ts';
import type { Tables } from '../tables.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import type { PostgresConnection } from './connection.ts';

const compiler = new PostgresQueryCompiler();

class BulkReadingsAdapter extends PostgresAdapter {
  readonly [BULK_READINGS]: BulkReadings;

  constructor(way: BulkReadings) {
    super();
    this[BULK_READINGS] = way;
  }
}

/** A handle over the companies, on a connection in its transaction; `observer` hears of its queries. */
export function databaseOnConnection(
  connection: PostgresConnection,
  way: BulkReadings,
  observer: TransactionObserver | undefined,
): Kysely<Tables> {
  const asked = observer ? observedConnection(connection, observer) : connection;
  return databaseOn<Tables>(
    new DefaultQueryExecutor(compiler, new BulkReadingsAdapter(way), {
      provideConnection: (consumer) => consumer(asked),
    }),
  );
}
