// Writes two rows and increments a shared counter again and again, and reports each commit. node
// hammer.mjs <file> <name> <times>
import { openStore } from '../../../src/store/store.ts';

const [file = '', name = '', times = '0'] = process.argv.slice(2);
const store = await openStore({ db: file });

const companyId = await store.writeAll(async (db) => {
  await db
    .insertInto('companies')
    .values({ name: 'Mas Rouge' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await db.selectFrom('companies').select('id').executeTakeFirstOrThrow()).id;
});

for (let i = 1; i <= Number(times); i++) {
  await store.write(companyId, async (db) => {
    const { id } = await db
      .insertInto('parcels')
      .values({ name: `${name} ${i}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('soil_layers')
      .values({
        parcel_id: id,
        soil_horizon_id: 7,
        depth_top_cm: 0,
        depth_bottom_cm: 60,
        started_at: i,
      })
      .execute();
    const counter = await db.selectFrom('gateways').select('battery_mv').executeTakeFirst();
    const next = (counter?.battery_mv ?? 0) + 1;
    await db
      .insertInto('gateways')
      .values({ imei: 'counter', assigned_at: 0, battery_mv: next })
      .onConflict((conflict) => conflict.column('imei').doUpdateSet({ battery_mv: next }))
      .execute();
  });
  await store.read(companyId, (db) => db.selectFrom('parcels').selectAll().execute());
  process.stdout.write(`${i}\n`);
}
await store.close();
