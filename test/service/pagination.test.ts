import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { MAX_PAGE_BYTES } from '../../src/domain/shares/bounded-things.ts';
import { decodeCursor, encodeCursor, type ListKey, toPage } from '../../src/service/pagination.ts';
import { depthAt, FARM_NOW, iso, it } from '../farm.ts';

const WATERINGS: ListKey = ['waterings', 1];
const MODULES: ListKey = ['modules', 1];

const invalidCursor = expect.objectContaining({
  code: 'invalid_cursor',
  status: 400,
  field: 'cursor',
});

describe('cursor', () => {
  it('leads back to its position', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 3 }), (position) => {
        expect(decodeCursor(WATERINGS, encodeCursor(WATERINGS, position), position.length)).toEqual(
          position,
        );
      }),
    );
  });

  it('is null without a cursor', () => {
    expect(decodeCursor(WATERINGS, undefined, 1)).toBeNull();
  });

  it('is invalid_cursor for another list', () => {
    expect(() => decodeCursor(WATERINGS, encodeCursor(MODULES, [1]), 1)).toThrow(invalidCursor);
  });

  it('is invalid_cursor for another company', () => {
    expect(() => decodeCursor(MODULES, encodeCursor(['modules', 2], [1]), 1)).toThrow(
      invalidCursor,
    );
  });

  it('is invalid_cursor with another number of values', () => {
    expect(() => decodeCursor(MODULES, encodeCursor(MODULES, [1, 2]), 1)).toThrow(invalidCursor);
  });

  it.each([
    ['empty', ''],
    ['no cursor at all', 'page 2'],
    ['cut short', encodeCursor(MODULES, [1234]).slice(0, -3)],
    ['lengthened', `${encodeCursor(MODULES, [1234])}!`],
    ['of a text in place of a number', Buffer.from('["modules",1,"1"]').toString('base64url')],
    ['of a fraction', Buffer.from('["modules",1,1.5]').toString('base64url')],
    ['of an object', Buffer.from('{"list":"modules"}').toString('base64url')],
    ['of null', Buffer.from('null').toString('base64url')],
  ])('that is %s is invalid_cursor', (_, cursor) => {
    expect(() => decodeCursor(MODULES, cursor, 1)).toThrow(invalidCursor);
  });
});

describe('page', () => {
  const page = (rows: readonly number[], limit: number, bodyOf = (row: number): unknown => row) =>
    toPage(MODULES, rows, { limit, positionOf: (row) => [row], bodyOf });

  it('has limit rows, and a cursor if more follow', async () => {
    expect(await page([1, 2, 3], 2)).toEqual({
      data: [1, 2],
      next_cursor: encodeCursor(MODULES, [2]),
    });
  });

  it('has no cursor if no more follow, even when it is full', async () => {
    expect(await page([1, 2], 2)).toEqual({ data: [1, 2], next_cursor: null });
  });

  it('can be empty', async () => {
    expect(await page([], 2)).toEqual({ data: [], next_cursor: null });
  });

  it('ends before the row that would take it beyond 2 MB', async () => {
    const aThird = 'x'.repeat(MAX_PAGE_BYTES / 3 - 10);
    expect(await page([1, 2, 3, 4, 5], 5, () => aThird)).toEqual({
      data: [aThird, aThird, aThird],
      next_cursor: encodeCursor(MODULES, [3]),
    });
  });

  it('has a row that is longer by itself', async () => {
    const long = '€'.repeat(MAX_PAGE_BYTES);
    expect(await page([1, 2], 5, () => long)).toEqual({
      data: [long],
      next_cursor: encodeCursor(MODULES, [1]),
    });
    expect(await page([2], 5, () => long)).toEqual({ data: [long], next_cursor: null });
  });

  it('reads no row beyond the one that does not fit', async () => {
    const read: number[] = [];
    async function* rows() {
      for (let row = 1; row <= 9; row++) {
        read.push(row);
        yield row;
      }
    }
    const half = 'x'.repeat(MAX_PAGE_BYTES / 2 - 10);
    await toPage(MODULES, rows(), { limit: 9, positionOf: (row) => [row], bodyOf: () => half });
    expect(read).toEqual([1, 2, 3]);
  });
});

const LISTS = [
  'list_parcels',
  'list_modules',
  'list_gateways',
  'list_waterings',
  'list_schedules',
  'list_alerts',
];

describe.each(LISTS)('%s', (tool) => {
  it.for([0, -1, 201, 1.5, 'some'])(
    'refuses a limit of %s: 400 invalid_limit',
    async (limit, { farm }) => {
      await expect(farm.tool(tool, { limit })).rejects.toMatchObject({
        code: 'invalid_limit',
        status: 400,
        field: 'limit',
      });
    },
  );

  it.for([1, 200])('accepts a limit of %d', async (limit, { farm }) => {
    expect(await farm.tool(tool, { limit })).toHaveProperty('data');
  });

  it('refuses an invalid cursor: 400 invalid_cursor', async ({ farm }) => {
    for (const cursor of [encodeCursor(['elsewhere', 1], [1]), 'rubbish', 'x'.repeat(500)])
      await expect(farm.tool(tool, { cursor })).rejects.toMatchObject({
        code: 'invalid_cursor',
        status: 400,
      });
  });

  it('refuses the cursor of another list', async ({ farm }) => {
    for (const hour of [1, 2]) {
      const startedAt = iso(FARM_NOW - hour * 3_600_000);
      await farm.log('North 1', { startedAt, inputMode: 'depth_mm', inputDepthMm: 1 });
    }
    const other = tool === 'list_waterings' ? 'list_modules' : 'list_waterings';
    const { next_cursor } = await farm.tool<{ next_cursor: string }>(other, { limit: 1 });
    await expect(farm.tool(tool, { cursor: next_cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });
});

describe('a cursor of another company', () => {
  it.for(LISTS)('is 400 invalid_cursor to %s', async (tool, { farm }) => {
    const assignedAt = '2026-01-01T00:00:00Z';
    const gateways = ['356938035643809', '490154203237518'].map((imei) => ({ imei, assignedAt }));
    await farm.importFile({ gateways });
    for (const module of ['North 1', 'North 2']) {
      await farm.log(module, depthAt(FARM_NOW - 3_600_000, 1));
      await farm.createSchedule({ module });
      await farm.tool('create_alert', { module, threshold: 20 });
    }
    const { next_cursor } = await farm.tool<{ next_cursor: string }>(tool, { limit: 1 });
    expect(next_cursor).toEqual(expect.any(String));
    expect(await farm.tool(tool, { cursor: next_cursor })).toHaveProperty('data');
    await expect(
      farm.tool(tool, { cursor: next_cursor }, { company: 'Mas Bleu' }),
    ).rejects.toMatchObject({
      code: 'invalid_cursor',
      status: 400,
      field: 'cursor',
    });
  });
});
