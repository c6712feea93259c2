import { padTwo } from '../../domain/calendar.ts';
import type { PostgresConnection } from './connection.ts';
import { LOCK_PARTITIONS } from './locks.ts';
import { rowSecurityPolicies } from './row-security.ts';

/**
 * Each month of these years has a partition. All earlier readings share one, and all later ones.
 */
const FIRST_YEAR = 2000;
const END_YEAR = 2100;
const FIRST_MONTH_AT = Date.UTC(FIRST_YEAR, 0);
const LAST_MONTH_END_AT = Date.UTC(END_YEAR, 0);

interface Partition {
  readonly name: string;
  readonly from: number | null;
  readonly to: number | null;
}

export function partitionAt(at: number): Partition {
  if (at < FIRST_MONTH_AT)
    return { name: `readings_before_${FIRST_YEAR}`, from: null, to: FIRST_MONTH_AT };
  if (at >= LAST_MONTH_END_AT)
    return { name: `readings_from_${END_YEAR}`, from: LAST_MONTH_END_AT, to: null };

  const instant = new Date(at);
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth();

  return {
    name: `readings_${year}_${padTwo(month + 1)}`,
    from: Date.UTC(year, month),
    to: Date.UTC(year, month + 1),
  };
}

const contains = ({ from, to }: Partition, at: number): boolean =>
  (from === null || at >= from) && (to === null || at < to);

/** The start, in UTC, of the month that is `monthsLater` after that of `at`. */
export const startOfMonth = (at: number, monthsLater: number): number => {
  const instant = new Date(at);
  return Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + monthsLater);
};

export class MonthlyPartitions {
  readonly #existing = new Set<string>();

  existAt(instants: readonly number[]): boolean {
    return instants.every((at) => this.#existing.has(partitionAt(at).name));
  }

  /** Creates the partitions that are missing at these instants. */
  async create(connection: PostgresConnection, instants: Iterable<number>): Promise<void> {
    const needed = new Map<string, Partition>();
    let partition: Partition | undefined;

    for (const at of instants) {
      // Usually the previous partition applies; computing it for each reading would slow down an
      // import.
      if (partition && contains(partition, at)) continue;
      partition = partitionAt(at);
      if (!this.#existing.has(partition.name)) needed.set(partition.name, partition);
    }

    if (needed.size === 0) return;

    await this.#loadExisting(connection, needed);
    if (needed.size === 0) return;

    // Another transaction may be creating the same partitions, which are visible once it has
    // released the lock.
    await connection.query('all', { text: LOCK_PARTITIONS });
    await this.#loadExisting(connection, needed);

    for (const missing of needed.values()) {
      for (const text of partitionStatements(missing)) await connection.query('all', { text });
      this.#existing.add(missing.name);
    }
  }

  /**
   * Call it after a failure: partitions that the transaction created are gone, or another program
   * dropped one.
   */
  clear(): void {
    this.#existing.clear();
  }

  async #loadExisting(
    connection: PostgresConnection,
    needed: Map<string, Partition>,
  ): Promise<void> {
    const { rows } = await connection.query<{ name: string }>('all', {
      text: `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'readings'::regclass and c.relname = any($1)`,
      values: [[...needed.keys()]],
    });
    for (const { name } of rows) {
      this.#existing.add(name);
      needed.delete(name);
    }
  }
}

/**
 * Creates and then attaches the table, because `create table … partition of` would lock all
 * readings exclusively.
 */
const partitionStatements = ({ name, from, to }: Partition): string[] => [
  `create table ${name} (like readings including all)`,
  ...rowSecurityPolicies(name),
  `alter table readings attach partition ${name} for values from (${from ?? 'minvalue'}) to (${to ?? 'maxvalue'})`,
];
