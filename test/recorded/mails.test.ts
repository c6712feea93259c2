import { expect, it } from 'vitest';
import { MEANWHILE_BASES } from '../../src/domain/advice/advice.ts';
import { DOUBT_REASONS, type DoubtReason } from '../../src/domain/advice/lasting-doubts.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { isQualityFlag } from '../../src/domain/moisture/quality-flags.ts';
import { UNIT_SYSTEMS } from '../../src/domain/units.ts';
import { renderAlertPush } from '../../src/language/mail/alert-mail.ts';
import { type DoubtMailFacts, renderDoubtPush } from '../../src/language/mail/doubt-mail.ts';
import { gatherMail, gatherPush } from '../../src/language/mail/gathered-mail.ts';
import type {
  AlertMailFacts,
  AlertMailState,
  SoilFigure,
} from '../../src/language/mail/mail-facts.ts';
import { ALERT_MAIL_KINDS } from '../../src/schema/alerts/alert.ts';
import { suspectReadingOf } from '../../src/schema/moisture/suspect-bodies.ts';
import { renderAlertMail, renderDoubtMail } from '../language/mail/rendered-mails.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import type { Json } from '../tool-results.ts';
import { NOW, SUSPECT_READINGS } from './facts/doubt-facts.ts';
import { hashOf } from './recorded-answer.ts';
import { expectRecorded } from './recording.ts';

const READ_AT = NOW - 20 * MINUTE;

const FIRING: AlertMailState = {
  newestAt: READ_AT,
  newestValue: 18.4,
  startedAt: NOW - 2 * DAY,
  endedAt: null,
  lowestValue: 17.95,
  isFiring: true,
  ending: 'reached',
};
const ENDED = { newestValue: 25.3, endedAt: READ_AT, isFiring: false };

const NAMES = { company: 'Mas 40 ha', module: 'North 30 cm', parcel: 'Block 12 mm' };
const drawn = (value: number): SoilFigure => ({ value, basis: 'annotation' });
const ofSoil = (value: number): SoilFigure => ({ value, basis: 'soil_profile' });

type AlertCase = Partial<Omit<AlertMailFacts, 'state'>> & { readonly state?: object };

const NOTHING_KNOWN: AlertCase = {
  waterings: [],
  soil: { fieldCapacity: null, wiltingPoint: null, stressPoint: null },
  parcel: null,
  state: {
    newestAt: null,
    newestValue: null,
    startedAt: null,
    lowestValue: null,
    isFiring: false,
  },
};

const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  fired: {},
  'fired, above the threshold again': { state: { newestValue: 22.1 } },
  'fired, without soil': { soil: null, parcel: null },
  'fired, with levels of the soil': {
    soil: { fieldCapacity: ofSoil(28), wiltingPoint: drawn(14.5), stressPoint: 20.25 },
  },
  'fired, with readings in doubt': {
    doubts: Object.values(SUSPECT_READINGS).flat().map(suspectReadingOf),
  },
  'fired, in another year': { now: Date.UTC(2027, 0, 2) },
  'fired, without waterings': { waterings: [] },
  reminder: { kind: 'reminder' },
  'reminder, of old data': { kind: 'reminder', now: NOW + 30 * HOUR },
  resolved: { kind: 'resolved', state: ENDED },
  'resolved, by another threshold': {
    kind: 'resolved',
    threshold: '15',
    state: { ...ENDED, ending: 'rule_changed' },
  },
  'resolved, by later readings': { kind: 'resolved', state: { ...ENDED, ending: 'corrected' } },
  stale: { kind: 'stale', now: NOW + 26 * HOUR },
  'stale, while it was quiet': {
    kind: 'stale',
    now: NOW + 26 * HOUR,
    state: { isFiring: false, startedAt: null, lowestValue: null },
  },
  ...Object.fromEntries(
    ALERT_MAIL_KINDS.map((kind) => [`${kind}, nothing known`, { kind, ...NOTHING_KNOWN }]),
  ),
};

const alertFacts = (
  { state, ...changes }: AlertCase,
  units: AlertMailFacts['units'],
): AlertMailFacts => ({
  ...NAMES,
  kind: 'fired',
  alertKind: 'moisture',
  now: NOW,
  zone: 'Europe/Paris',
  units,
  threshold: '20',
  hysteresis: '5.5',
  waterings: [
    { startedAt: NOW - 3 * DAY, waterMm: 12.54, isConfirmed: true },
    { startedAt: NOW - 5 * DAY, waterMm: null, isConfirmed: false },
  ],
  soil: { fieldCapacity: drawn(31.25), wiltingPoint: ofSoil(14), stressPoint: 19.5 },
  doubts: [],
  ...changes,
  state: { ...FIRING, ...state },
});

const readingsOf = (reason: DoubtReason): DoubtMailFacts['readings'] =>
  isQualityFlag(reason) ? SUSPECT_READINGS[reason].map(suspectReadingOf) : [];

const doubt = (...reasons: DoubtReason[]): Partial<DoubtMailFacts> => ({
  doubts: reasons.map((reason) => ({ reason, since: NOW - 2 * DAY })),
  readings: reasons.flatMap(readingsOf),
});

/** A meanwhile of each kind: an amount, an amount without minutes, and no water yet. */
const MEANWHILES = MEANWHILE_BASES.flatMap((basis) =>
  [
    { waterMm: 18.25, durationMin: 240, daysToStress: 0 },
    { waterMm: 18.25, durationMin: null, daysToStress: null },
    { waterMm: 0, durationMin: 0, daysToStress: 6.2 },
  ].map((amount) => ({ basis, module: basis === 'probe' ? 'South 20 mm' : null, ...amount })),
);

const DOUBT_CASES: Readonly<Record<string, Partial<DoubtMailFacts>>> = {
  ...Object.fromEntries(DOUBT_REASONS.map((reason) => [reason, doubt(reason)])),
  'two reasons': { ...doubt('TOO_WET', 'SENSOR_STUCK'), parcel: null },
  'last year': { ...doubt('NO_RESPONSE'), now: Date.UTC(2027, 0, 2) },
  ...Object.fromEntries(
    MEANWHILES.map((meanwhile, index) => [
      `meanwhile ${index + 1} by ${meanwhile.basis}`,
      { ...doubt('NO_RESPONSE'), meanwhile },
    ]),
  ),
};

const doubtFacts = (
  changes: Partial<DoubtMailFacts>,
  units: DoubtMailFacts['units'],
): DoubtMailFacts => ({
  ...NAMES,
  now: NOW,
  zone: 'Europe/Paris',
  units,
  doubts: [],
  readings: [],
  meanwhile: null,
  ...changes,
});

interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
const withHash = ({ subject, text, html }: Mail) => ({ subject, text: [text], html: hashOf(html) });

it('says what was recorded in every mail and push message', async () => {
  const said: Record<string, Json> = {};
  for (const units of UNIT_SYSTEMS)
    for (const lang of LANGS) {
      const mails: ReturnType<typeof renderAlertMail>[] = [];
      const pushes: { title: string; body: string }[] = [];
      for (const [name, changes] of Object.entries(ALERT_CASES)) {
        const facts = alertFacts(changes, units);
        const [mail, push] = [renderAlertMail(facts, lang), renderAlertPush(facts, lang)];
        said[`${units}, ${name}, ${lang}`] = { ...withHash(mail), push };
        mails.push(mail);
        pushes.push(push);
      }
      for (const [name, changes] of Object.entries(DOUBT_CASES)) {
        const facts = doubtFacts(changes, units);
        const [mail, push] = [renderDoubtMail(facts, lang), renderDoubtPush(facts, lang)];
        said[`${units}, ${name}, ${lang}`] = { ...withHash(mail), push };
        mails.push(mail);
      }
      for (const count of [2, 22]) {
        const messages = pushes.slice(0, count).map((push) => ({
          subject: push.title,
          text: JSON.stringify({ ...push, tag: 'alert', moduleId: 1 }),
        }));
        said[`${units}, ${count} gathered, ${lang}`] = {
          ...withHash(gatherMail(mails.slice(0, count), lang)),
          push: gatherPush(messages, lang).text,
        };
      }
    }

  expect(Object.keys(said)).toHaveLength(
    UNIT_SYSTEMS.length *
      LANGS.length *
      (Object.keys(ALERT_CASES).length + Object.keys(DOUBT_CASES).length + 2),
  );
  await expectRecorded('mails', said);
});
