import { z } from 'zod/v3';
import { ALERT_DEFAULTS } from '../../domain/alerts/alert-episodes.ts';
import { isMoistureFraction } from '../../domain/alerts/drawing-faults.ts';
import { field } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import {
  instantOutput,
  maxCountField,
  moduleRef,
  parcelRef,
  periodBoundField,
} from '../shared-fields.ts';

const alertRecipient = namedSchema(
  'AlertRecipient',
  z.strictObject({ id: z.string(), alertId: z.string(), userId: z.string() }),
);

const alertFields = {
  id: z.string(),
  companyId: z.number().int(),
  moduleId: z.number().int().nullable(),
  parcelId: z.number().int().nullable(),
  annotationId: z.string().nullable(),
  threshold: z.string().describe('Moisture in % by volume.'),
  hysteresis: z.string().describe('Points above threshold that resolve it.'),
  reminderTime: z.string().describe('Local time of the daily reminder.'),
  source: z.enum(['manual', 'annotation']),
  isActive: z.boolean(),
  createdBy: z.string(),
  createdAt: instantOutput(),
  updatedAt: instantOutput(),
};

export const alert = namedSchema('Alert', z.strictObject(alertFields));
export type AlertBody = z.output<typeof alert>;

export const alertWithRecipients = namedSchema(
  'AlertWithRecipients',
  z.strictObject({ ...alertFields, recipients: z.array(alertRecipient) }),
);
export type AlertWithRecipientsBody = z.output<typeof alertWithRecipients>;

const ALERT_STATUSES = ['quiet', 'firing', 'stale'] as const;

export const alertState = namedSchema(
  'AlertState',
  z.strictObject({
    status: z.enum(ALERT_STATUSES),
    firing: z.boolean().describe('While stale, as it was before.'),
    since: instantOutput().nullable(),
    value_vwc: z.number().nullable().describe('Newest moisture in % by volume.'),
    time: instantOutput().nullable(),
  }),
);
export type AlertStateBody = z.output<typeof alertState>;

/** `state` is null while an alert is not evaluated. */
export const listedAlert = namedSchema(
  'ListedAlert',
  z.strictObject({
    ...alertFields,
    recipients: z.array(alertRecipient),
    state: alertState.nullable(),
  }),
);
export type ListedAlertBody = z.output<typeof listedAlert>;

export const PERCENT_HINT =
  'Give percent by volume, from 1 to 100, such as 20 or 18.5; 0.18 m3/m3 is 18.';

const thresholdField = (description: string) =>
  field(
    z
      .number()
      .min(0)
      .max(100)
      .refine((percent) => !isMoistureFraction(percent), 'in percent, not a fraction')
      .describe(description),
    { hint: PERCENT_HINT },
  );

const hysteresisField = (description: string) =>
  field(z.number().min(0).max(100).describe(description), {
    hint: 'Give a number from 0 to 100, such as 5.',
  });

const reminderTimeField = (description: string) =>
  field(
    z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, 'a local time HH:MM:SS')
      .describe(description),
    { clock: 'seconds', hint: 'Give a local time from 00:00:00 to 23:59:59, such as 08:00:00.' },
  );

export const alertBody = {
  moduleId: moduleRef({
    description: 'Name or id; without one nothing is watched.',
    restDescription: 'Id of the probe to watch, from list_modules; without one nothing is watched.',
  }).nullish(),
  parcelId: parcelRef({
    replacesModule: false,
    description: 'For reference only: name or id.',
    restDescription: 'Id of a parcel to record with the alert, from list_parcels.',
  }).nullish(),
  threshold: thresholdField('Fires below it, % by volume.'),
  hysteresis: hysteresisField(
    `Resolves this many points above. Default ${ALERT_DEFAULTS.hysteresis}.`,
  ).optional(),
  reminderTime: reminderTimeField(
    `Local HH:MM:SS. Default ${ALERT_DEFAULTS.reminderTime}.`,
  ).optional(),
};

export const alertChange = {
  threshold: thresholdField('Moisture in % by volume.').optional(),
  hysteresis: hysteresisField('Points above threshold that resolve it.').optional(),
  reminderTime: reminderTimeField('Of the daily reminder, local HH:MM:SS.').optional(),
  isActive: z.boolean().optional().describe('false disables, true enables.'),
};

export const alertId = () =>
  field(z.string().trim().toLowerCase().uuid().describe('Id, from list_alerts.'), {
    hint: 'Pass an id from list_alerts.',
  });

export const backtestQuery = {
  threshold: thresholdField('To try, %. Default the one in force.').optional(),
  hysteresis: hysteresisField(
    `Points. Default in force, else ${ALERT_DEFAULTS.hysteresis}.`,
  ).optional(),
  reminderTime: reminderTimeField(
    `Default in force, else ${ALERT_DEFAULTS.reminderTime}.`,
  ).optional(),
  start: periodBoundField('Start. Default 90 days before end.').optional(),
  end: periodBoundField('End. Default now.').optional(),
  maxEpisodes: maxCountField('List at most this many episodes, the newest first.').optional(),
};

const backtestTotals = {
  hoursBelow: z.number().describe('Hours below the threshold.'),
  reminders: z.number().int(),
};

const episode = z.strictObject({
  start: instantOutput(),
  end: instantOutput().nullable().describe('Null while the episode lasts.'),
  lowest: z.number(),
  ...backtestTotals,
});

export const backtest = namedSchema(
  'AlertBacktest',
  z.strictObject({
    episodes: z.array(episode),
    ...backtestTotals,
    missingShare: z.number().describe('Share of readings that are missing, 0 to 1.'),
    gaps: z.strictObject({
      newest: z
        .array(
          z.strictObject({
            start: instantOutput().nullable(),
            end: instantOutput().nullable(),
            hours: z.number(),
          }),
        )
        .describe(
          'An hour or more without data, the newest first, at most 10. Null: the start or end of the period.',
        ),
      older: z.number().int(),
    }),
    inForce: z
      .strictObject({
        alertId: z.string(),
        threshold: z.string(),
        hysteresis: z.string(),
        reminderTime: z.string(),
        episodes: z.number().int(),
        ...backtestTotals,
      })
      .nullable(),
  }),
);
export type BacktestBody = z.output<typeof backtest>;

export const MAIL_KINDS = ['fired', 'reminder', 'resolved', 'stale'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
