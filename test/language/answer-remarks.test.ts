import { describe, expect, it } from 'vitest';
import type { Text } from '../../src/domain/text/text.ts';
import {
  argumentSentences,
  describeIncompleteAnswer,
  describeShortenedList,
  NEXT_PAGE,
  THERE_ARE_MORE,
  UNDECLARED_ZONE,
} from '../../src/language/answer-remarks.ts';
import { renderAnswer } from './render-text.ts';

const SHORTENED = { shown: 3, all: 12, isWrite: false, hasPages: false };

describe('a remark on an answer', () => {
  it.each<[string, string[], Text]>([
    [
      'The company has no time zone, so times are in Europe/Paris.',
      ['set_company(timezone)'],
      UNDECLARED_ZONE,
    ],
    ['', ['this call again with cursor: next_cursor'], NEXT_PAGE],
    ['There are more.', ['this call again with cursor: next_cursor'], THERE_ARE_MORE],
    [
      'Only the first 3 of these 12 rows are given, because the answer would be too long.',
      ['this call again with limit: 3, then with cursor: its next_cursor'],
      describeShortenedList({ ...SHORTENED, hasPages: true }),
    ],
    [
      'Only the first 3 of these 12 rows are given, because the answer would be too long.',
      ['this call again for a shorter period or fewer probes'],
      describeShortenedList(SHORTENED),
    ],
    [
      'Only the first 3 of these 12 rows are given, because the answer would be too long.',
      [],
      describeShortenedList({ ...SHORTENED, isWrite: true }),
    ],
    [
      'The service answered, but fields are missing that a summary needs (data.0.waterMm, total and 2 more): read the structured result.',
      [],
      describeIncompleteAnswer(['data.0.waterMm', 'total'], 2),
    ],
    [
      'The service answered, but fields are missing that a summary needs: read the structured result.',
      [],
      describeIncompleteAnswer([], 0),
    ],
    [
      'North block has one probe, 12 mm, which was used.',
      [],
      argumentSentences.only_probe_of_parcel({
        kind: 'only_probe_of_parcel',
        parcel: 'North block',
        probe: '12 mm',
      }),
    ],
    [
      '"la vigne" was understood as Vineyard.',
      [],
      argumentSentences.name_understood({
        kind: 'name_understood',
        text: '"la vigne"',
        name: 'Vineyard',
      }),
    ],
    [
      '"02:30" does not exist, because the clocks go forward: 03:30 was used.',
      [],
      argumentSentences.skipped_local_time({
        kind: 'skipped_local_time',
        text: '"02:30"',
        clock: '03:30',
      }),
    ],
    [
      '"02:30" occurs twice that day, because the clocks go back: the first 02:30 (summer time) was used.',
      [],
      argumentSentences.repeated_local_time({
        kind: 'repeated_local_time',
        text: '"02:30"',
        clock: '02:30',
      }),
    ],
    ['12 in all.', [], argumentSentences.total({ kind: 'total', count: 12 })],
  ])('is %j', (summary, next, text) => {
    expect(renderAnswer(text)).toEqual({ summary, next });
    expect(renderAnswer(text, 'us').summary).toBe(summary);
  });
});
