import { probesVersion } from '../store/changes/change-counts.ts';
import { companyIdOf } from '../store/scope/company-db.ts';
import type { CompanyDb } from '../store/tables.ts';

interface CacheOptions<T> {
  readonly maxSize: number;
  /** In the unit of `maxSize`. */
  sizeOf(value: T): number;
}

interface CachedValue<T> {
  readonly version: string;
  readonly value: T;
}

/**
 * What was read of the probes of companies, until any process changes some of them. The least
 * recently used value leaves first; one that is larger than `maxSize` is cached alone.
 */
export class ProbesCache<T> {
  readonly #options: CacheOptions<T>;
  readonly #cached = new Map<string, CachedValue<T>>();
  #size = 0;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  /** `key` distinguishes the values of a company. */
  async load(db: CompanyDb, key: string | number, read: () => Promise<T>): Promise<T> {
    const version = await probesVersion(db);
    if (version === null) return read();

    const id = `${companyIdOf(db)} ${key}`;
    const cached = this.#cached.get(id);
    const isCurrent = cached?.version === version;
    const value = isCurrent ? cached.value : await read();
    this.#set(id, { version, value });
    return value;
  }

  #set(id: string, added: CachedValue<T>): void {
    this.#delete(id);
    this.#cached.set(id, added);
    this.#size += this.#options.sizeOf(added.value);

    for (const oldest of this.#cached.keys()) {
      if (this.#size <= this.#options.maxSize || oldest === id) return;
      this.#delete(oldest);
    }
  }

  #delete(id: string): void {
    const cached = this.#cached.get(id);
    if (cached === undefined) return;
    this.#cached.delete(id);
    this.#size -= this.#options.sizeOf(cached.value);
  }
}
