import { DefaultQueryExecutor, type Kysely, PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import { handleThrough } from '../dialect.ts';
import { READINGS_WAY, type ReadingsWay } from '../reading-batch.ts';
import type { Tables } from '../tables.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import type { PostgresConnection } from './connection.ts';

const compiler = new PostgresQueryCompiler();

class TransactionAdapter extends PostgresAdapter {
  readonly [READINGS_WAY]: ReadingsWay;

  constructor(way: ReadingsWay) {
    super();
    this[READINGS_WAY] = way;
  }
}

/** A handle over the companies, on a connection in its transaction; `observer` hears of its queries. */
export function handleOn(
  connection: PostgresConnection,
  way: ReadingsWay,
  observer: TransactionObserver | undefined,
): Kysely<Tables> {
  const asked = observer ? observedConnection(connection, observer) : connection;
  return handleThrough<Tables>(
    new DefaultQueryExecutor(compiler, new TransactionAdapter(way), {
      provideConnection: (consumer) => consumer(asked),
    }),
  );
}
