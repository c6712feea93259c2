import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { viewPostgresStore } from '../../../src/store/postgres/view.ts';
import { CompanyScope } from '../../../src/store/scope/company-scope.ts';
import { companyTables } from '../../../src/store/scope/company-scope-rules.ts';
import type { Store } from '../../../src/store/store.ts';
import { fillFarm } from '../sample-rows.ts';
import { record } from '../stored-readings.ts';
import { server, withDatabase } from '../temporary-stores.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Queries reach the server unchanged, so only its policies apply. */
const disableQueryScope = () =>
  vi.spyOn(CompanyScope.prototype, 'narrow').mockImplementation((node) => node);

const withTwoFarms = (body: (store: Store, db: string) => Promise<void>) =>
  withDatabase(async (store, db) => {
    await store.write(1, (each) => fillFarm(each, 'ours'));
    await store.write(2, (each) => fillFarm(each, 'theirs'));
    await body(store, db);
  });

const storedText = (store: Store, companyId: number) =>
  store.readAll(async (all) => {
    const rows = [];
    for (const table of companyTables) {
      const row = sql`to_jsonb(${sql.table(table)})`;
      const ofCompany = sql`select ${row} as row from ${sql.table(table)} where company_id = ${companyId}`;
      rows.push((await sql`${ofCompany} order by 1`.execute(all)).rows);
    }
    return JSON.stringify(rows);
  });

type Untyped = import('kysely').Kysely<Record<string, Record<string, unknown>>>;

describe.skipIf(server === null)('without the narrowing of queries', () => {
  it('a company reads only its own rows, in every table', () =>
    withTwoFarms(async (store) => {
      disableQueryScope();
      await store.read(1, async (db) => {
        for (const table of companyTables) {
          const rows = await (db as unknown as Untyped).selectFrom(table).selectAll().execute();
          expect(rows.length, table).toBeGreaterThan(0);
          expect(JSON.stringify(rows), table).not.toContain('theirs');
        }
        expect(
          await (db as unknown as Untyped).selectFrom('companies').select('name').execute(),
        ).toEqual([{ name: 'Mas Rouge' }]);
      });
    }));

  it('a company changes only its own rows', () =>
    withTwoFarms(async (store) => {
      const other = await storedText(store, 2);
      disableQueryScope();
      await store.write(1, async (db) => {
        await db.updateTable('waterings').set({ note: 'changed' }).execute();
        await db.updateTable('readings').set({ value: 0 }).execute();
        await db.deleteFrom('placements').execute();
      });
      vi.restoreAllMocks();
      expect(await storedText(store, 2)).toBe(other);
      expect(await storedText(store, 1)).toContain('changed');
    }));

  it('a company cannot give a row to another company', () =>
    withTwoFarms(async (store) => {
      disableQueryScope();
      const adding = store.write(1, (db) =>
        (db as unknown as Untyped)
          .insertInto('parcels')
          .values({ name: 'x', company_id: 2 })
          .execute(),
      );
      await expect(adding).rejects.toThrow(/row-level security/);
    }));

  it('a company handle in a transaction over all companies stays confined between other queries', () =>
    withTwoFarms(async (store) => {
      disableQueryScope();
      await store.readAll(async (all) => {
        const notes = async (companyId: number) => {
          const rows = await store
            .scopeToCompany(all, companyId)
            .selectFrom('waterings')
            .select('note')
            .distinct()
            .execute();
          return rows.map(({ note }) => note);
        };
        expect(await notes(1)).toEqual(['ours']);
        expect(await all.selectFrom('waterings').select('note').distinct().execute()).toHaveLength(
          2,
        );
        expect(await notes(2)).toEqual(['theirs']);
        // At once, on the only connection.
        expect(await Promise.all([1, 2, 1].map(notes))).toEqual([['ours'], ['theirs'], ['ours']]);
        const streamed = [];
        for await (const { note } of store
          .scopeToCompany(all, 1)
          .selectFrom('waterings')
          .select('note')
          .stream(1))
          streamed.push(note, ...(await notes(2)));
        expect(streamed).toEqual(['ours', 'theirs', 'ours', 'theirs']);
      });
    }));
});

describe.skipIf(server === null)('row-level security', () => {
  it('covers every table of a company and every partition of readings', () =>
    withTwoFarms(async (store) => {
      await record(store, [[1, Date.UTC(2026, 6, 1), 1]]);
      const { rows } = await store.readAll((all) =>
        sql<{ name: string }>`select relname as name from pg_class c
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
            and (not relforcerowsecurity or not relrowsecurity
              or not exists (select 1 from pg_policy where polrelid = c.oid))`.execute(all),
      );
      const ofAll = [
        'backup_folders',
        'job_rounds',
        'kysely_migration',
        'kysely_migration_lock',
        'leases',
        'secrets',
      ];
      expect(rows.map(({ name }) => name).sort()).toEqual(ofAll);
    }));

  it('does not apply to a superuser, which the view of the database reports', () =>
    withTwoFarms(async (_, db) => {
      const admin = Object.assign(new URL(server!.adminUrl), {
        pathname: new URL(db).pathname,
      }).href;
      for (const [url, bypassesPolicies] of [
        [db, false],
        [admin, true],
      ] as const) {
        // An external server may have only one role.
        if (url === admin && server!.adminUrl === server!.url) continue;
        const view = await viewPostgresStore(url);
        expect(view.facts.bypassesRowSecurity).toBe(bypassesPolicies);
        expect(view.state).toBe('current');
        await view.close();
      }
    }));
});
