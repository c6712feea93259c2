import { ALERT_KINDS } from '../../domain/alerts/alert-kinds.ts';
import { exact, moisture, precise } from '../../domain/text/figures.ts';
import { call, listAndMore, name, noun, sameCallWith, say } from '../../domain/text/say.ts';
import type { AdvisorySentences } from '../advisory-sentences.ts';
import { describeZoneChange } from '../company/zone-summary.ts';
import { describeLineDoubt } from '../moisture/line-doubts.ts';
import { ALERT_KIND_WORDS } from './alert-kind-words.ts';
import { describeAlertState, describeFiringAlert } from './alert-summary.ts';
import { describeMeans, describeUndeliveredMail } from './notice-summary.ts';

/** Says what alerts do, and the threshold lines that move them, and other drawings. */
export const alertSentences = {
  older_episodes_omitted: ({ omitted, total }) =>
    say`The oldest ${omitted} of ${total} episodes are omitted.${sameCallWith('start', 'end')}`,
  no_sensor_for_alert: ({ alertKind }) => ALERT_KIND_WORDS[alertKind].noSensor,
  no_moisture_for_backtest: (_) =>
    say`It has no soil moisture sensor, so a threshold cannot be tested on it.`,
  means_of_notice: describeMeans,
  alert_state: ({ state, ...rule }) => say`It is ${describeAlertState(rule, state)}.`,
  alert_never_resolves: ({ alertKind, resolvesAt, soilMax }) => {
    const { symbol } = ALERT_KINDS[alertKind];
    const limit = soilMax === null ? null : say`: the soil holds at most ${moisture(soilMax, '%')}`;
    return say`Once it fires it never resolves, because ${ALERT_KIND_WORDS[alertKind].noun} cannot reach ${exact(Number(resolvesAt), symbol)}${limit}.`;
  },
  alert_may_flap: ({ hysteresis }) =>
    say`With a hysteresis of ${exact(Number(hysteresis))} it may fire and recover again and again while readings vary around the threshold, with a message each time; 2 to 5 avoids that${call('update_alert', 'hysteresis')}.`,
  reminders_follow_zone: (advisory) => describeZoneChange(advisory),
  same_alert_exists: ({ threshold, count }) => {
    const others =
      count === 1 ? say`is already another alert` : say`are already ${count} other alerts`;
    return say`There ${others} below ${exact(Number(threshold), '%')} here, and each sends its own messages: ask whether one is to be disabled${call('update_alert', 'isActive')}.`;
  },
  alert_firing: describeFiringAlert,
  more_alerts_firing: ({ count }) =>
    say`${count} more of its alerts ${noun(count, 'is', 'are')} firing.${call('list_alerts', 'module')}`,
  probes_with_firing_alert: ({ probes, others }) =>
    say`An alert is firing on ${listAndMore(probes.map(name), others)}.${call('list_alerts')}`,
  undelivered_mail: describeUndeliveredMail,

  // The alert of a line stays at the wilting point.
  below_stress_point: ({ stressPoint, hasLine }) => {
    const advice = hasLine
      ? say`have another alert at that level or above${call('create_alert')}`
      : say`raise it to that level or above${call('update_alert', 'threshold')}`;
    return say`Plants there already begin to suffer at ${moisture(stressPoint, '%')}: to be warned in time, ${advice}.`;
  },
  line_in_doubt: (doubt) => {
    const untilThen =
      doubt.line === 'fieldCapacity'
        ? say`Until then no amount of water is advised.`
        : say`Until then each advice says so.`;
    return say`${describeLineDoubt(doubt)}: ask whether that is meant, or digits were mistaken. Drawn again at the same height, it counts as confirmed.${call('undo')} ${untilThen}`;
  },
  line_moved: ({ threshold }) =>
    say`Its wilting-point line moves to ${exact(Number(threshold), '%')} too.`,
  line_unchanged: (_) =>
    say`The line that created it is no longer a wilting point, and stays as it is.`,
  own_alert_disabled: (_) => say`Its alert is disabled.`,
  older_alert_disabled: ({ height }) =>
    say`The alert of the older line at ${precise(height, '%')} is disabled.`,
  own_alert_enabled: ({ height }) => say`Its alert is enabled at ${precise(height, '%')}.`,
  older_alert_enabled: ({ height }) =>
    say`The older wilting-point line at ${precise(height, '%')} counts again, and its alert is enabled.`,
  newer_line_counts: ({ height }) =>
    say`A newer wilting-point line at ${precise(height, '%')} counts in its place.`,
  line_alert_moved: ({ from, to, isActive }) =>
    say`${isActive ? say`Its alert` : say`Its alert, which is disabled,`} moves from ${precise([Number(from), to], '%', 'to')}.`,

  older_drawings_omitted: ({ count }) => say`Older ones omitted: ${count}.${sameCallWith('limit')}`,
  no_moisture_for_drawing: (_) =>
    say`But this module measures no soil moisture, so nothing is compared with the line and no alert fires: was another module meant?`,
  no_tension_for_drawing: (_) =>
    say`This module measures no tension, so the line has no effect: was another module meant?`,
  content_part_removed: ({ part }) =>
    say`Its ${part === 'text' ? say`text` : say`style`} was removed.`,
} satisfies Partial<AdvisorySentences>;
