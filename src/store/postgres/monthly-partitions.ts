import type { PostgresConnection } from './connection.ts';
import { LOCK_PARTITIONS } from './locks.ts';
import { rowSecurityPolicies } from './row-security.ts';

/** Years that have a part for each month; what lies before or after them has one part each, however far. */
const FIRST_YEAR = 2000;
const END_YEAR = 2100;
const FIRST_MONTH_AT = Date.UTC(FIRST_YEAR, 0);
const LAST_MONTH_END_AT = Date.UTC(END_YEAR, 0);

/** A part of the readings: those of [from, to) in ms, null for no bound. */
interface Partition {
  readonly name: string;
  readonly from: number | null;
  readonly to: number | null;
}

/** The part that readings of an instant (ms) lie in: a UTC month. */
export function partitionAt(at: number): Partition {
  if (at < FIRST_MONTH_AT) return { name: `readings_before_${FIRST_YEAR}`, from: null, to: FIRST_MONTH_AT };
  if (at >= LAST_MONTH_END_AT) return { name: `readings_from_${END_YEAR}`, from: LAST_MONTH_END_AT, to: null };
  const instant = new Date(at);
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth();
  return {
    name: `readings_${year}_${String(month + 1).padStart(2, '0')}`,
    from: Date.UTC(year, month),
    to: Date.UTC(year, month + 1),
  };
}

const contains = ({ from, to }: Partition, at: number): boolean =>
  (from === null || at >= from) && (to === null || at < to);

/** The start of the month so many after that of an instant, in ms. */
export const monthAfter = (at: number, months: number): number => {
  const instant = new Date(at);
  return Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + months);
};

/** The parts that the readings lie in, a month each: made when they are first needed, and ahead of that by housekeeping. */
export class MonthlyPartitions {
  readonly #known = new Set<string>();

  /** Whether those of these instants (ms) are known to be there. */
  existAt(instants: readonly number[]): boolean {
    return instants.every((at) => this.#known.has(partitionAt(at).name));
  }

  /** Makes the parts that readings at these instants (ms) need, in a transaction that writes. */
  async create(connection: PostgresConnection, instants: Iterable<number>): Promise<void> {
    const needed = new Map<string, Partition>();
    let part: Partition | undefined;
    for (const at of instants) {
      // Mostly that of the one before: to look it up anew would cost an import more than its lines do.
      if (part && contains(part, at)) continue;
      part = partitionAt(at);
      if (!this.#known.has(part.name)) needed.set(part.name, part);
    }
    if (needed.size === 0) return;
    await this.#loadExisting(connection, needed);
    if (needed.size === 0) return;
    // Another transaction may be making the same; it is seen once that has ended.
    await connection.query('all', { text: LOCK_PARTITIONS });
    await this.#loadExisting(connection, needed);
    for (const part of needed.values()) {
      for (const text of partitionStatements(part)) await connection.query('all', { text });
      this.#known.add(part.name);
    }
  }

  /** What was made in a transaction that failed is not there, and a part can be taken away by the owner of the tables. */
  clear(): void {
    this.#known.clear();
  }

  /** Takes from the needed parts those that stand. */
  async #loadExisting(connection: PostgresConnection, needed: Map<string, Partition>): Promise<void> {
    const { rows } = await connection.query<{ name: string }>('all', {
      text: `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'readings'::regclass and c.relname = any($1)`,
      values: [[...needed.keys()]],
    });
    for (const { name } of rows) {
      this.#known.add(name);
      needed.delete(name);
    }
  }
}

/** Attached once it is whole: to be made in place it would need the readings for itself alone. */
const partitionStatements = ({ name, from, to }: Partition): string[] => [
  `create table ${name} (like readings including all)`,
  ...rowSecurityPolicies(name),
  `alter table readings attach partition ${name} for values from (${from ?? 'minvalue'}) to (${to ?? 'maxvalue'})`,
];
