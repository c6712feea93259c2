import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/domain/periods.ts';
import { NO_COMPANY } from '../../../src/operation/authorization.ts';
import { type LongRead, LongReads } from '../../../src/operation/reads/long-reads.ts';

import listChanges from '../../../tools/changes/list-changes.ts';

const NOW = Date.UTC(2026, 6, 1, 10);

function longRead(
  changes: Partial<LongRead> & { scopes?: readonly 'readings:read'[]; company?: number } = {},
) {
  const { scopes = ['readings:read'], company = 1, ...rest } = changes;
  const caller = { id: 'key 1', companyId: company, userId: 1, role: 'VIEWER' as const, scopes };
  return {
    operation: 'farm_overview',
    input: { limit: 50 },
    advisories: [],
    identity: { caller, company: { ...NO_COMPANY, id: company } },
    now: NOW,
    lang: undefined,
    pageUrl: undefined,
    storeKind: undefined,
    changeCount: 7,
    ...rest,
  } satisfies LongRead;
}

/** Counts what is computed, and answers with the number of the computation. */
function countingReads() {
  const computed: LongRead[] = [];
  const run = async (read: LongRead) => {
    computed.push(read);
    const json = String(computed.length);
    await new Promise((resolve) => setImmediate(resolve));
    return { json, advisories: [], picture: undefined };
  };
  const reads = new LongReads(run, { places: 4 });
  const answer = async (read: LongRead, signal?: AbortSignal) =>
    (await reads.answer(read, { signal, onPlace: undefined })).json;
  return { computed, answer };
}

it('computes one answer for all who ask the same, also while it is being computed', async () => {
  const { computed, answer } = countingReads();
  const readers = Array.from({ length: 8 }, () => answer(longRead()));
  expect(await Promise.all(readers)).toEqual(Array(8).fill('1'));
  expect(await answer(longRead())).toBe('1');
  expect(computed).toHaveLength(1);
});

it.each<[string, Parameters<typeof longRead>[0]]>([
  ['company', { company: 2 }],
  ['set of scopes', { scopes: [] }],
  ['minute', { now: NOW + MINUTE_MS }],
  ['language', { lang: 'fr' }],
  ['count of changes', { changeCount: 8 }],
  ['input', { input: { limit: 20 } }],
  ['operation', { operation: 'morning_brief' }],
])('computes another answer for another %s', async (_, changes) => {
  const { answer } = countingReads();
  expect(await answer(longRead())).toBe('1');
  expect(await answer(longRead(changes))).toBe('2');
});

it('shares nothing that depends on more of the caller', async () => {
  const { answer } = countingReads();
  const own = longRead({ changeCount: null });
  expect([await answer(own), await answer(own)]).toEqual(['1', '2']);
});

it('goes on with a shared answer that its first caller has cancelled', async () => {
  const { answer } = countingReads();
  const cancelling = new AbortController();
  const first = answer(longRead(), cancelling.signal);
  const second = answer(longRead());
  cancelling.abort();
  await expect(first).rejects.toThrow('cancelled');
  expect(await second).toBe('1');
});

it('computes again what has failed', async () => {
  let attempts = 0;
  const reads = new LongReads(
    async () => {
      if (++attempts === 1) throw new Error('no store');
      return { json: '{}', advisories: [], picture: undefined };
    },
    { places: 2 },
  );
  const answer = () => reads.answer(longRead(), { signal: undefined, onPlace: undefined });
  await expect(answer()).rejects.toThrow('no store');
  expect(await answer()).toMatchObject({ json: '{}' });
});

it('runs every list of changes apart from short reads, because a change may have thousands of rows', () => {
  expect(listChanges.load?.isLong?.({ limit: 50 }, NOW)).toBe(true);
});
