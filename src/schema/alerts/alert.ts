import { z } from 'zod/v3';
import { ALERT_DEFAULTS } from '../../domain/alerts/alert-episodes.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { type FieldMetadata, field, withExample } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import { answerShape, computed, internal, userReference } from '../resource.ts';
import {
  computedInstant,
  instantOutput,
  isActiveField,
  maxCountField,
  moduleRef,
  parcelRef,
  periodBoundField,
  periodEndOrNow,
  restDetailField,
} from '../shared-fields.ts';

const alertRecipient = namedSchema(
  'AlertRecipient',
  z.strictObject({ id: z.string(), alertId: z.string(), userId: z.string() }),
);

/** GET /alerts is not in the specification, so that its recipients may have names. */
const namedRecipient = namedSchema(
  'NamedAlertRecipient',
  alertRecipient.extend({ userName: withExample(z.string(), 'Ana') }).strict(),
);

export const alertFields = {
  id: computed('id', z.string(), { example: '5c0211a1-7b7a-4f4b-bcb9-cb1842548b9f' }),
  moduleId: computed('module_id', z.number().int().nullable(), { example: 1 }),
  parcelId: computed('parcel_id', z.number().int().nullable()),
  /** The line it was created from, which may have been deleted. */
  annotationId: computed('annotation_id', z.string().nullable(), {
    example: '524ee7b6-1c35-4a41-9b59-126156f3cd0e',
  }),
  /** Exact decimals as text, like those of the hysteresis. */
  threshold: computed('threshold', z.string(), {
    description: 'Moisture in % by volume.',
    example: '20.5',
  }),
  hysteresis: computed('hysteresis', z.string(), {
    description: 'Points above threshold that resolve it.',
    example: '4',
  }),
  reminderTime: computed('reminder_time', z.string(), {
    description: 'Local time of the daily reminder.',
    example: '07:30:00',
  }),
  source: computed('source', z.enum(['manual', 'annotation'])),
  isActive: computed('is_active', z.boolean()),
  createdBy: userReference('created_by'),
  createdAt: computed('created_at', computedInstant(), { example: '2026-06-24T10:00:00.191Z' }),
  updatedAt: computed('updated_at', computedInstant(), { example: '2026-06-24T10:00:00.191Z' }),
  /** In %: corresponds to `uncalibratedHeight` of the line. */
  uncalibratedThreshold: internal('uncalibrated_threshold', z.number().nullable()),
};

const { id, ...answeredRule } = answerShape(alertFields);
const answeredAlert = { id, companyId: withExample(z.number().int(), 1), ...answeredRule };

export const alert = namedSchema('Alert', z.strictObject(answeredAlert));
export type AlertBody = z.output<typeof alert>;

export const alertWithRecipients = namedSchema(
  'AlertWithRecipients',
  z.strictObject({ ...answeredAlert, recipients: z.array(alertRecipient) }),
);
export type AlertWithRecipientsBody = z.output<typeof alertWithRecipients>;

const ALERT_STATUSES = ['quiet', 'firing', 'stale'] as const;

export const alertState = namedSchema(
  'AlertState',
  z.strictObject({
    status: z.enum(ALERT_STATUSES),
    firing: z.boolean().describe('While stale, as it was before.'),
    since: withExample(instantOutput().nullable(), '2026-07-01T04:00:00.000Z'),
    value_vwc: withExample(z.number().nullable().describe('Newest moisture in % by volume.'), 20.3),
    time: withExample(instantOutput().nullable(), '2026-07-01T09:00:00.000Z'),
  }),
);
export type AlertStateBody = z.output<typeof alertState>;

/** `state` is null while an alert is not evaluated. */
export const listedAlert = namedSchema(
  'ListedAlert',
  z.strictObject({
    ...answeredAlert,
    recipients: z.array(namedRecipient),
    state: alertState.nullable(),
  }),
);
export type ListedAlertBody = z.output<typeof listedAlert>;

const thresholdField = (description: string) =>
  field(z.number().min(0).max(100).describe(description), {
    unit: '%',
    hint: say`Give percent by volume, from 0 to 100, such as 20 or 18.5; 0.18 m3/m3 is 18.`,
  });

const hysteresisField = (description: string) =>
  field(z.number().min(0).max(100).describe(description), {
    isPercent: true,
    plainUnit: '%',
    words: 'distance to the level that ends the alert',
    hint: say`Give a number from 0 to 100, such as 5.`,
  });

const reminderTimeField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(
    shortText()
      .regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, 'a local time HH:MM:SS')
      .describe(description),
    {
      clock: 'seconds',
      words: 'reminder time',
      hint: say`Give a local time from 00:00:00 to 23:59:59, such as 08:00:00.`,
      ...metadata,
    },
  );

const alertRule = {
  threshold: thresholdField('Fires below it: 18 for 18 % by volume.'),
  hysteresis: hysteresisField(
    `Resolves this many points above. Default ${ALERT_DEFAULTS.hysteresis}.`,
  ).optional(),
  reminderTime: reminderTimeField(
    `Local HH:MM:SS. Default ${ALERT_DEFAULTS.reminderTime}.`,
  ).optional(),
};

export const alertBody = {
  moduleId: moduleRef({
    restDescription: 'Id of the probe to watch, from list_modules; without one nothing is watched.',
    isRequiredInTools: true,
  }).nullish(),
  parcelId: parcelRef({
    description: 'Or each soil probe of a parcel.',
    restDescription: 'Id of a parcel to record with the alert, from list_parcels.',
  }).nullish(),
  ...alertRule,
};

export const parcelAlertBody = {
  ...alertRule,
  detail: restDetailField(),
};

/** `leftOut` are the other modules of the parcel, which measure no soil moisture. */
export const parcelAlerts = namedSchema(
  'ParcelAlerts',
  z.strictObject({
    parcelId: withExample(z.number().int(), 2),
    alerts: z.array(listedAlert),
    leftOut: z.array(z.number().int()).describe('Ids of modules without soil moisture.'),
  }),
);
export type ParcelAlertsBody = z.output<typeof parcelAlerts>;

export const alertChange = {
  threshold: thresholdField('Moisture in % by volume.').optional(),
  hysteresis: hysteresisField('Points above threshold that resolve it.').optional(),
  reminderTime: reminderTimeField('Local time HH:MM:SS.').optional(),
  isActive: isActiveField('false disables, true enables.'),
};

export const alertId = () =>
  field(shortText().trim().toLowerCase().uuid().describe('Id, from list_alerts.'), {
    words: 'alert',
    hint: say`Pass an id from ${operationName('list_alerts')}.`,
  });

export const backtestQuery = {
  threshold: thresholdField('To try: 18 %. Default the one in force.').optional(),
  hysteresis: hysteresisField(
    `Points. Default in force, else ${ALERT_DEFAULTS.hysteresis}.`,
  ).optional(),
  reminderTime: reminderTimeField(`Default in force, else ${ALERT_DEFAULTS.reminderTime}.`, {
    isUnlisted: true,
  }).optional(),
  start: periodBoundField('Default 90 days before end.', {
    restDescription: 'Start. Default 90 days before end.',
  }).optional(),
  end: periodEndOrNow(),
  maxEpisodes: maxCountField('List at most this many episodes, the newest first.').optional(),
};

const backtestTotals = {
  hoursBelow: withExample(z.number().describe('Hours below the threshold.'), 208),
  reminders: withExample(z.number().int(), 8),
};

const episode = z.strictObject({
  start: withExample(instantOutput(), '2026-06-10T12:00:00.000Z'),
  end: withExample(
    instantOutput().nullable().describe('Null while the episode lasts.'),
    '2026-06-19T04:00:00.000Z',
  ),
  lowest: withExample(z.number(), 16.3),
  ...backtestTotals,
});

export const backtest = namedSchema(
  'AlertBacktest',
  z.strictObject({
    episodes: z.array(episode),
    ...backtestTotals,
    missingShare: withExample(
      z.number().describe('Share of readings that are missing, 0 to 1.'),
      0,
    ),
    gaps: z.strictObject({
      newest: z
        .array(
          z.strictObject({
            start: withExample(instantOutput().nullable(), '2026-07-01T02:00:00.000Z'),
            end: withExample(instantOutput().nullable(), '2026-07-01T06:00:00.000Z'),
            hours: withExample(z.number(), 4),
          }),
        )
        .describe(
          'An hour or more without data, the newest first, at most 10. Null: the start or end of the period.',
        ),
      older: withExample(z.number().int(), 0),
    }),
    inForce: z
      .strictObject({
        alertId: withExample(z.string(), '5c0211a1-7b7a-4f4b-bcb9-cb1842548b9f'),
        threshold: withExample(z.string(), '20.5'),
        hysteresis: withExample(z.string(), '4'),
        reminderTime: withExample(z.string(), '07:30:00'),
        episodes: withExample(z.number().int(), 2),
        ...backtestTotals,
      })
      .nullable(),
  }),
);
export type BacktestBody = z.output<typeof backtest>;

export const ALERT_MAIL_KINDS = ['fired', 'reminder', 'resolved', 'stale'] as const;
export type AlertMailKind = (typeof ALERT_MAIL_KINDS)[number];

/** `doubt` is about a probe whose readings have been suspect for days. */
export const MAIL_KINDS = [...ALERT_MAIL_KINDS, 'doubt'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
