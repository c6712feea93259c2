import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { join, list, name, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { clock } from '../../domain/text/times.ts';
import type { AdvisoryOf } from '../advisory-sentences.ts';
import { languageOf } from '../index.ts';

/** Says what a new time zone of the company means for local hours. */
export type ZoneAdvisory = AdvisoryOf<'schedules_keep_zone' | 'reminders_follow_zone'>;

export function describeZoneChange(advisory: ZoneAdvisory, lang: Lang = DEFAULT_LANG): Text {
  const words = languageOf(lang).zoneChange;
  const { count } = advisory;
  const listed = (rows: readonly Text[]): Text => {
    const others = count - rows.length;
    return join(others > 0 ? [...rows, words.others(others)] : rows, words.separator);
  };

  if (advisory.kind === 'reminders_follow_zone')
    return words.reminders(
      count,
      listed(
        advisory.alerts.map(
          (alert) => say`${name(alert.name)}, ${clock(alert.reminderTime.slice(0, 5))}`,
        ),
      ),
    );

  return words.schedules(
    count,
    listed(
      advisory.schedules.map(({ name: label, starts, timezone }) =>
        words.schedule(name(label), list(starts.map(clock)), verbatim(timezone)),
      ),
    ),
  );
}
