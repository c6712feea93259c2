import { describe, expect, it } from 'vitest';
import { say } from '../../../../src/domain/text/say.ts';
import type { Text } from '../../../../src/domain/text/text.ts';
import {
  listBriefWaterings,
  listNamesAndCount,
  listRows,
  listWithMore,
  probeName,
  probeWithMoisture,
  silentSince,
  stressIn,
} from '../../../../src/language/advice/brief/brief-row-texts.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../../farm.ts';
import { renderText } from '../../render-text.ts';
import { NORTH } from './sample-brief.ts';

const UNNAMED = { moduleId: 7, name: null };

const watering = (hours: number, waterMm: number | null) => ({
  ...NORTH,
  startedAt: iso(FARM_NOW + hours * HOUR),
  waterMm,
});

/** Rows 1 to `count`, with details "row 1" and the name "1". */
const rowsOf = (count: number, leftOut = 0): Text =>
  listRows(
    Array.from({ length: count }, (_, index) => index + 1),
    { leftOut },
    (row) => say`row ${row}`,
    (row) => say`${row}`,
  );

describe('the rows of a brief', () => {
  it.each<[string, Text]>([
    ['North 1', probeName(NORTH)],
    ['module 7', probeName(UNNAMED)],
    ['North 1 at 14.2 %', probeWithMoisture(NORTH)],
    ['module 7', probeWithMoisture({ ...UNNAMED, value_vwc: null })],
    ['stress in less than a day', stressIn(0.4)],
    ['stress in about 3 days', stressIn(3)],
    ['no contact yet', silentSince(null)],
    ['since yesterday 12:00', silentSince(iso(FARM_NOW - DAY))],
    ['a', listWithMore([say`a`], 0)],
    ['a; b; and 3 more', listWithMore([say`a`, say`b`], 3)],
    ['a; and 3 more (2 h)', listWithMore([say`a`], 3, say`2 h`)],
    ['North 1 and 2 more', listNamesAndCount([say`North 1`], 3)],
  ])('are %j', (words, text) => expect(renderText(text)).toBe(words));

  it.each<[string, Text]>([
    ['row 1; row 2; row 3; row 4; row 5', rowsOf(5)],
    ['row 1; row 2; 3, 4, 5 and 6', rowsOf(6)],
    ['row 1; row 2; 3, 4, 5, 6, 7 and 8', rowsOf(8)],
    ['row 1; row 2; and 7 more', rowsOf(9)],
    ['row 1; row 2; and 9 more', rowsOf(5, 6)],
  ])('have details, names or a count: %s', (words, text) => expect(renderText(text)).toBe(words));

  // 6.54 mm are 0.257 in.
  it.each([
    [
      'today 13:00 on North 1, 6.5 mm; tomorrow 12:00 on North 1',
      'today 13:00 on North 1, 0.26 in (6.5 mm); tomorrow 12:00 on North 1',
      [watering(1, 6.54), watering(24, null)],
    ],
    [
      'today 13:00 on North 1, 6.5 mm; and 4 more',
      'today 13:00 on North 1, 0.26 in (6.5 mm); and 4 more',
      Array(5).fill(watering(1, 6.54)),
    ],
  ])('list waterings: %s', (metric, us, rows) => {
    expect(renderText(listBriefWaterings(rows, 0))).toBe(metric);
    expect(renderText(listBriefWaterings(rows, 0), 'us')).toBe(us);
  });
});
