import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/periods.ts';
import { readText } from '../../src/language/text/rendered-text.ts';
import { limitAnswer } from '../../src/mcp/answer-limit.ts';
import { operationsByName } from '../../tools/index.ts';
import { bodyOf } from '../tool-results.ts';
import { NOW, sharedTools } from './local-tools.ts';

const list = operationsByName.get('list_waterings')!;
const rows = fc.array(fc.record({ id: fc.nat(), note: fc.string() }), { minLength: 1 });

describe('an answer that is too long', () => {
  const call = sharedTools();

  it('keeps the first rows of its longest list, and says how many there are', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 100, max: 2000 }), (data, maxChars) => {
        const content = { data, names: ['short'], next_cursor: 'c' };
        const { content: limited, remark } = limitAnswer(list, content, maxChars);
        const shown = limited.data as unknown[];
        expect(data.slice(0, shown.length)).toEqual(shown);

        if (JSON.stringify(content).length <= maxChars) {
          expect([limited, remark]).toEqual([content, null]);
          return;
        }
        expect(JSON.stringify(limited).length <= maxChars || shown.length === 1).toBe(true);
        expect(limited).toMatchObject({ names: ['short'], next_cursor: null });
        expect(readText(remark!.summary)).toContain(
          `first ${shown.length} of these ${data.length} rows`,
        );
      }),
    );
  });

  it('has at most 10,000 tokens where it is all instants and figures', () => {
    const data = Array.from({ length: 500 }, (_, index) => ({
      time: new Date(NOW - index * 900_000).toISOString(),
      value_vwc: 20 + (index % 97) / 10,
    }));
    const { content } = limitAnswer(list, { data });
    expect(encode(JSON.stringify(content)).length).toBeLessThanOrEqual(10_000);
  });

  it('is whole for the page', () => {
    const farmPage = operationsByName.get('get_farm_page')!;
    const content = { data: ['a'.repeat(500), 'b'] };
    expect(limitAnswer(farmPage, content, 100)).toEqual({ content, remark: null });
  });

  it('has at most 10,000 tokens where 200 rows with long notes are asked for', async () => {
    const note = 'The filter of valve 3 was clogged again, so less came out. '.repeat(8);
    for (let day = 1; day <= 80; day += 1)
      await call('log_watering', {
        module: 'North 1',
        inputDepthMm: 4,
        note,
        startedAt: new Date(NOW - day * DAY_MS).toISOString(),
      });

    const whole = { limit: 200, detail: 'full' };
    const answer = bodyOf(await call('list_waterings', whole));
    const limit = answer.data.length;
    expect(encode(JSON.stringify(answer)).length).toBeLessThanOrEqual(10_000);
    expect(limit).toBeGreaterThan(10);
    expect(answer.summary).toContain(`first ${limit} of these 80 rows`);
    expect(answer.next).toContain(`limit: ${limit}, then with cursor: its next_cursor`);

    const page = bodyOf(await call('list_waterings', { ...whole, limit }));
    expect(page.data).toEqual(answer.data);
    expect(page.next_cursor).not.toBeNull();
  });
});
