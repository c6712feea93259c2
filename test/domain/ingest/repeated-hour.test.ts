import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AmbiguousRow,
  resolveRepeatedHour,
} from '../../../src/domain/ingest/repeated-hour.ts';
import { civilAt, resolveCivil } from '../../../src/domain/time-zone.ts';
import { HOUR } from '../../time.ts';

/**
 * Europe/Athens left summer time on 2023-10-29 at 01:00Z: 03:00 to 04:00 local are 00:00Z and,
 * again, 01:00Z.
 */
const MIDNIGHT = Date.UTC(2023, 9, 29);

/** A row at minute `minute` of the repeated hour. */
const row = (minute: number, text: string): AmbiguousRow => {
  const earlierAt = MIDNIGHT + minute * 60_000;
  return { earlierAt, laterAt: earlierAt + HOUR, text: `03:${minute} ${text}` };
};
const before = MIDNIGHT - HOUR;
const after = MIDNIGHT + 2 * HOUR;

const rows = (at: number | null, count = 1) => (at === null ? null : { at, count });

/**
 * Minutes after 00:00Z that the rows are placed at; `around`: how many rows each instant before and
 * after has.
 */
const minutes = (
  run: AmbiguousRow[],
  beforeAt: number | null,
  afterAt: number | null,
  around = 1,
): number[] =>
  resolveRepeatedHour(run, rows(beforeAt, around), rows(afterAt, around)).map(
    (at) => (at - MIDNIGHT) / 60_000,
  );

describe('the repeated hour', () => {
  it('places a second row of the same local hour an hour later, oldest first', () => {
    expect(minutes([row(0, 'a'), row(0, 'b')], before, after)).toEqual([0, 60]);
  });

  it('places the first row later, newest first', () => {
    expect(minutes([row(0, 'a'), row(0, 'b')], after, before)).toEqual([60, 0]);
  });

  it('treats two equal rows as the two passes where the hours around have one row each', () => {
    expect(minutes([row(0, 'a'), row(0, 'a')], before, after)).toEqual([0, 60]);
    expect(minutes([row(0, 'a'), row(0, 'a')], after, before)).toEqual([60, 0]);
    expect(minutes([row(0, 'a'), row(0, 'a')], before, null)).toEqual([0, 60]);
  });

  it('treats two equal rows as one row, repeated, where the file repeats others or has no others', () => {
    expect(minutes([row(0, 'a'), row(0, 'a')], before, after, 2)).toEqual([0, 0]);
    const [once, twice] = [rows(before), rows(after, 2)];
    expect(resolveRepeatedHour([row(0, 'a'), row(0, 'a')], once, twice)).toEqual([
      MIDNIGHT,
      MIDNIGHT,
    ]);
    expect(minutes([row(0, 'a'), row(0, 'a')], null, null)).toEqual([0, 0]);
  });

  it('separates passes side by side, as in a file sorted by its local times', () => {
    const sorted = [row(0, 'a'), row(0, 'a'), row(30, 'b'), row(30, 'c')];
    expect(minutes(sorted, before, after)).toEqual([0, 60, 30, 90]);
    expect(minutes(sorted.toReversed(), after, before)).toEqual([90, 30, 60, 0]);
  });

  it('treats an identical row as the same row', () => {
    expect(minutes([row(0, 'a'), row(0, 'a'), row(30, 'b')], before, after)).toEqual([0, 0, 30]);
    expect(minutes([row(0, 'a'), row(0, 'a'), row(0, 'b'), row(0, 'b')], after, before)).toEqual([
      60, 60, 0, 0,
    ]);
  });

  it('treats a single pass as the first one', () => {
    expect(minutes([row(0, 'a'), row(30, 'b')], before, after)).toEqual([0, 30]);
    expect(minutes([row(30, 'a'), row(0, 'b')], after, before)).toEqual([30, 0]);
  });

  it('starts the second pass where the clock steps back', () => {
    const passes = [row(0, 'a'), row(15, 'b'), row(30, 'c'), row(15, 'd'), row(45, 'e')];
    expect(minutes(passes, before, after)).toEqual([0, 15, 30, 75, 105]);
  });

  it('separates two passes of equal rows by the step back', () => {
    const passes = [row(0, 'a'), row(30, 'a'), row(0, 'a'), row(30, 'a')];
    expect(minutes(passes, before, after)).toEqual([0, 30, 60, 90]);
  });

  it('treats a single identical row further back as a repeat', () => {
    const run = [row(0, 'a'), row(15, 'b'), row(0, 'a'), row(30, 'c')];
    expect(minutes(run, before, after)).toEqual([0, 15, 0, 30]);
  });

  it('takes the direction of the rows after when the file starts within the hour', () => {
    expect(minutes([row(0, 'a'), row(0, 'b')], null, after)).toEqual([0, 60]);
    expect(minutes([row(0, 'a'), row(0, 'b')], null, before)).toEqual([60, 0]);
  });

  it('takes the direction of the rows before when the file ends within the hour', () => {
    expect(minutes([row(0, 'a'), row(0, 'b')], before, null)).toEqual([0, 60]);
    expect(minutes([row(0, 'a'), row(0, 'b')], after, null)).toEqual([60, 0]);
  });

  it('takes the direction of the rows themselves when the file has no others', () => {
    expect(minutes([row(30, 'a'), row(0, 'b'), row(30, 'c'), row(0, 'd')], null, null)).toEqual([
      90, 60, 30, 0,
    ]);
    expect(minutes([row(0, 'a'), row(30, 'b'), row(0, 'c'), row(30, 'd')], null, null)).toEqual([
      0, 30, 60, 90,
    ]);
  });

  it('prefers the nearer neighbour when two files were joined', () => {
    expect(minutes([row(0, 'a'), row(0, 'b')], before, before - 100 * HOUR)).toEqual([0, 60]);
    expect(minutes([row(0, 'a'), row(0, 'b')], after, after + 100 * HOUR)).toEqual([60, 0]);
  });

  it('leaves further rows of the same local time in the second pass', () => {
    expect(minutes([row(0, 'a'), row(0, 'b'), row(0, 'c')], before, after)).toEqual([0, 60, 60]);
  });

  it('restores the instants of any file in time order, with repeated rows', () => {
    const folds = [
      ['Europe/Athens', Date.UTC(2023, 9, 29, 1), 60],
      ['America/New_York', Date.UTC(2025, 10, 2, 6), 60],
      ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15), 30],
      ['America/Santiago', Date.UTC(2026, 3, 5, 3), 60],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...folds),
        fc.constantFrom(1, 5, 10, 15, 30),
        fc.boolean(),
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        ([zone, changeAt, foldMin], stepMin, isDescending, again) => {
          const span = foldMin * 60_000;
          const truth: number[] = [];
          for (let at = changeAt - span; at < changeAt + span; at += stepMin * 60_000)
            truth.push(at);
          if (isDescending) truth.reverse();
          const repeated = truth.flatMap((at, index) =>
            again[index % again.length] ? [at, at] : [at],
          );
          const run = repeated.map((at) => {
            const { candidates } = resolveCivil(civilAt(at, zone), zone);
            return { earlierAt: candidates[0]!, laterAt: candidates[1]!, text: `value ${at}` };
          });
          const around = [changeAt - span - stepMin * 60_000, changeAt + span];
          const [beforeAt, afterAt] = isDescending ? around.reverse() : around;
          expect(resolveRepeatedHour(run, rows(beforeAt!), rows(afterAt!))).toEqual(repeated);
        },
      ),
    );
  });
});
