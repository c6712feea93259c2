import { z } from 'zod/v3';
import { ALERT_KIND_NAMES } from '../../domain/alerts/alert-kinds.ts';
import { MAIL_MEANS, STORE_KINDS } from '../../domain/alerts/means-of-notice.ts';
import { clockText, count, decimal, fact, instantMs, names, quoted } from '../advisory-values.ts';
import { lineDoubt, suspectReading } from '../moisture/series.ts';
import { alertState } from './alert.ts';

const alertKind = z.enum(ALERT_KIND_NAMES);
/** Older services omit it. */
const store = z.enum(STORE_KINDS).default('default');
const alertLevels = { alertKind, threshold: decimal, hysteresis: decimal };

/**
 * About alerts, drawn lines and drawings. Values and thresholds are in the unit of the kind, heights of
 * lines in % of volume.
 */
export const alertAdvisories = [
  fact('no_sensor_for_alert', { alertKind }),
  fact('no_moisture_for_backtest', {}),
  fact('no_moisture_for_drawing', {}),
  fact('no_tension_for_drawing', {}),

  fact('suspect_readings', { doubts: z.array(suspectReading).readonly() }),
  /**
   * `sender`: what sends mail at all hours. `sinceMin`: minutes since mail failed, or since what sends
   * it last ran. `isServed`: the store is at
   * another computer than the caller may be. `silent`: probes without a fresh value.
   */
  fact('means_of_notice', {
    mail: z.enum(MAIL_MEANS),
    areAlertsChecked: z.boolean(),
    sender: z.enum(['serve', 'tick']).nullable().default(null),
    sinceMin: count.nullable(),
    isServed: z.boolean(),
    store,
    devices: count,
    recipients: names,
    lastAnswer: quoted.nullable(),
    silent: names,
    othersSilent: count,
  }),
  /** After a new time zone of the company; `count` includes the alerts that are not listed. */
  fact('reminders_follow_zone', {
    alerts: z.array(z.object({ name: z.string(), reminderTime: clockText })),
    count,
  }),
  fact('alert_state', { ...alertLevels, reminderTime: clockText, state: alertState }),
  /** `soilMax`: what the soil can hold, in %; null if that is not the reason. Older services omit it. */
  fact('alert_never_resolves', {
    alertKind,
    resolvesAt: decimal,
    soilMax: z.number().nullable().default(null),
  }),
  fact('alert_may_flap', { hysteresis: decimal }),
  /** `count` other active alerts of the module. */
  fact('same_alert_exists', { threshold: decimal, count }),
  fact('alert_firing', {
    ...alertLevels,
    since: instantMs,
    evaluatedAt: instantMs.nullable(),
    value: z.number().nullable(),
  }),
  fact('more_alerts_firing', { count }),
  fact('probes_with_firing_alert', { probes: z.array(z.string()), others: count }),
  /** `oldestAt`: when the oldest waiting message was written; `mail`: what keeps it, if known. */
  fact('undelivered_mail', {
    waiting: count,
    refused: count,
    lastAnswer: quoted.nullable(),
    oldestAt: instantMs.nullable().default(null),
    mail: z.enum(MAIL_MEANS).nullable().default(null),
    isServed: z.boolean().default(true),
    store,
  }),
  fact('thresholds_crossed', {}),

  fact('older_drawings_omitted', { count }),
  fact('older_episodes_omitted', { omitted: count, total: count }),

  fact('below_stress_point', { stressPoint: z.number(), hasLine: z.boolean() }),
  fact('line_in_doubt', lineDoubt.shape),
  fact('line_moved', { threshold: decimal }),
  fact('line_unchanged', {}),
  fact('own_alert_disabled', {}),
  fact('older_alert_disabled', { height: z.number() }),
  fact('own_alert_enabled', { height: z.number() }),
  fact('older_alert_enabled', { height: z.number() }),
  fact('newer_line_counts', { height: z.number() }),
  fact('line_alert_moved', { from: decimal, to: z.number(), isActive: z.boolean() }),
  fact('content_part_removed', { part: z.enum(['style', 'text']) }),
] as const;
