import { firstOf } from '../../domain/items.ts';
import { withClient } from './pool.ts';

const PARTITIONS = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'readings'::regclass order by c.relname`;

/** One partition after the other, so that the readings of other months can be written meanwhile. */
export const compactDatabase = (url: string) =>
  withClient(url, async (client) => {
    const size = async (): Promise<number> => {
      const query = 'select pg_database_size(current_database()) as bytes';
      return Number(firstOf((await client.query<{ bytes: string }>(query)).rows).bytes);
    };

    await client.query('set statement_timeout = 0');
    const before = await size();
    const { rows } = await client.query<{ name: string }>(PARTITIONS);
    for (const { name } of rows) await client.query(`vacuum (full, analyze) ${name}`);
    return { before, after: await size() };
  });
