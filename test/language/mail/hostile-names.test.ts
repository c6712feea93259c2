import { expect, it } from 'vitest';
import { LANGS } from '../../../src/domain/lang.ts';
import { UNIT_SYSTEMS } from '../../../src/domain/units.ts';
import { renderAlertPush } from '../../../src/language/mail/alert-mail.ts';
import { renderDoubtPush } from '../../../src/language/mail/doubt-mail.ts';
import { gatherMail, gatherPush } from '../../../src/language/mail/gathered-mail.ts';
import type { AlertMailFacts } from '../../../src/language/mail/mail-facts.ts';
import { ALERT_MAIL_KINDS } from '../../../src/schema/alerts/alert.ts';
import { suspectReadingOf } from '../../../src/schema/moisture/suspect-bodies.ts';
import {
  harmless,
  hostile,
  type Rename,
  renamed,
  withHostileNames,
} from '../../mcp/renamed-farm.ts';
import { NOW, SUSPECT_READINGS } from '../../recorded/facts/doubt-facts.ts';
import { DAY } from '../../time.ts';
import { renderAlertMail, renderDoubtMail } from './rendered-mails.ts';

const PLACE = { now: NOW, zone: 'America/Los_Angeles', company: 'Mas Rouge' };
const ALERT: Omit<AlertMailFacts, 'kind' | 'units'> = {
  ...PLACE,
  module: 'North 1',
  parcel: 'North block',
  alertKind: 'moisture',
  threshold: '20',
  hysteresis: '5',
  state: {
    newestAt: NOW,
    newestValue: 18.4,
    startedAt: NOW - DAY,
    endedAt: null,
    lowestValue: 17.9,
    isFiring: true,
    ending: 'reached',
  },
  waterings: [{ startedAt: NOW - DAY, waterMm: 12.7, isConfirmed: true }],
  soil: null,
  doubts: [],
};
const DOUBT = {
  ...PLACE,
  module: 'Mast',
  parcel: 'South block',
  doubts: [{ reason: 'SENSOR_STUCK', since: NOW - DAY }],
  readings: SUSPECT_READINGS.SENSOR_STUCK.map(suspectReadingOf),
  meanwhile: {
    basis: 'probe',
    module: 'North 2',
    waterMm: 18.25,
    durationMin: 240,
    daysToStress: 0,
  },
} as const;

function* messagesOf(rename: Rename) {
  for (const units of UNIT_SYSTEMS)
    for (const lang of LANGS) {
      const alerts = ALERT_MAIL_KINDS.map((kind) => renamed({ ...ALERT, kind, units }, rename));
      const doubt = renamed({ ...DOUBT, units }, rename);
      const mails = [
        ...alerts.map((facts) => renderAlertMail(facts, lang)),
        renderDoubtMail(doubt, lang),
      ];
      const pushes = [
        ...alerts.map((facts) => renderAlertPush(facts, lang)),
        renderDoubtPush(doubt, lang),
      ];
      const gathered = pushes.map((push) => ({
        subject: push.title,
        text: JSON.stringify({ ...push, tag: 'alert', moduleId: 1 }),
      }));
      yield* [...mails, gatherMail(mails, lang), ...pushes, gatherPush(gathered, lang)];
    }
}

it('mails and push messages leave names that read as something else as they are', () => {
  const said = [...messagesOf(hostile)].map((message) => JSON.stringify(message));
  expect(said.join(' ')).toContain('Row 2 in (50 mm)');
  expect(said).toEqual(
    [...messagesOf(harmless)].map((message) => withHostileNames(JSON.stringify(message))),
  );
});
