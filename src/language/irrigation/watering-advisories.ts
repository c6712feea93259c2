import { amount, estimate, minutes } from '../../domain/text/figures.ts';
import {
  call,
  commaSeparated,
  counted,
  name,
  noun,
  sameCallWith,
  say,
  word,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { period, timeOf } from '../../domain/text/times.ts';
import type { AdvisoryOf, AdvisorySentences } from '../advisory-sentences.ts';
import { describeOtherProbes, describeWateringChanges } from './correction-summary.ts';
import { describeEnoughIfItRuns, enteredAmount } from './watering-summary.ts';
import { AWAIT_CONFIRMATION, AWAITS_CONFIRMATION } from './witness-summary.ts';

export const wateringSentences = {
  waterings_by_status: describeCounts,
  waterings_due: ({ count }) =>
    say`${counted(count, 'past watering')} of automatic schedules ${noun(count, 'counts as done, and is', 'count as done, and are')} still stored as planned: the store accepts no writes at present.`,
  waterings_ahead: ({ count, nextAt, probe }) =>
    say`${count} planned ahead, the next ${timeOf(nextAt)} on ${name(probe)}.${sameCallWith('status: planned')}`,
  overlapping_watering: describeOverlap,
  run_time_contradicts: describeRunTime,
  enough_if_it_runs: (advisory) => describeEnoughIfItRuns(advisory),
  balance_assumes: ({ waterings, waterMm, deficitMm }) =>
    say`Of its water ${amount(waterMm, 'mm')} over the whole area (${counted(waterings, 'watering')}) ${noun(waterings, 'is', 'are')} assumed: without ${noun(waterings, 'it', 'them')} its root zone would lack ${estimate(deficitMm, 'mm')}, so ask whether ${noun(waterings, 'it', 'they')} ran.${call('correct_watering', 'status: done or skipped')}`,
  needs_confirmation: (_) =>
    say`It no longer counts as done by itself: confirm it once it has run.${call('correct_watering', 'status: done')}`,
  other_probes_unchanged: describeOtherProbes,
  watering_corrected: describeWateringChanges,
} satisfies Partial<AdvisorySentences>;

function describeCounts({ counts, toConfirm }: AdvisoryOf<'waterings_by_status'>): Text {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const awaiting = toConfirm === 1 ? AWAITS_CONFIRMATION : AWAIT_CONFIRMATION;
  const rows = counts.map(({ status, count }) => {
    const note = status === 'planned' && toConfirm > 0 ? say` (${toConfirm} ${awaiting})` : null;
    return say`${count} ${word(status)}${note}`;
  });
  return say`${total} in all: ${commaSeparated(rows)}.`;
}

function describeOverlap({
  id,
  other,
  probe,
  others,
  probes,
  onEachProbe,
}: AdvisoryOf<'overlapping_watering'>): Text {
  const more =
    others === 0 ? null : say`, and ${others} more ${noun(others, 'overlaps', 'overlap')}`;
  const remedy =
    probes > 1 && onEachProbe
      ? say`take this entry back${call('undo')}`
      : say`cancel one of them${call('correct_watering', `eventId: ${id} or ${other.id}`, 'status: skipped')}`;
  return say`It overlaps another watering of ${name(probe)} (${period(other.startedAt, other.endedAt)}, ${word(other.status)})${more}. If they are the same water, ${remedy}.`;
}

function describeRunTime({
  amount: entered,
  durationMin,
  waterMm,
  runMm,
  runM3,
  probe,
  others,
}: AdvisoryOf<'run_time_contradicts'>): Text {
  const volume = runM3 === null ? null : say` (${amount(runM3, 'm3')})`;
  const recorded =
    entered.mode === 'depth_mm'
      ? say`${enteredAmount(entered)} are recorded`
      : say`${enteredAmount(entered)} are ${amount(waterMm, 'mm')}, which is recorded`;
  const same = others === 0 ? null : say` The same holds for ${counted(others, 'other probe')}.`;
  return say`The run time does not match: by the equipment of ${name(probe)}, ${minutes(durationMin)} give ${amount(runMm, 'mm')}${volume}, but ${recorded}. Ask which is right.${call('correct_watering')}${same}`;
}
