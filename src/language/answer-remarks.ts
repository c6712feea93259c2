import {
  action,
  call,
  commaSeparated,
  name,
  sameCallWith,
  say,
  verbatim,
} from '../domain/text/say.ts';
import type { NextCall, Text } from '../domain/text/text.ts';
import { clock, zone } from '../domain/text/times.ts';
import type { AdvisoryOf, AdvisorySentences } from './advisory-sentences.ts';

export const UNDECLARED_ZONE = say`The company has no time zone, so times are in ${zone}.${call('set_company', 'timezone')}`;

export const NEXT_PAGE = say`${sameCallWith('cursor: next_cursor')}`;
export const THERE_ARE_MORE = say`There are more.${NEXT_PAGE}`;

interface ShortenedList {
  readonly shown: number;
  readonly all: number;
  /** A write is not to be repeated, and lists say what it stored. */
  readonly isWrite: boolean;
  readonly hasPages: boolean;
}

export function describeShortenedList({ shown, all, ...list }: ShortenedList): Text {
  return say`Only the first ${shown} of these ${all} rows are given, because the answer would be too long.${callForRest(shown, list)}`;
}

function callForRest(
  shown: number,
  { isWrite, hasPages }: Pick<ShortenedList, 'isWrite' | 'hasPages'>,
): NextCall | null {
  if (isWrite) return null;
  return hasPages
    ? action(`this call again with limit: ${shown}, then with cursor: its next_cursor`)
    : action('this call again for a shorter period or fewer probes');
}

/** For a service that omits fields of its answer; `others` are not named. */
export function describeIncompleteAnswer(paths: readonly string[], others: number): Text {
  const named = commaSeparated(paths.map(verbatim));
  const fields = say`${named}${others > 0 ? say` and ${others} more` : null}`;
  const where = fields.parts.length === 0 ? null : say` (${fields})`;
  return say`The service answered, but fields are missing that a summary needs${where}: read the structured result.`;
}

/** Says how arguments were understood, and which rows are counted. */
export const argumentSentences = {
  only_probe_of_parcel: ({ parcel, probe }) =>
    say`${name(parcel)} has one probe, ${name(probe)}, which was used.`,
  name_understood: (understood) =>
    say`${name(understood.text)} was understood as ${name(understood.name)}.`,
  skipped_local_time: (time) =>
    say`${name(time.text)} does not exist, because the clocks go forward: ${clock(time.clock)} was used.`,
  repeated_local_time: (time) =>
    say`${name(time.text)} occurs twice that day, because the clocks go back: the first ${clock(time.clock)} (summer time) was used.`,
  total: ({ count }: AdvisoryOf<'total'>) => say`${count} in all.`,
} satisfies Partial<AdvisorySentences>;
