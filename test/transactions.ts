import { vi } from 'vitest';
import type { TransactionOptions } from '../src/store/store-interface.ts';
import type { TestFarm } from './farm.ts';

/** Lets the process die after the transaction of the call and `steps` further ones. */
export async function dyingAfterCommit<T>(
  farm: TestFarm,
  body: () => Promise<T>,
  steps = 0,
): Promise<T> {
  const { write } = farm.store;
  let remaining = steps;
  const spy = vi.spyOn(farm.store, 'write').mockImplementation((...args) => {
    if (remaining === 0) return Promise.reject(new Error('The process is gone'));
    remaining--;
    return write.apply(farm.store, args) as never;
  });
  try {
    return await body();
  } finally {
    spy.mockRestore();
  }
}

/** Returns what `measure` gives after each write transaction of `body`. */
export async function afterEachTransaction<T>(
  farm: TestFarm,
  measure: () => Promise<T>,
  body: () => Promise<unknown>,
): Promise<T[]> {
  const found: T[] = [];
  const measured = async (written: Promise<unknown>): Promise<never> => {
    const result = await written;
    found.push(await measure());
    return result as never;
  };
  const { write, writeUnscoped } = farm.store;
  const spies = [
    vi
      .spyOn(farm.store, 'write')
      .mockImplementation((...args) => measured(write.apply(farm.store, args))),
    vi
      .spyOn(farm.store, 'writeUnscoped')
      .mockImplementation((...args) => measured(writeUnscoped.apply(farm.store, args))),
  ];
  try {
    await body();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return found;
}

/** The statements of each transaction of `body` that calls and jobs write with. */
export async function statementsOfWrites(
  farm: TestFarm,
  body: () => Promise<unknown>,
): Promise<string[][]> {
  const transactions: string[][] = [];
  const recorded = (): TransactionOptions => {
    const statements: string[] = [];
    transactions.push(statements);
    const onQuery = (sql: string) => void statements.push(sql);
    return { observer: { onConnectionAcquired() {}, onBegin() {}, onQuery } };
  };
  const { writeUnscoped } = farm.store;
  const spy = vi
    .spyOn(farm.store, 'writeUnscoped')
    .mockImplementation(
      (companyId, write, options) =>
        writeUnscoped.call(farm.store, companyId, write, { ...options, ...recorded() }) as never,
    );
  try {
    await body();
  } finally {
    spy.mockRestore();
  }
  return transactions;
}

/** The statements of all transactions of `body`, reads and writes. */
export async function statementsOf(
  farm: TestFarm,
  body: () => Promise<unknown>,
): Promise<string[]> {
  const reads: string[] = [];
  const onQuery = (sql: string) => void reads.push(sql);
  const observer = { onConnectionAcquired() {}, onBegin() {}, onQuery };
  const { readAll } = farm.store;
  const spy = vi
    .spyOn(farm.store, 'readAll')
    .mockImplementation(
      (read, options) => readAll.call(farm.store, read, { ...options, observer }) as never,
    );
  try {
    const writes = await statementsOfWrites(farm, body);
    return [...reads, ...writes.flat()];
  } finally {
    spy.mockRestore();
  }
}
