import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sliceOf } from '../../../src/domain/shares/loop-turns.ts';
import { SERVICE_TAKER } from '../../../src/domain/shares/takers.ts';
import { readBatchJson } from '../../../src/http/body/batch-json.ts';
import { OversizedRow } from '../../../src/schema/ingest/ingest-batch.ts';

const slice = sliceOf(SERVICE_TAKER);
const layout = {
  maxRows: new Map([['readings', 50]]),
  textField: 'csv',
  maxDepth: 8,
  maxFieldBytes: 100_000,
};

const read = async (json: string) => {
  const { fields, rows, text } = await readBatchJson(Buffer.from(json), layout, slice);
  return {
    fields,
    readings: rows.has('readings') ? [...rows.get('readings')!] : null,
    text: text && [...text],
  };
};

const spaced = (json: string, space: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) => `${space}${token}${space}`);

describe('a batch as JSON', () => {
  it('has the rows and fields that JSON.parse finds', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 20 }),
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        fc.boolean(),
        fc.constantFrom('', ' ', '\n\t'),
        async (readings, others, isFirst, space) => {
          const fields = Object.fromEntries(
            Object.entries(others).filter(([name]) => name !== 'readings'),
          );
          const body = isFirst ? { readings, ...fields } : { ...fields, readings };
          const batch = await read(spaced(JSON.stringify(body), space));
          const parsed = JSON.parse(JSON.stringify(body));
          expect(batch.readings).toEqual(parsed.readings);
          expect(batch.fields).toEqual({ ...parsed, readings: [] });
        },
      ),
    ));

  it('yields a long CSV in chunks, cut neither within an escape nor within a character', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('x', 'é', '😀', '\n', '"', '\\', '\u0001', '\u2028'), {
          minLength: 1,
          maxLength: 20,
        }),
        async (parts) => {
          const csv = parts.join('').repeat(20_000);
          for (const json of [
            JSON.stringify({ csv }),
            `{"csv":"${csv.replace(/[\s\S]/g, escaped)}"}`,
          ]) {
            const { fields, text } = await read(json);
            if (text === null) expect(fields).toEqual({ csv });
            else expect(text.join('')).toBe(csv);
            expect(Math.max(0, ...(text ?? []).map((piece) => piece.length))).toBeLessThan(70_000);
          }
        },
      ),
      { numRuns: 10 },
    ));

  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

  it('has the last value of a repeated name', async () => {
    expect((await read('{"readings":[1],"readings":[2,3]}')).readings).toEqual([2, 3]);
    expect(await read('{"readings":[1],"readings":5}')).toMatchObject({
      fields: { readings: 5 },
      readings: null,
    });
    const long = 'x'.repeat(70_000);
    expect(await read(`{"csv":"${long}","csv":"y"}`)).toMatchObject({
      fields: { csv: 'y' },
      text: null,
    });
  });

  it('has a row above 4 KiB unparsed', async () => {
    const { readings } = await read(`{"readings":[1,{"a":[${Array(5_000).join()}]},2]}`);
    expect(readings).toEqual([1, expect.any(OversizedRow), 2]);
  });

  it.each([
    ['cut short', '{"readings":[1'],
    ['cut within a text', '{"readings":["a'],
    ['with a missing row', '{"readings":[1,,2]}'],
    ['with a comma too many', '{"readings":[1,]}'],
    ['with a comma alone', '{"readings":[,]}'],
    ['with another bracket', '{"readings":[1}}'],
    ['with a bracket too many', '{"readings":[1]]}'],
    ['with a wrong row', '{"readings":[{]}]}'],
    ['with two rows not separated', '{"readings":[1 2]}'],
    ['with something after it', '{"readings":[1]} 2'],
    ['with a wrong escape in its CSV', `{"csv":"${'x'.repeat(70_000)}\\q"}`],
    ['without a colon', '{"readings"[1]}'],
    ['closed before it began', '}{'],
  ])('is not JSON %s', (_, json) => expect(read(json)).rejects.toThrow('The body is not JSON.'));

  it.each([
    [
      'rows',
      `{"readings":[${Array(51).fill(1)}]}`,
      'readings is not valid: it has more than 50 items.',
    ],
    [
      'levels',
      `{"readings":[${'['.repeat(7)}${']'.repeat(7)}]}`,
      'The body nests deeper than 8 levels.',
    ],
    [
      'values besides its rows',
      `{"a":[${Array(10_001).fill(1)}]}`,
      'The body has more than 10000 values besides its rows.',
    ],
    [
      'bytes besides its rows',
      `{"a":"${'x'.repeat(100_000)}"}`,
      'The body has more than 100000 bytes besides its rows.',
    ],
  ])('is refused with too many %s', (_, json, message) =>
    expect(read(json)).rejects.toThrow(message),
  );

  it('is refused at the first row too many, however long it is', async () => {
    const bytes = Buffer.from(`{"readings":[${'{},'.repeat(5_000_000)}{}]}`);
    let readUntil = 0;
    const watched = new Proxy(bytes, {
      get(target, key) {
        if (typeof key !== 'string' || !/^\d+$/.test(key)) {
          const value = Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        }
        readUntil = Math.max(readUntil, Number(key));
        return target[Number(key)];
      },
    });
    await expect(readBatchJson(watched, layout, slice)).rejects.toThrow('more than 50 items');
    expect(readUntil).toBeLessThan(200);
  });
});
