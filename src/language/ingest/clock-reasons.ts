import type { UnreadReason } from '../../domain/ingest/unread-reason.ts';

interface ClockOffsets {
  readonly zone: string;
  /** Such as +01:00. */
  readonly winter: string;
  readonly summer: string;
}

const whichOffset = ({ winter, summer }: ClockOffsets): string =>
  `send times with an offset, ${winter} if it shows winter time all year, ${summer} if summer time`;

/**
 * Why local times are rejected of a sender whose clock may not change with the season. In English,
 * like errors.
 */
export const clockReasons = {
  skippedHour: (time: string, offsets: ClockOffsets): UnreadReason => ({
    code: 'skipped_hour',
    text: `its clock may not follow ${offsets.zone}, which has no ${time} (clocks go forward): ${whichOffset(offsets)}`,
  }),

  hourNotRepeated: (day: string, offsets: ClockOffsets): UnreadReason => ({
    code: 'hour_not_repeated',
    text: `its clock may not follow ${offsets.zone}: it does not repeat the hour that clocks repeat on ${day}; ${whichOffset(offsets)}, or name timezone ${offsets.zone}`,
  }),
};
