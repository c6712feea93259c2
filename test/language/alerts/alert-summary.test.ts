import { describe, expect, it } from 'vitest';
import {
  describeAlert,
  describeAlertState,
  describeFiringAlert,
  summarizeAlerts,
  summarizeCreatedAlert,
  summarizeParcelAlerts,
  summarizeUpdatedAlert,
} from '../../../src/language/alerts/alert-summary.ts';
import type {
  AlertBody,
  AlertStateBody,
  ListedAlertBody,
} from '../../../src/schema/alerts/alert.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';
import { MEANS } from './means-of-notice.ts';

const context = contextOf({
  modules: [MODULE, { ...MODULE, id: 2, name: 'North 2' }],
  parcels: [{ id: 1, name: 'North block' }],
});

const RULE = { threshold: '20', hysteresis: '5' };

const STATE: AlertStateBody = {
  status: 'quiet',
  firing: false,
  value_vwc: 22.4,
  time: iso(FARM_NOW - HOUR),
  since: null,
};

const SINCE = iso(FARM_NOW - 3 * HOUR);

describe('the state of an alert', () => {
  it.each<[string, Partial<AlertStateBody>]>([
    ['quiet: 22.4 % today 11:00', {}],
    ['quiet, with no moisture readings yet', { time: null, value_vwc: null }],
    ['quiet, with no value today 11:00', { value_vwc: null }],
    ['firing, with no value today 11:00', { value_vwc: null, since: SINCE }],
    ['firing: 18 % is below 20 %, low since today 09:00', { value_vwc: 18, since: SINCE }],
    ['firing: 22.4 % is not yet 25 %, low since today 09:00', { since: SINCE }],
    ['stale: its newest moisture is from today 11:00', { status: 'stale' }],
    [
      'stale: its newest moisture is from today 11:00, and it is still firing, low since today 09:00',
      { status: 'stale', since: SINCE },
    ],
  ])('is %j', (state, changes) =>
    expect(renderText(describeAlertState(RULE, { ...STATE, ...changes }))).toBe(state),
  );

  it.each<[string, { value?: number | null; evaluatedAt?: number }]>([
    ['Its alert is firing: 18 % is below 20 %, low since today 09:00.', {}],
    ['Its alert is firing: low since today 09:00.', { value: null }],
    [
      'Moisture has been low for its alert since today 09:00, but its newest reading is from 29 Jun 12:00.',
      { evaluatedAt: FARM_NOW - 48 * HOUR },
    ],
  ])('beside other answers is %j', (sentence, changes) => {
    const firing = { alertKind: 'moisture', ...RULE, since: FARM_NOW - 3 * HOUR } as const;
    const alert = { ...firing, evaluatedAt: FARM_NOW - HOUR, value: 18, ...changes };
    expect(renderText(describeFiringAlert(alert, context))).toBe(sentence);
  });
});

const ALERT = {
  ...RULE,
  reminderTime: '08:00:00',
  moduleId: 1,
  parcelId: 1,
  isActive: true,
} as AlertBody;
const LISTED = {
  ...ALERT,
  recipients: [],
  state: null,
} as Partial<ListedAlertBody> as ListedAlertBody;

describe('a new or changed alert', () => {
  it('promises mail and reminders where mail leaves', async () => {
    expect(renderText(await summarizeCreatedAlert(ALERT, context, {}, [MEANS]))).toBe(
      'The new alert on North 1 fires below 20 % until 25 %, with a reminder each day at 08:00 (Europe/Paris). Ana will be notified by e-mail.',
    );
  });

  it('begins with why no message can leave', async () => {
    const means = { ...MEANS, mail: 'in_chats' as const };
    expect(renderText(await summarizeUpdatedAlert(ALERT, context, {}, [means]))).toBe(
      'Mail leaves the computer of the service only while a chat is open. The alert on North 1 now fires below 20 % until 25 %.',
    );
  });

  it('that is disabled says how it fires once enabled', async () => {
    const disabled = { ...ALERT, moduleId: null, isActive: false };
    expect(renderText(await summarizeUpdatedAlert(disabled, context, {}, []))).toBe(
      'The alert on no probe (North block) is disabled; enabled again it fires below 20 % until 25 %.',
    );
    expect(
      renderText(await summarizeUpdatedAlert({ ...disabled, parcelId: null }, context, {}, [])),
    ).toMatch(/^The alert on no probe is disabled/);
  });

  it('of a parcel names the probes that fire or were left out', async () => {
    const alerts = [LISTED, { ...LISTED, moduleId: 2, state: { ...STATE, firing: true } }];
    expect(
      renderText(
        await summarizeParcelAlerts({ parcelId: 1, alerts, leftOut: [3] }, context, {}, []),
      ),
    ).toBe(
      '2 new alerts on North block (North 1 and North 2) fire below 20 % until 25 %. Firing already: North 2. Left out, without readings of soil moisture: module 3.',
    );
  });
});

describe('the list of alerts', () => {
  const recipientsOf = (...names: string[]) =>
    ({ recipients: names.map((userName) => ({ userName })) }) as Pick<
      ListedAlertBody,
      'recipients'
    >;

  it.each<[string, ListedAlertBody[]]>([
    ['No alert matches.', []],
    ['Alerts (Europe/Paris): North 1 below 20 %, never evaluated.', [LISTED]],
    [
      'Alerts (Europe/Paris): North 1 below 20 %, quiet: 22.4 % today 11:00; North 1 below 20 %, disabled. Mail is addressed to Ana and "12 mm, or so".',
      [
        { ...LISTED, ...recipientsOf('Ana', '12 mm, or so'), state: STATE },
        { ...LISTED, ...recipientsOf('Ana', '12 mm, or so'), isActive: false },
      ],
    ],
    [
      'Alerts (Europe/Paris): North 1 below 20 %, never evaluated, for Ana; North 1 below 20 %, never evaluated.',
      [{ ...LISTED, ...recipientsOf('Ana') }, LISTED],
    ],
  ])('is %j', async (sentence, data) =>
    expect(renderText(await summarizeAlerts({ data }, context), 'us')).toBe(sentence),
  );

  it('tells one alert from others', async () =>
    expect(renderText(await describeAlert({ ...LISTED, isActive: false }, context))).toBe(
      'North 1 below 20 %, disabled',
    ));
});
