import { DEFAULT_LANG } from '../../domain/lang.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import type { AdvisorySentences } from '../advisory-sentences.ts';
import { describeZoneChange } from '../company/zone-summary.ts';
import { englishFormat } from '../en/grammar.ts';
import { describeLineDoubt } from '../moisture/line-doubts.ts';
import { formatMoisture, formatPrecise, formatTotalHours } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { ALERT_KIND_WORDS } from './alert-kind-words.ts';
import { alertPhrases } from './alert-phrases.ts';
import { describeAlertState, describeFiring } from './alert-summary.ts';
import {
  computerOfStore,
  describeMailReason,
  describeMeans,
  storeOptionOf,
} from './notice-summary.ts';

/** Of alerts, and of the threshold lines that move them. */
export const alertSentences = {
  older_episodes_omitted: ({ omitted, total }) => alertPhrases.olderEpisodesOmitted(omitted, total),
  no_sensor_for_alert: ({ alertKind }) => ALERT_KIND_WORDS[alertKind].noSensor,
  no_moisture_for_backtest: (_) => alertPhrases.nothingToBacktest,
  means_of_notice: (means, context) => describeMeans(means, context),
  alert_state: ({ state, ...rule }, context) =>
    alertPhrases.currentState(describeAlertState(rule, state, context)),
  alert_never_resolves: ({ alertKind, resolvesAt, soilMax }) =>
    alertPhrases.neverResolves(
      alertKind,
      englishFormat.number(resolvesAt),
      soilMax === null ? null : formatMoisture(soilMax),
    ),
  alert_may_flap: ({ hysteresis }) => alertPhrases.mayFlap(englishFormat.number(hysteresis)),
  reminders_follow_zone: (advisory) => describeZoneChange(advisory, DEFAULT_LANG),
  same_alert_exists: ({ threshold, count }) =>
    alertPhrases.sameExists(englishFormat.number(threshold), count),
  alert_firing: (firing, context) => describeFiring(firing, context),
  more_alerts_firing: ({ count }) => alertPhrases.moreFiring(count),
  undelivered_mail: (unsent, context) => {
    const { waiting, refused, lastAnswer, oldestAt, mail, store } = unsent;
    const where = computerOfStore(unsent.isServed);
    const storeOption = storeOptionOf(store, context);
    return joinSentences([
      waiting > 0
        ? alertPhrases.unsentMail(
            waiting,
            waitOf(oldestAt, context.now),
            describeMailReason(mail, storeOption, where),
          )
        : null,
      refused > 0 ? alertPhrases.rejectedMail(refused, lastAnswer, storeOption, where) : null,
    ]);
  },
  below_stress_point: ({ stressPoint, hasLine }) =>
    alertPhrases.belowStressPoint(formatMoisture(stressPoint), hasLine),
  line_in_doubt: (doubt) => alertPhrases.lineInDoubt(describeLineDoubt(doubt), doubt.line),
  line_moved: ({ threshold }) => alertPhrases.lineMoves(englishFormat.number(threshold)),
  line_unchanged: (_) => alertPhrases.lineStays,
  own_alert_disabled: (_) => alertPhrases.ownDisabled,
  older_alert_disabled: ({ height }) => alertPhrases.olderDisabled(formatPrecise(height)),
  own_alert_enabled: ({ height }) => alertPhrases.ownEnabled(formatPrecise(height)),
  older_alert_enabled: ({ height }) => alertPhrases.olderEnabled(formatPrecise(height)),
  newer_line_counts: ({ height }) => alertPhrases.newerCounts(formatPrecise(height)),
  line_alert_moved: ({ from, to, isActive }) =>
    alertPhrases.moved(formatPrecise(Number(from)), formatPrecise(to), isActive),
} satisfies Partial<AdvisorySentences>;

const waitOf = (since: number | null, now: number): string | null =>
  since === null || now - since < MINUTE_MS ? null : formatTotalHours((now - since) / HOUR_MS);
