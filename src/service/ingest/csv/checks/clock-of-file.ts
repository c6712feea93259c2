import type { AmbiguousRow } from '../../../../domain/ingest/repeated-hour.ts';
import { LocalDay } from '../../../../domain/local-day.ts';
import { formatOffset, offsetMinutesAt } from '../../../../domain/time-zone.ts';
import { FileError } from '../../../../language/ingest/file-error.ts';
import type { ClockStop } from '../../../../schema/ingest/rejection.ts';
import type { ReadingTimeParser } from '../../reading-times.ts';

/**
 * Null unless the time that was parsed last contradicts the zone. Throws if rows before it may be
 * wrong too.
 */
export function clockStopAt(
  line: number,
  times: ReadingTimeParser,
  { zone, option }: { readonly zone: string; readonly option: string },
): ClockStop | null {
  const { skippedHour } = times;
  if (skippedHour === null) return null;

  const { text, isFirst, offsetMinutes, offsetMinutesAfter } = skippedHour;
  const offset = formatOffset(offsetMinutes);
  if (isFirst) return { line, time: text, offset };

  const offsets = [offset, formatOffset(offsetMinutesAfter)] as const;
  throw new FileError(
    ({ fileFaults }) => fileFaults.skippedHour({ line, text }, zone, offsets, option),
    { field: option },
  );
}

/** For a file that does not repeat the hour in which the clocks of the zone go back. */
export function clockRunsOnError(
  { earlierAt, laterAt }: AmbiguousRow,
  zone: string,
  option: string,
): FileError {
  const day = LocalDay.at(earlierAt, zone).iso;
  const offsets = [laterAt, earlierAt].map((at) => formatOffset(offsetMinutesAt(at, zone)));
  const [winter = '', summer = ''] = offsets;
  return new FileError(
    ({ fileFaults }) => fileFaults.hourNotRepeated(day, zone, [winter, summer], option),
    { field: option },
  );
}
