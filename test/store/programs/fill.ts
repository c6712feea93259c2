// Records batches of readings until one is refused, then shows what still works. One JSON object on
// standard output. node fill.mjs <file>
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import { openStore } from '../../../src/store/store.ts';

const rows = 2000;
const problem = (error: { code?: string; status?: number; message?: string; hint?: string }) => ({
  code: error.code,
  status: error.status,
  message: error.message,
  hint: error.hint,
});

const result: Record<string, unknown> = {};
try {
  const store = await openStore({ db: process.argv[2] ?? '' });
  await store.writeAll((db) => db.insertInto('companies').values({ name: 'Mas Rouge' }).execute());
  let recorded = 0;
  for (let batch = 0; batch < 100 && !result.refusal; batch++) {
    const at = Float64Array.from({ length: rows }, (_, i) => (batch * rows + i) * 900_000);
    const write = store.write(1, (db) =>
      recordReadings(db, {
        sensorIds: new Float64Array(rows).fill(1),
        at,
        values: new Float64Array(rows).fill(batch),
        length: rows,
      }),
    );
    await write.then(
      () => {
        recorded += rows;
      },
      (error) => {
        result.refusal = problem(error);
      },
    );
  }
  result.recorded = recorded;
  result.readings = await store.read(1, async (db) => ({
    rows: (
      await db
        .selectFrom('readings')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
    inHours: (
      await db
        .selectFrom('reading_hours')
        .select((eb) => eb.fn.sum<number>('count').as('n'))
        .executeTakeFirstOrThrow()
    ).n,
    inDays: (
      await db
        .selectFrom('reading_days')
        .select((eb) => eb.fn.sum<number>('count').as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  }));
  await store.close();
} catch (error) {
  result.opening = problem(error as Error);
}
process.stdout.write(`${JSON.stringify(result)}\n`);
